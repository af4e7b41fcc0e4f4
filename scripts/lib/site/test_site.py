"""Tests of the tools that make the site: what they read from headers, and how they follow links."""

import pathlib
import re
import tempfile
import unittest

import check_site
import cpp_declarations
import cpp_reference
import markdown_text

ROOT = pathlib.Path(__file__).resolve().parents[3]

HEADER = """// Numbers of a kind. More of it.
#pragma once
#include <vector>

namespace tutti {
namespace detail {
int hidden();
}  // namespace detail

// How many there are.
template <class T, int D = 2>
requires(D > 0) int count(const T& a, int axis = 0,
                          const std::source_location& where = std::source_location::current()) {
  return a.size() > 0 ? D : axis;
}
int other();  // behind it

#define TUTTI_PAIR(id, Out) \\
  template <class T>        \\
  Out id##_of(const T& a) { \\
    return {};              \\
  }
TUTTI_PAIR(sum, int)
TUTTI_PAIR(product, float)
#undef TUTTI_PAIR

// A thing.
template <class T = float>
class Thing {
 public:
  Thing() : a_(0), b_{1} {}
  explicit Thing(int a) : a_(a), b_{a} {}
  // Of the thing.
  int size() const { return a_; }
  bool operator==(const Thing&) const = default;

 private:
  int a_, b_;
};

}  // namespace tutti
"""


class Headers(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sample.hpp"
            path.write_text(text)
            return cpp_declarations.read_header(path, ROOT / "include")

    def test_declarations_have_comments_and_signatures(self):
        comments, found, macros = self.read(HEADER)
        self.assertEqual(comments, ["Numbers of a kind. More of it."])
        self.assertEqual([d.name for d in found], ["count", "other", "sum_of", "Thing"])
        self.assertEqual(found[0].signature, "template <class T, int D = 2>\nrequires(D > 0)\n"
                                             "int count(const T& a, int axis = 0);")
        self.assertEqual([d.comment for d in found],
                         ["How many there are.", "behind it", "", "A thing."])
        self.assertEqual(found[2].others, ["product_of"])
        self.assertEqual([m.signature for m in found[3].members],
                         ["Thing();", "explicit Thing(int a);", "int size() const;"])
        self.assertEqual(macros, [])

    def test_commas_of_string_literals_separate_no_arguments(self):
        _, found, _ = self.read('#define TUTTI_NONE(name, why) \\\n  int name() { return f(why); }\n'
                                'namespace tutti {\nTUTTI_NONE(first, "no bits, no order")\n'
                                '#undef TUTTI_NONE\nint second();\n}\n')
        self.assertEqual([d.name for d in found], ["first", "second"])

    def test_what_cannot_be_read_names_the_header(self):
        with self.assertRaisesRegex(ValueError, "sample.hpp"):
            self.read("namespace tutti {\nint broken(\n}\n")

    def test_the_reference_has_every_function_that_the_guide_names(self):
        text = "\n".join(cpp_reference.pages(ROOT / "include").values())
        known = set(re.findall(r"[\w]+", " ".join(re.findall(r"`([^`\n]+)`", text))))
        for page in ("guide.md", "interchange.md"):
            code = re.findall(r"`([^`\n]+)`", (ROOT / "docs" / page).read_text())
            called = {name for part in code for name in re.findall(r"\b([a-z]\w+)\(", part)}
            self.assertGreater(len(called), 3)
            self.assertEqual(called - known - {"load", "seen"}, set(), page)


class Markdown(unittest.TestCase):
    def test_links_in_code_are_no_links(self):
        text = "[a](b.md) `[c](d)` [`e`](f.md#g)\n```cpp\n[](auto x) {}\n```\n![h](i.png)\n"
        self.assertEqual(markdown_text.links(text), ["b.md", "f.md#g", "i.png"])

    def test_anchors_are_those_of_github(self):
        text = "# A `b_c` & d\n## Same\n## Same\n```\n# no heading\n```\n"
        self.assertEqual(markdown_text.anchors(text), {"a-b_c--d", "same", "same-1"})

    def test_comments_are_no_text(self):
        text = "a\n<!-- cpp\n[&](int x) {}\n\n# b\n-->\n```cpp\n<!-- c -->\n```\n<!-- d -->\ne\n"
        self.assertEqual(markdown_text.links(text), [])
        self.assertEqual(markdown_text.anchors(text), set())
        self.assertEqual(markdown_text.without_comments(text),
                         "a\n```cpp\n<!-- c -->\n```\ne\n")


class BuiltSite(unittest.TestCase):
    def problems(self, body):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            path = folder / "a.html"
            path.write_text(f'<html><body><h1 id="there">x</h1>{body}</body></html>')
            page = check_site.Page(path.read_text())
            return list(check_site.page_problems(path, page, {path: page}, folder))

    def test_good_links(self):
        self.assertEqual(self.problems('<a href="#there"></a><a href="https://x.org"></a>'), [])

    def test_broken_links_and_anchors(self):
        self.assertEqual(len(self.problems('<a href="#nowhere"></a><a href="b.html"></a>')), 2)

    def test_what_is_loaded_from_a_network(self):
        loads = ('<script src="https://x.org/a.js"></script><img src="//x.org/b.png">'
                 '<link rel="stylesheet" href="http://x.org/c.css">'
                 '<p style="background: url(https://x.org/d.png)"></p>')
        self.assertEqual(len(self.problems(loads)), 4)


if __name__ == "__main__":
    unittest.main()
