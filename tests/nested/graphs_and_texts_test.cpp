// Irregular programs on graphs, points and texts, against plain C++.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

#include "support/sample_numbers.hpp"

namespace tutti::test {
namespace {

using Lists = std::vector<std::vector<int>>;

Lists random_graph(int vertices, int edges) {
  SampleNumbers random(1);
  Lists neighbours(static_cast<size_t>(vertices));
  for (int e = 0; e < edges; ++e) {
    const int a = random.below(vertices), b = random.below(vertices);
    if (a == b) continue;
    neighbours[static_cast<size_t>(a)].push_back(b);
    neighbours[static_cast<size_t>(b)].push_back(a);
  }
  return neighbours;
}

// Vertices that come before all their neighbours without a colour take the least colour that is
// free.
TEST(Graphs, Colouring) {
  const int vertices = 300;
  const Lists neighbours = random_graph(vertices, 900);
  const Seq<Seq<int>> graph = neighbours;
  const Seq<int> priority = iota(vertices) * 7919 % 10007;
  Seq<int> colour = distribute(-1, vertices);
  while (any(colour < 0).item()) {
    Seq<bool> now = each(iota(vertices), graph, [&](Scalar<int> v, Seq<int> near) {
      return colour[v] < 0 && !any(colour[near] < 0 && priority[near] > priority[v]);
    });
    Seq<int> chosen = filter(iota(vertices), now);
    Seq<int> given = each(chosen, [&](Scalar<int> v) {
      Seq<int> taken = filter(colour[graph[v]], colour[graph[v]] >= 0);
      Seq<int> count = histogram(taken, length(graph[v]) + 1 + max(max_val(taken), 0));
      return min_index(min(count, 1));
    });
    colour = put(colour, chosen, given);
  }
  const std::vector<int> got = colour.to_vector();
  for (size_t v = 0; v < neighbours.size(); ++v) {
    std::set<int> around;
    for (int n : neighbours[v]) {
      EXPECT_NE(got[v], got[static_cast<size_t>(n)]);
      around.insert(got[static_cast<size_t>(n)]);
    }
    for (int c = 0; c < got[v]; ++c) EXPECT_TRUE(around.count(c));
  }
}

// Each vertex points to its parent; the depth of all by jumping over ever more of them.
TEST(Graphs, DepthsInATree) {
  SampleNumbers random(2);
  std::vector<int> parents{0}, want{0};
  for (int v = 1; v < 400; ++v) {
    parents.push_back(random.below(v));
    want.push_back(want[static_cast<size_t>(parents.back())] + 1);
  }
  Seq<int> up = parents;
  Seq<int> depth = cond(up == iota(400), 0, 1);
  for (int jump = 1; jump < 400; jump *= 2) {
    depth = depth + depth[up];
    up = up[up];
  }
  EXPECT_EQ(depth.to_vector(), want);
}

// A lower triangular system, level by level: rows whose unknowns are all known.
TEST(Graphs, SparseTriangularSweep) {
  SampleNumbers random(3);
  const int rows = 200;
  Lists columns(rows);
  std::vector<std::vector<float>> values(rows);
  std::vector<float> want;
  for (int i = 0; i < rows; ++i) {
    float sum = 1;
    for (int k = random.below(4); k > 0 && i > 0; --k) {
      columns[static_cast<size_t>(i)].push_back(random.below(i));
      values[static_cast<size_t>(i)].push_back(0.25f);
      sum += 0.25f * want[static_cast<size_t>(columns[static_cast<size_t>(i)].back())];
    }
    want.push_back(sum);
  }
  const Seq<Seq<int>> column = columns;
  const Seq<Seq<float>> value = values;
  Seq<bool> known = distribute(Scalar<bool>(false), rows);
  Seq<float> x = distribute(0.0f, rows);
  while (!all(known).item()) {
    Seq<bool> ready = !known && each(column, [&](Seq<int> c) { return all(known[c]); });
    Seq<int> now = filter(iota(rows), ready);
    Seq<float> solved =
        each(now, [&](Scalar<int> i) { return sum(value[i] * x[column[i]]) + 1.0f; });
    x = put(x, now, solved);
    known = known || ready;
  }
  const std::vector<float> got = x.to_vector();
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-4f * want[i]);
}

TEST(Graphs, TrianglesOfEachVertex) {
  Lists neighbours = random_graph(60, 400);
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  const Seq<Seq<int>> graph = neighbours;
  const auto triangles = each(graph, [&](Seq<int> near) {
    return sum(each(near,
                    [&](Scalar<int> n) {
                      Seq<int> far = graph[n];
                      return sum(cast<int>(upper_bound(near, far) > lower_bound(near, far)));
                    })) /
           2;
  });
  std::vector<int> want;
  for (const auto& near : neighbours) {
    int count = 0;
    for (int a : near)
      for (int b : neighbours[static_cast<size_t>(a)])
        count += std::binary_search(near.begin(), near.end(), b);
    want.push_back(count / 2);
  }
  EXPECT_EQ(triangles.to_vector(), want);
}

// One step of k-means; clusters have very different sizes, and one has no points.
TEST(Points, KMeansStep) {
  SampleNumbers random(4);
  std::vector<float> points;
  for (int i = 0; i < 1000; ++i)
    points.push_back(static_cast<float>(random.below(i < 900 ? 10 : 100)));
  const std::vector<float> centres{3, 40, 80, 1000};
  const Seq<float> x = points, c = centres;
  Seq<int> nearest = each(x, [&](Scalar<float> p) { return min_index(abs(c - p)); });
  const auto moved = each(iota(4), c, [&](Scalar<int> k, Scalar<float> centre) {
    Seq<float> own = filter(x, nearest == k);
    return select(length(own) == 0, centre, sum(own) / cast<float>(max(length(own), 1)));
  });
  std::vector<float> sums(4), counts(4), want;
  for (float p : points) {
    size_t best = 0;
    for (size_t k = 1; k < 4; ++k)
      if (std::abs(centres[k] - p) < std::abs(centres[best] - p)) best = k;
    sums[best] += p, counts[best] += 1;
  }
  for (size_t k = 0; k < 4; ++k) want.push_back(counts[k] == 0 ? centres[k] : sums[k] / counts[k]);
  EXPECT_EQ(moved.to_vector(), want);
}

// ---- texts

Seq<char> letters(const std::string& text) { return std::vector<char>(text.begin(), text.end()); }

std::vector<std::string> as_strings(const std::vector<std::vector<char>>& words) {
  std::vector<std::string> result;
  for (const auto& word : words) result.emplace_back(word.begin(), word.end());
  return result;
}

// The pieces of a text between blanks.
Seq<Seq<char>> words_of(const Seq<char>& text) {
  Seq<int> i = iota(length(text));
  Seq<bool> blank = text == ' ';
  Seq<int> first = filter(i, !blank && (i == 0 || blank[max(i - 1, 0)]));
  Seq<int> last =
      filter(i, !blank && (i == length(text) - 1 || blank[min(i + 1, length(text) - 1)]));
  return each(first, last, [&](Scalar<int> f, Scalar<int> l) { return slice(text, f, l - f + 1); });
}

const std::string verse = "  the cat and the dog and  the bird saw a cat on the roof ";

TEST(Texts, Words) {
  std::istringstream in(verse);
  std::vector<std::string> want;
  for (std::string word; in >> word;) want.push_back(word);
  EXPECT_EQ(as_strings(words_of(letters(verse)).to_nested_vector()), want);
  EXPECT_EQ(length(words_of(letters("   "))).item(), 0);
}

TEST(Texts, WordCounts) {
  const Seq<Seq<char>> words = words_of(letters(verse));
  Seq<int> key = each(words, [](Seq<char> word) {
    return reduce(cast<int>(word), 17, [](Scalar<int> a, Scalar<int> b) { return a * 31 + b * 7; });
  });
  Seq<int> kinds = unique(sort(key)), sorted = sort(key);
  Seq<int> counts = upper_bound(sorted, kinds) - lower_bound(sorted, kinds);
  std::istringstream in(verse);
  std::map<std::string, int> want;
  for (std::string word; in >> word;) ++want[word];
  std::vector<int> want_counts, got = counts.to_vector();
  for (const auto& [word, count] : want) want_counts.push_back(count);
  std::sort(want_counts.begin(), want_counts.end());
  std::sort(got.begin(), got.end());
  EXPECT_EQ(got, want_counts);
}

TEST(Texts, DepthOfBrackets) {
  const std::vector<std::string> lines{"(a(b)c)", "", "((()))()", ")(", "none"};
  std::vector<std::vector<char>> given;
  std::vector<int> want;
  for (const std::string& line : lines) {
    given.emplace_back(line.begin(), line.end());
    int depth = 0, deepest = 0;
    bool good = true;
    for (char c : line) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      good &= depth >= 0;
      deepest = std::max(deepest, depth);
    }
    want.push_back(good && depth == 0 ? deepest : -1);
  }
  const auto depths = each(Seq<Seq<char>>(given), [](Seq<char> line) {
    Seq<int> step = cond(line == '(', 1, cond(line == ')', -1, 0));
    Seq<int> depth = sum_scan(step);
    return select(sum(step) == 0 && min(min_val(depth), 0) == 0, max(max_val(depth), 0),
                  Scalar<int>(-1));
  });
  EXPECT_EQ(depths.to_vector(), want);
}

