// Functions of numbers: applied to arrays they are ordinary nodes, applied to numbers they give
// what the nodes give.
#include "program/function.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using ir::Function;
using ir::NodeRef;

const std::source_location nowhere;

// (a, b) -> (a * b + 2, a > b)
Function sample() {
  const NodeRef a = ir::make_parameter(ElementType::f32, 0, nowhere),
                b = ir::make_parameter(ElementType::f32, 0, nowhere);
  const NodeRef pair[] = {a, b};
  const NodeRef product = ir::make_elementwise(Op::multiply, pair, nowhere);
  const NodeRef sum[] = {product, ir::make_constant(scalar_value(2.0f), {}, nowhere)};
  return {{a, b},
          {ir::make_elementwise(Op::add, sum, nowhere),
           ir::make_elementwise(Op::greater, pair, nowhere)}};
}

TEST(Function, InlinedIsOrdinaryNodes) {
  const Array<2, float> a(std::vector<float>{1, 2, 3, 4}, 2, 2);
  const Array<1, float> row(std::vector<float>{10, 20});
  const NodeRef arguments[] = {a.node(), row.node()};
  const auto results = ir::inline_function(sample(), arguments, nowhere);
  EXPECT_EQ((Array<2, float>(results[0]).to_vector()), (std::vector<float>{12, 42, 32, 82}));
  EXPECT_EQ((Array<2, bool>(results[1]).to_vector()), (std::vector<bool>{0, 0, 0, 0}));
}

TEST(Function, InterpretsNumbers) {
  ir::FunctionInterpreter run(sample());
  const ScalarValue arguments[] = {scalar_value(3.0f), scalar_value(2.0f)};
  const auto results = run(arguments);
  EXPECT_EQ(results[0].bits, scalar_value(8.0f).bits);
  EXPECT_EQ(results[1].bits, 1u);
  const ScalarValue others[] = {scalar_value(-1.0f), scalar_value(5.0f)};
  EXPECT_EQ(run(others)[0].bits, scalar_value(-3.0f).bits);
}

TEST(Function, GathersFromArrayParameters) {
  const NodeRef table = ir::make_parameter(ElementType::f32, 1, nowhere),
                i = ir::make_parameter(ElementType::i32, 0, nowhere);
  const NodeRef indices[] = {i};
  const Function f{{table, i},
                   {ir::make_gather(table, indices, Boundary::Kind::wrap, {}, nowhere)}};
  const Array<1, float> values(std::vector<float>{10, 20, 30});
  const Array<2, int> at(std::vector<int>{0, 1, -1, 5}, 2, 2);
  const NodeRef arguments[] = {values.node(), at.node()};
  const auto results = ir::inline_function(f, arguments, nowhere);
  EXPECT_EQ((Array<2, float>(results[0]).to_vector()), (std::vector<float>{10, 20, 30, 30}));
  const Function bound{
      {i}, {ir::make_gather(values.node(), indices, Boundary::Kind::wrap, {}, nowhere)}};
  ir::FunctionInterpreter run(bound);
  const ScalarValue index[] = {scalar_value(-1)};
  EXPECT_EQ(run(index)[0].bits, scalar_value(30.0f).bits);
}

TEST(Function, OperatorsAreChecked) {
  const ElementType one[] = {ElementType::f32};
  EXPECT_THROW(ir::require_operator(sample(), one, "scan", nowhere), TypeError);
  const Function f = sample();
  const Function op{f.parameters, {f.results[0]}};
  EXPECT_NO_THROW(ir::require_operator(op, one, "scan", nowhere));
}

}  // namespace
}  // namespace tutti::test
