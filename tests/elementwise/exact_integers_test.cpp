// Integer arithmetic that overflows, where the result is widened, compared, counted, summed or used
// as an index. Each operation x type x pair of extreme operands x use is compared with the
// interpreter. An assembler that assumes that nothing overflows shows here; see
// codegen/nvptx/ptxas_workarounds/exact_integers.hpp.
#include "support/compare.hpp"
#include "support/operations.hpp"
#include "support/values.hpp"

#include "graph/node.hpp"

namespace tutti::test {
namespace {

using detail::NodeRef;
using detail::Rule;

constexpr ElementType integers[] = {ElementType::i8,  ElementType::u8,  ElementType::i16,
                                    ElementType::u16, ElementType::i32, ElementType::i64};

template <class T>
std::vector<T> extremes() {
  using L = std::numeric_limits<T>;
  return {L::min(), L::max(), T(0), T(1), T(-1), T(L::min() + 1), T(L::max() - 1), T(2), T(100)};
}

// Operands such that each meets each, often enough for whole blocks of a GPU's threads and a rest.
constexpr size_t operands = 5000;

NodeRef operand(ElementType type, int number) {
  return visit_type(type, [&](auto tag) -> NodeRef {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const std::vector<T> values = extremes<T>();
      const size_t n = values.size();
      std::vector<T> all;
      for (size_t i = 0; i < operands; ++i)
        all.push_back(values[number == 0 ? i % n : number == 1 ? i / n % n : (i + i / n) % n]);
      return Array<1, T>(all).node();
    } else {
      throw InternalError("not an integer");
    }
  });
}

NodeRef apply(Op op, std::initializer_list<NodeRef> inputs) {
  return detail::elementwise(op, {inputs.begin(), inputs.size()}, Location::current());
}

// Everything that looks at more bits of a number than it has.
struct Use {
  const char* name;
  NodeRef (*of)(const NodeRef&);
};
template <ElementType type>
NodeRef widened(const NodeRef& x) {
  return detail::cast(x, type, Location::current());
}
template <Op op>
NodeRef counted(const NodeRef& x) {
  return widened<ElementType::i32>(apply(op, {x}));
}
NodeRef compared(const NodeRef& x) {
  const NodeRef zero = detail::constant({x->type, 0}, x->shape, Location::current());
  return apply(Op::less, {x, zero});
}
NodeRef as_index(const NodeRef& x) {
  static const Array<1, int32_t>& numbers = *new Array<1, int32_t>(plain<int32_t>(101));
  const NodeRef indices[] = {widened<ElementType::i32>(x)};
  return detail::gather(numbers.node(), indices, Boundary::clamp(), 0, Location::current());
}
NodeRef summed(const NodeRef& x) {
  const int axis[] = {0};
  return detail::reduce(Reduction::sum, widened<ElementType::i64>(x), axis, Location::current());
}

const Use uses[] = {{"cast<int32>", widened<ElementType::i32>},
                    {"cast<int64>", widened<ElementType::i64>},
                    {"cast<float>", widened<ElementType::f32>},
                    {"cast<double>", widened<ElementType::f64>},
                    {"< 0", compared},
                    {"popcount", counted<Op::popcount>},
                    {"leading_zeros", counted<Op::leading_zeros>},
                    {"trailing_zeros", counted<Op::trailing_zeros>},
                    {"gather", as_index},
                    {"sum", summed}};

std::vector<Elements> computed(const std::vector<NodeRef>& roots, bool interpret) {
  const WithSettings how([&](Settings& s) { s.interpret = interpret; });
  detail::evaluate(roots);
  std::vector<Elements> result;
  for (const NodeRef& root : roots) result.push_back(read(root));
  return result;
}

template <class Build>
void expect_same_uses(Build build, std::span<const Use> which) {
  const std::vector<Elements> want = computed(build(), true), got = computed(build(), false);
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(same(want[i], got[i])) << which[i % which.size()].name;
}

class ExactIntegers : public testing::TestWithParam<Operation> {};

// All uses at once.
TEST_P(ExactIntegers, OverflowAsTheyShould) {
  const Operation& o = GetParam();
  for (const ElementType type : integers) {
    SCOPED_TRACE(std::string(o.name) + " of " + name(type));
    const NodeRef x = operand(type, 0), y = operand(type, 1), z = operand(type, 2);
    expect_same_uses(
        [&] {
          const NodeRef inputs[] = {x, y, z};
          const NodeRef result = detail::elementwise(o.op, {inputs, static_cast<size_t>(o.arity)},
                                                     Location::current());
          std::vector<NodeRef> roots;
          for (const Use& use : uses) roots.push_back(use.of(result));
          return roots;
        },
        uses);
  }
}

std::vector<Operation> operations_of_integers() {
  std::vector<Operation> result;
  for (const Operation& o : operations)
    if (o.rule == Rule::arithmetic || o.rule == Rule::integer) result.push_back(o);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Table, ExactIntegers, testing::ValuesIn(operations_of_integers()),
                         [](const auto& info) { return std::string(info.param.name); });

// Each use alone: with others an assembler may see more of the number than with it.
TEST(ExactIntegersAlone, OverflowAsTheyShould) {
  for (const ElementType type :
       {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64})
    for (const Op op : {Op::negate, Op::abs, Op::subtract, Op::multiply})
      for (const Use& use : uses) {
        SCOPED_TRACE(std::string(ir::op_name(op)) + " of " + name(type));
        const NodeRef x = operand(type, 0), y = operand(type, 1);
        const bool two = op == Op::subtract || op == Op::multiply;
        expect_same_uses(
            [&] { return std::vector<NodeRef>{use.of(two ? apply(op, {x, y}) : apply(op, {x}))}; },
            {&use, 1});
      }
}

// What the random graphs found: chains whose parts overflow.
TEST(ExactIntegersInChains, OverflowAsTheyShould) {
  for (const ElementType type :
       {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64}) {
    SCOPED_TRACE(name(type));
    const NodeRef x = operand(type, 0), y = operand(type, 1);
    const NodeRef zero = detail::constant({type, 0}, x->shape, Location::current());
    const auto build = [&] {
      const NodeRef negative = apply(Op::negate, {x}), less = apply(Op::subtract, {zero, x});
      const NodeRef results[] = {
          apply(Op::max, {negative, y}),
          apply(Op::min, {apply(Op::min, {y, negative}), less}),
          apply(Op::abs, {apply(Op::subtract, {x, y})}),
          apply(Op::subtract, {apply(Op::abs, {negative}), y}),
          apply(Op::negate, {apply(Op::abs, {apply(Op::negate, {y})})}),
          apply(Op::shift_right, {negative, apply(Op::bit_and, {y, y})}),
          apply(Op::divide, {negative, y}),
          apply(Op::remainder, {less, apply(Op::negate, {y})}),
          apply(Op::choose, {apply(Op::less, {negative, y}), negative, less})};
      std::vector<NodeRef> roots;
      for (const NodeRef& result : results)
        for (const Use& use : uses) roots.push_back(use.of(result));
      return roots;
    };
    expect_same_uses(build, uses);
  }
}

}  // namespace
}  // namespace tutti::test
