"""Tests of scripts/lib/check_prose.py: what it reads as prose, and what it finds there."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))
import check_prose  # noqa: E402

LONG = "word " * 31


class Prose(unittest.TestCase):
    def found(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(text)
            return list(check_prose.problems(path, name))

    def test_words(self):
        self.assertEqual(self.found("a.cpp", "int x;\n// No" + "body reads it.\n"),
                         [(2, '"Nobody": write the component, or the user')])
        self.assertEqual(len(self.found("a.py", "x = 1  # so" + " many of them\n")), 0)
        self.assertEqual(len(self.found("a.py", "# so" + " many of them\n")), 1)
        self.assertEqual(self.found("a.md", "`no" + "body` is a user.\n"), [])

    def test_long_sentences(self):
        self.assertEqual([line for line, _ in self.found("a.md", f"# A\n\n{LONG}.\n")], [3])
        self.assertEqual([line for line, _ in self.found("a.hpp", f"// {LONG}\n")], [1])
        self.assertEqual(self.found("a.cpp", f"// {LONG}\n"), [])
        half = "word " * 16
        for end in (".", "?", ";", ".)"):
            self.assertEqual(self.found("a.md", f"{half}{end} {half}.\n"), [])
        self.assertEqual(len(self.found("a.md", f"{half}\n{half}.\n")), 1)

    def test_what_is_no_prose(self):
        for text in (f"```\n{LONG}\n```\n", f"| {LONG} |\n", f"# {LONG}\n", f"<!-- {LONG}\n-->\n"):
            self.assertEqual(self.found("a.md", text), [], text)
        self.assertEqual(self.found("a.hpp", f"int {LONG};\n//   {LONG}\n"), [])

    def test_items_of_lists_are_sentences(self):
        half = "word " * 16
        self.assertEqual(self.found("a.md", f"- {half}\n- {half}\n"), [])


if __name__ == "__main__":
    unittest.main()
