"""Tests of extract_snippets.py: no code of a page is left out."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import extract_snippets  # noqa: E402

PAGE = """# A page
<!-- cpp
const int n = 3;
-->
```cpp
#include <array>
int twice(int x) {
  return 2 * x;
}
int m = twice(n);                  // 6
```
<!-- cpp
EXPECT_EQ(m, 6);
-->
<!-- listing: examples/a.cpp -->
```cpp
left_out();
```
```python
left_out()
```

## Tables
<!-- cpp: cells
int v = 1;
-->

| other | C++ |
| --- | --- |
| `left_out` | `v + 1`, `v = 9` |
| `left_out` | `int w = 4;` |
| `left_out` | `Vec<float>` |
| `left_out` | `use("cuda:1")` |
"""


class Snippets(unittest.TestCase):
    def test_code_is_in_its_place(self):
        code = extract_snippets.test_of("docs/a_page.md", PAGE)
        self.assertNotIn("left_out", code)
        order = ["#include <array>", "int twice(int x) {", "TEST(APage, APage1)", "const int n = 3;",
                 "int m = twice(n);", "EXPECT_EQ(m, 6);", "TEST(APage, Tables2)", "int w = 4;",
                 "TEST(APage, Tables)", "int v = 1;", "return v + 1;", "v = 9;",
                 "using Type [[maybe_unused]] = Vec<float>;", 'has_device("cuda:1")']
        found = [code.find(part) for part in order]
        self.assertNotIn(-1, found)
        self.assertEqual(found, sorted(found))
        self.assertEqual(code.count("int v = 1;"), 4)

    def test_lines_are_those_of_the_page(self):
        lines = extract_snippets.test_of("docs/a_page.md", PAGE).splitlines()
        here = lines.index("int m = twice(n);                  // 6")
        self.assertEqual(lines[here - 1], '#line 10 "docs/a_page.md"')

    def test_what_does_not_end_is_an_error(self):
        for text in ("```cpp\nint x;\n", "<!-- cpp\nint x;\n", "<!-- cpp: cell\n-->\n"):
            with self.assertRaises(SystemExit):
                extract_snippets.test_of("a.md", text)


if __name__ == "__main__":
    unittest.main()