TEST(Texts, NumbersInLines) {
  const std::vector<std::string> lines{"12", "7", "", "90210", "0003"};
  std::vector<std::vector<char>> given;
  for (const std::string& line : lines) given.emplace_back(line.begin(), line.end());
  const auto numbers = each(Seq<Seq<char>>(given), [](Seq<char> digits) {
    Seq<int> power = reverse(product_scan(distribute(10, length(digits)))) / 10;
    return sum((cast<int>(digits) - 48) * power);
  });
  EXPECT_EQ(numbers.to_vector(), (std::vector<int>{12, 7, 0, 90210, 3}));
}

TEST(Texts, SeveralPatternsAtOnce) {
  const Seq<char> text = letters(verse);
  const std::vector<std::string> patterns{"the", "cat", "zebra", " a"};
  std::vector<std::vector<char>> given;
  Lists want;
  for (const std::string& pattern : patterns) {
    given.emplace_back(pattern.begin(), pattern.end());
    want.emplace_back();
    for (size_t at = verse.find(pattern); at != std::string::npos; at = verse.find(pattern, at + 1))
      want.back().push_back(static_cast<int>(at));
  }
  const auto found = each(Seq<Seq<char>>(given), [&](Seq<char> pattern) {
    Seq<int> place = iota(length(text) - length(pattern) + 1);
    return filter(place, each(place, [&](Scalar<int> p) {
                    return equal(slice(text, p, length(pattern)), pattern);
                  }));
  });
  EXPECT_EQ(found.to_nested_vector(), want);
}

