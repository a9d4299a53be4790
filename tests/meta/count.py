# SPDX-License-Identifier: BSD-3-Clause
"""Counts what a `meson test` run did: each Boost test case by its JUnit file, each other test as one.

usage: count.py BUILD; prints skipped cases by name, then "N passed, N failed"; exit 1 if anything failed."""
import json
import os
import sys
import xml.etree.ElementTree as tree


def boost_cases(path):
    """(passed, failed) of one JUnit file; an unreadable one is a failure."""
    try:
        cases = tree.parse(path).getroot().iter("testcase")
        bad = [case.find("failure") is not None or case.find("error") is not None for case in cases]
    except (OSError, tree.ParseError):
        return 0, 1
    return (bad.count(False), bad.count(True)) if bad else (0, 1)


def main(build):
    passed = failed = 0
    skipped = []
    with open(os.path.join(build, "meson-logs", "testlog.json")) as log:
        results = [json.loads(line) for line in log if line.strip()]
    for test in results:
        good = test["result"] in ("OK", "EXPECTEDFAIL")
        skipped += [line for line in test.get("stdout", "").splitlines() if line.startswith("skipped: ")]
        if any("JUNIT" in word for word in test["command"]):
            xml = next(word for word in test["command"] if "JUNIT" in word).split(",")[-1]
            cases = boost_cases(xml)
            passed += cases[0]
            failed += max(cases[1], 0 if good else 1)
        elif test["result"] != "SKIP":
            passed += good
            failed += not good
    print("\n".join(sorted(set(skipped))))
    print(f"{passed} passed, {failed + (not results)} failed")
    return failed != 0 or not results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
