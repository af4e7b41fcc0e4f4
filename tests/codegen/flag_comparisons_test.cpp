// See codegen/nvptx/ptxas_workarounds/flag_comparisons.hpp. What GPUs make of such comparisons is
// tested by random/random_graph_test.cpp, which needs a GPU to show it.
#include <set>

#include "codegen/ptx_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::testing {
namespace {

// The first comparison of a register that was selected between constants, or computed from such
// registers alone; "" if there is none.
std::string comparison_of_flags(const std::string& ptx) {
  const std::regex select(R"(selp\.b\d+\s+(%r\w*), -?\d+, -?\d+, %p\d+;)");
  const std::regex binary(R"((?:or|and|xor|add|sub)\.\w+\s+(%r\w*), (%r\w*), (%r\w*|-?\d+);)");
  const std::regex compare(R"(setp\.\w+\.\w+\s+%p\d+, (%r\w*), (%r\w*|-?\d+);)");
  std::set<std::string> from_flags;
  const auto known = [&](const std::string& operand) {
    return operand[0] != '%' || from_flags.count(operand) > 0;
  };
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_search(line, m, select)) from_flags.insert(m[1]);
    if (std::regex_search(line, m, binary) && known(m[2]) && known(m[3])) from_flags.insert(m[1]);
    if (std::regex_search(line, m, compare) && known(m[1]) && known(m[2])) return line;
  }
  return "";
}

// The sums are results as well: LLVM simplifies comparisons of integers that nothing else needs.
TEST(FlagComparisons, AreLogic) {
  const Array<1, uint16_t> a(std::vector<uint16_t>(1000, 7));
  const Array<1, bool> b = a > uint16_t{3};
  b.evaluate();
  const Array<1, bool> p = cast<bool>(a) && b;
  const Array<1, int> x = cast<int>(p), y = shift(x, {1}, Boundary::clamp());
  const Array<1, int> sum = x + y + x, difference = y * 4 - x;
  const Array<1, bool> some = p < cast<bool>(sum), three = (sum == 3) != p, less = difference < 2;
  std::vector<detail::NodeRef> roots;
  for (const auto& nodes :
       {sum.nodes(), difference.nodes(), some.nodes(), three.nodes(), less.nodes()})
    roots.insert(roots.end(), nodes.begin(), nodes.end());
  for (const std::string& ptx : ptx_of(roots, {90, 78}))
    EXPECT_EQ(comparison_of_flags(ptx), "") << ptx;
}

TEST(FlagComparisons, AreFoundByThisTest) {
  EXPECT_NE(comparison_of_flags("selp.b32 \t%r1, 1, 0, %p1;\nselp.b32 \t%r2, 0, 2, %p2;\n"
                                "or.b32 \t%r3, %r1, %r2;\nsetp.ne.b32 \t%p3, %r3, 0;\n"),
            "");
  EXPECT_EQ(comparison_of_flags("ld.global.b32 \t%r1, [%rd1];\nsetp.ne.b32 \t%p3, %r1, 0;\n"), "");
}

}  // namespace
}  // namespace tutti::testing
