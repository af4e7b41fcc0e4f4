// See codegen/nvptx/ptxas_workarounds/exact_integers.hpp. PTX has no arithmetic of fewer than 32
// bits, whose overflow ptxas forgets, and no abs, for whose result it assumes a range. The results
// on GPUs are tested by elementwise/exact_integers_test.cpp.
#include "codegen/assembler.hpp"
#include "codegen/gpu/primitives.hpp"
#include "codegen/ptx_of.hpp"
#include "graph/node.hpp"
#include "support/operations.hpp"
#include "tutti/tutti.hpp"

namespace tutti::testing {
namespace {

using detail::NodeRef;
using detail::Rule;
using test::Operation;
using test::operations;

bool takes_integers(Rule rule) {
  return rule == Rule::arithmetic || rule == Rule::integer || rule == Rule::compare;
}

NodeRef leaf(ElementType type, int64_t first) {
  std::vector<int64_t> numbers(1000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + static_cast<int64_t>(i);
  NodeRef node = detail::cast(Array<1, int64_t>(numbers).node(), type, {});
  detail::evaluate({&node, 1});
  return node;
}

constexpr ElementType narrow_types[] = {ElementType::i8, ElementType::u8, ElementType::i16,
                                        ElementType::u16};

TEST(ExactIntegers, NothingNarrowIsComputed) {
  for (const ElementType type : narrow_types) {
    SCOPED_TRACE(name(type));
    const NodeRef all[] = {leaf(type, 3), leaf(type, 1000), leaf(type, 2000)};
    for (const ElementType to : {ElementType::i64, ElementType::f32, type}) {
      std::vector<NodeRef> roots;
      for (const Operation& o : operations)
        if (takes_integers(o.rule)) {
          const std::span<const NodeRef> inputs(all, static_cast<size_t>(o.arity));
          roots.push_back(detail::cast(detail::elementwise(o.op, inputs, {}), to, {}));
        }
      for (const std::string& ptx : ptx_of(roots, {90, 78}))
        EXPECT_EQ(narrow_arithmetic(ptx), "") << ptx;
    }
  }
}

TEST(ExactIntegers, EveryGenerationAssemblesThem) {
  for (const ElementType type : narrow_types) {
    const NodeRef a = leaf(type, 3), b = leaf(type, 1000);
    const auto apply = [](Op op, auto... inputs) {
      const NodeRef list[] = {inputs...};
      return detail::elementwise(op, list, {});
    };
    const NodeRef less = apply(Op::subtract, apply(Op::negate, a), b);
    const NodeRef root = apply(Op::add, apply(Op::leading_zeros, apply(Op::abs, less)),
                               apply(Op::shift_right, apply(Op::multiply, a, b), less));
    for (const codegen::PtxTarget target :
         {codegen::PtxTarget{75, 75}, {80, 78}, {90, 78}, {100, 86}})
      for (const std::string& ptx : ptx_of({&root, 1}, target))
        EXPECT_TRUE(assembles(ptx, target)) << ptx;
  }
}

TEST(ExactIntegers, AbsIsSpelledOut) {
  for (const ElementType type : {ElementType::i32, ElementType::i64}) {
    const NodeRef a = leaf(type, -500), one[] = {a};
    const NodeRef root = detail::elementwise(Op::abs, one, {});
    for (const std::string& ptx : ptx_of({&root, 1}, {90, 78})) {
      EXPECT_FALSE(has(ptx, "abs.s")) << ptx;
      EXPECT_TRUE(assembles(ptx, {90, 78}));
    }
  }
}

// Reductions and programs.
TEST(ExactIntegers, NorElsewhere) {
  const Array<1, int16_t> a = Array<1, int16_t>(std::vector<int16_t>(100000, 7));
  const Program p = TUTTI_BEGIN {
    In<Value<1, int16_t>> x;
    Out<Value<1, int16_t>> y = -x;
    TUTTI_FOR(Value1i k = 0, k < 10, k += 1) { y = -y - x; }
    TUTTI_ENDFOR;
  }
  TUTTI_END;
  const Array<1, int16_t> mapped = p(a);
  for (const std::string& ptx : {only_kernel(mapped), ptx_of(sum(-a).nodes(), {90, 78})[0]})
    EXPECT_EQ(narrow_arithmetic(ptx), "") << ptx;
}

TEST(ExactIntegers, NorInPrimitives) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const auto plain = [](const char* function, ElementType type, Reduction reduction) {
    const codegen::GpuPrimitive primitive{function, nullptr, type, reduction};
    const std::string ptx = codegen::compile_primitive_ptx(primitive, {90, 78});
    EXPECT_EQ(narrow_arithmetic(ptx), "") << function << '\n' << ptx;
  };
  plain("sort_count_u16", ElementType::i16, Reduction::sum);
  plain("scan_u8", ElementType::i8, Reduction::sum);
  plain("segmented_scan_u16", ElementType::i16, Reduction::min);
  plain("reduce_staged_u16", ElementType::u16, Reduction::sum);
  plain("scatter_runs_u16", ElementType::i16, Reduction::max);
}

}  // namespace
}  // namespace tutti::testing
