"""What a terminal and the system see of the program: colours, and the memory of a long sweep."""

import os
import pty
import resource
import subprocess
import unittest

PROGRAM = os.environ["NARROWS_PROGRAM"]
TABLE = ["table", "gups", "-m", "bluegene-l", "--messaging", "raw", "-n", "512,8192"]


def on_terminal(**variables):
    """What the program writes to a terminal, with these variables of the environment."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    terminal, end = pty.openpty()
    with subprocess.Popen([PROGRAM, *TABLE], stdout=end, env={**environment, **variables}):
        os.close(end)
        written = b""
        try:
            while part := os.read(terminal, 4096):
                written += part
        except OSError:  # how Linux says that nobody writes to it any longer
            pass
    os.close(terminal)
    return written.replace(b"\r\n", b"\n")


class Colours(unittest.TestCase):
    def test_are_on_a_terminal_alone_and_not_where_they_are_refused(self):
        plain = subprocess.run([PROGRAM, *TABLE], capture_output=True, check=True).stdout
        coloured = on_terminal(TERM="xterm")
        self.assertIn(b"\x1b[33m", coloured)
        self.assertNotIn(b"\x1b", plain)
        self.assertEqual(on_terminal(TERM="xterm", NO_COLOR="1"), plain)
        self.assertEqual(on_terminal(TERM="xterm", NO_COLOR=""), coloured)  # an empty one refuses nothing: no-color.org
        self.assertEqual(on_terminal(TERM="dumb"), plain)


class Memory(unittest.TestCase):
    def test_of_a_sweep_does_not_grow_with_its_points(self):
        peaks = []
        for steps in (100, 1415):  # the second two million points
            words = [f"node.clock=1GHz..2GHz:{steps}", f"network.link.bandwidth=1GB/s..2GB/s:{steps}"]
            command = [PROGRAM, "sweep", "gups", "-m", "bluegene-l", "-n", "64", "--set", *words, "--format", "csv"]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
                lines = sum(1 for _ in running.stdout)
            self.assertEqual(lines, steps * steps + 1)
            peaks.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)  # KiB, of the largest child so far
        self.assertLess(peaks[1], 200e6 / 1024)
        self.assertLess(peaks[1], 1.25 * peaks[0])  # a byte a point would be more


if __name__ == "__main__":
    unittest.main()
