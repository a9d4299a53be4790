# SPDX-License-Identifier: BSD-3-Clause
"""The count refuses to call a crash, a missing or an empty result file a success."""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import count


class CountTest(unittest.TestCase):
    def run_count(self, xml, result="OK"):
        with tempfile.TemporaryDirectory() as build:
            path = pathlib.Path(build)
            (path / "meson-logs").mkdir()
            log = {"result": result, "stdout": "skipped: that\n", "command": ["x", f"--logger=JUNIT,all,{path}/a.xml"]}
            (path / "meson-logs/testlog.json").write_text(json.dumps(log))
            if xml is not None:
                (path / "a.xml").write_text(xml)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = count.main(build)
            return out.getvalue().splitlines()[-1], bool(code)

    def test_cases_are_counted_one_by_one(self):
        xml = "<testsuite><testcase/><testcase><failure/></testcase></testsuite>"
        self.assertEqual(self.run_count(xml, "FAIL"), ("1 passed, 1 failed", True))
        self.assertEqual(self.run_count("<testsuite><testcase/></testsuite>"), ("1 passed, 0 failed", False))

    def test_no_or_an_empty_file_is_a_failure(self):
        for xml in (None, "", "<testsuite/>"):
            self.assertEqual(self.run_count(xml), ("0 passed, 1 failed", True))

    def test_a_crash_after_good_cases_is_a_failure(self):
        self.assertEqual(self.run_count("<testsuite><testcase/></testsuite>", "FAIL"), ("1 passed, 1 failed", True))


if __name__ == "__main__":
    unittest.main()
