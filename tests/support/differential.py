"""What the scripts have in common that compare riffle with other programs on random cases."""
import os
import random
import sys
import tempfile


def run(differs, cases, place="/dev/shm" if os.path.isdir("/dev/shm") else None):
    """Runs `differs(draw, riffle, folder)` for `RIFFLE [CASES] [SEED]`, with folders in `place`. Returns the exit status."""
    riffle, cases = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else cases
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    print(f"{cases} cases, seed {seed}")
    draw = random.Random(seed)
    different = 0
    for _ in range(cases):
        with tempfile.TemporaryDirectory(dir=place) as top:
            different += differs(draw, riffle, top)
    print(f"{different} differ")
    return 1 if different else 0
