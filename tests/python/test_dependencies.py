"""docs/dependencies.md lists what bootstrap installs, in the versions that Debian has."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows():
    lines = (ROOT / "docs/dependencies.md").read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]


class Dependencies(unittest.TestCase):
    def test_every_package_of_bootstrap_is_listed_once_with_its_licence(self):
        lists = re.findall(r'^\w*packages="([^"]*)"', (ROOT / "bootstrap").read_text(), re.MULTILINE)
        wanted = sorted(" ".join(lists).split())
        self.assertGreater(len(wanted), 25)
        self.assertEqual(sorted(row[0].strip("`") for row in rows()), wanted)
        for row in rows():
            self.assertEqual(len(row), 4, row)
            self.assertTrue(all(row), row)

    def test_versions_are_those_of_debian_12(self):
        if 'VERSION_ID="12"' not in pathlib.Path("/etc/os-release").read_text():
            self.skipTest("this is not Debian 12")
        for package, version, *_ in rows():
            command = ["dpkg-query", "-W", "-f", "${Version}", package.strip("`")]
            here = subprocess.run(command, capture_output=True, text=True).stdout
            if here:  # without epoch and what Debian adds
                self.assertEqual(version, re.sub(r"^\d+:|(\+dfsg\S*|\.dfsg\S*|\+ds\S*)?-[^-]*$", "", here), package)


if __name__ == "__main__":
    unittest.main()
