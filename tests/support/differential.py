"""What the scripts have in common that compare riffle with other programs on random cases."""
import os
import random
import sys
import tempfile


def run(differs, cases):
    """Runs `differs(draw, riffle, folder)` for `RIFFLE [CASES] [SEED]`, and returns the exit status."""
    riffle, cases = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else cases
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    print(f"{cases} cases, seed {seed}")
    draw = random.Random(seed)
    different = 0
    for _ in range(cases):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as top:
            different += differs(draw, riffle, top)
    print(f"{different} differ")
    return 1 if different else 0
