"""Serves bytes by HTTP ranges on the loopback, with a delay a request, as high-latency storage does."""

import contextlib
import http.server
import re
import threading
import time


class Served:
    """What the server serves, what it does wrong, and what it was asked for."""

    def __init__(self, data):
        self.data, self.delay = data, 0.0
        self.tag = "1"
        self.ranges, self.heads = [], 0
        self.ignores_ranges = False
        self.failures = {}  # the status of the answer for a range that starts there
        self.hold = None  # an event that answers wait for


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: Served

    def log_message(self, *_):
        pass

    def answer(self, status, size, **headers):
        self.send_response(status)
        headers |= {"Content-Length": str(size), "Accept-Ranges": "bytes", "ETag": self.served.tag}
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_HEAD(self):
        time.sleep(self.served.delay)
        self.answer(200, len(self.served.data))
        self.served.heads += 1

    def do_GET(self):
        served = self.served
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked:
            served.ranges.append((int(asked[1]), int(asked[2]) + 1))
        try:
            time.sleep(served.delay)
            if served.hold:
                served.hold.wait(30)
            if not asked or served.ignores_ranges:
                self.answer(200, len(served.data))
                self.wfile.write(served.data)
                return
            begin, end = int(asked[1]), int(asked[2]) + 1
            if begin in served.failures:
                return self.answer(served.failures[begin], 0)
            if begin >= len(served.data):
                return self.answer(416, 0)
            part = memoryview(served.data)[begin:end]
            last = begin + len(part) - 1
            self.answer(206, len(part), Content_Range=f"bytes {begin}-{last}/{len(served.data)}")
            self.wfile.write(part)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client needs it no longer


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass  # a client that went away


@contextlib.contextmanager
def serve(data):
    """Serves the bytes while the block runs. Gives what is served, and its URL."""
    served = Served(data)
    server = Server(("127.0.0.1", 0), type("Handler", (Handler,), {"served": served}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield served, f"http://127.0.0.1:{server.server_address[1]}/file"
    finally:
        server.shutdown()
        server.server_close()
