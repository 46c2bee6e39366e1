"""Runs `riffle bench` and holds its page, for a notebook."""


TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    import os


class Report:
    """The page that `riffle bench` wrote. A notebook shows it; `html` is its text."""

    def __init__(self, html: str):
        self.html = html

    def _repr_html_(self) -> str:
        from html import escape

        # A frame keeps the styles of the page from the notebook.
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="800" frameborder="0"></iframe>'


def bench(path: "str | os.PathLike[str]", *options: str) -> Report:
    """Runs `riffle bench` on a file, and returns its report, which a notebook shows as a page.

    options go to the tool as they are: `bench("access.log", "--quick")`. It must be on the PATH.

    Raises FileNotFoundError if it is not, RuntimeError with what it wrote if it fails.
    """
    import os
    import shutil
    import subprocess
    import tempfile

    tool = shutil.which("riffle")
    if tool is None:
        raise FileNotFoundError("cannot run 'riffle bench': riffle is not on the PATH; install the tool riffle")
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")
        command = [tool, "bench", *options, "--html", page, os.path.abspath(path)]  # after "--" it were a command
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        if run.returncode != 0 or not os.path.exists(page):
            raise RuntimeError(f"'riffle bench' failed: {run.stderr.strip() or run.stdout.strip()}")
        with open(page, encoding="utf-8") as file:
            return Report(file.read())