// Words in order are the leaves of a trie: those below a prefix are neighbours.
TEST(Texts, WordsBelowPrefixes) {
  SampleNumbers random(5);
  std::vector<std::vector<char>> words;
  for (int i = 0; i < 300; ++i) {
    words.emplace_back();
    for (int k = 4; k > 0; --k) words.back().push_back(static_cast<char>('a' + random.below(4)));
  }
  const auto code = [](Seq<char> word) {  // four letters, base 32
    Seq<int> padded = concat(cast<int>(word) - 96, distribute(0, 4 - length(word)));
    return sum(padded * seq(32768, 1024, 32, 1));
  };
  const std::vector<std::string> prefixes{"a", "ab", "dcb", "", "bbbb"};
  std::vector<std::vector<char>> given;
  std::vector<int> want;
  for (const std::string& prefix : prefixes) {
    given.emplace_back(prefix.begin(), prefix.end());
    want.push_back(
        static_cast<int>(std::count_if(words.begin(), words.end(), [&](const auto& word) {
          return std::equal(prefix.begin(), prefix.end(), word.begin());
        })));
  }
  Seq<int> sorted = sort(each(Seq<Seq<char>>(words), code));
  const auto counts = each(Seq<Seq<char>>(given), [&](Seq<char> prefix) {
    Seq<int> ends = seq(
        code(prefix), code(concat(prefix, distribute(Scalar<char>('~'), 4 - length(prefix)))) + 1);
    Seq<int> places = lower_bound(sorted, ends);
    return places[1] - places[0];
  });
  EXPECT_EQ(counts.to_vector(), want);
}

}  // namespace
}  // namespace tutti::test
