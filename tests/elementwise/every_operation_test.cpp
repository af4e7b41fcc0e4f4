// Every operation of the table on every element type that its rule accepts: compiled kernels
// against the interpreter. Generated from ops.def, so that a new line there is tested without an
// edit here.
#include "support/compare.hpp"
#include "support/operations.hpp"
#include "support/values.hpp"

#include "graph/node.hpp"

namespace tutti::test {
namespace {

using detail::NodeRef;
using detail::Rule;

bool accepts(Rule rule, ElementType type) {
  switch (rule) {
    case Rule::arithmetic:
      return type != ElementType::b8;
    case Rule::floating:
    case Rule::classify:
    case Rule::order:
      return is_floating(type);
    case Rule::integer:
      return !is_floating(type);
    case Rule::logical:
      return type == ElementType::b8;
    default:
      return true;
  }
}

constexpr int64_t longest = 1000;

// Arguments of one operation: every pair (triple) of interesting values that fits, then random
// ones.
template <class T>
std::vector<std::vector<T>> arguments(int arity) {
  const std::vector<T> values = interesting<T>();
  std::vector<std::vector<T>> result;
  for (int k = 0; k < arity; ++k)
    result.push_back(mixed<T>(longest, 100u + static_cast<unsigned>(k)));
  const size_t n = values.size();
  const size_t combinations = std::min<size_t>(longest, arity == 1 ? n : n * n);
  for (size_t i = 0; i < combinations; ++i) {
    result[0][i] = values[i % n];
    if (arity > 1) result[1][i] = values[i / n % n];
  }
  return result;
}

template <class T>
NodeRef leaf(const std::vector<T>& values, int64_t first, int64_t count) {
  return Array<1, T>(std::vector<T>(values.begin() + first, values.begin() + first + count)).node();
}

class EveryOperation : public testing::TestWithParam<Operation> {};

TEST_P(EveryOperation, IsTheSameCompiledAndInterpreted) {
  const Operation& o = GetParam();
  for_each_type([&](auto tag) {
    using T = typename decltype(tag)::type;
    if (!accepts(o.rule, element_type<T>)) return;
    SCOPED_TRACE(std::string(o.name) + " on " + name(element_type<T>));
    const auto values = arguments<T>(o.arity);
    const auto mask = mixed<bool>(longest, 7);
    for (const int64_t size : {int64_t{1}, int64_t{15}, int64_t{16}, int64_t{17}, longest}) {
      const int64_t first = (longest - size) / 3;  // other arguments for each size
      expect_same([&] {
        std::vector<NodeRef> inputs;
        for (const auto& v : values) inputs.push_back(leaf(v, first, size));
        if (o.rule == Rule::choose) inputs[0] = leaf(mask, first, size);
        return detail::elementwise(o.op, inputs, std::source_location::current());
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOperation, testing::ValuesIn(operations),
                         [](const auto& info) { return std::string(info.param.name); });

// The user's functions: each makes the node that the table names.
using Float = Array<1, float>;
using Int = Array<1, int32_t>;
using Bool = Array<1, bool>;

template <class... A>
NodeRef expected(Op op, const A&... arrays) {
  const NodeRef inputs[] = {arrays.node()...};
  return detail::elementwise(op, inputs, std::source_location::current());
}

#define CHECK_1(id, A)                                                \
  TEST(PublicFunction, id) {                                          \
    const A a(mixed<typename A::scalar>(100, 1));                     \
    EXPECT_TRUE(same(read(expected(Op::id, a)), read(tutti::id(a)))); \
  }
#define CHECK_2(id, A)                                                                  \
  TEST(PublicFunction, id) {                                                            \
    const A a(mixed<typename A::scalar>(100, 1)), b(mixed<typename A::scalar>(100, 2)); \
    EXPECT_TRUE(same(read(expected(Op::id, a, b)), read(tutti::id(a, b))));             \
  }
#define CHECK_3(id, A)                                                                  \
  TEST(PublicFunction, id) {                                                            \
    const A a(mixed<typename A::scalar>(100, 1)), b(mixed<typename A::scalar>(100, 2)), \
        c(mixed<typename A::scalar>(100, 3));                                           \
    EXPECT_TRUE(same(read(expected(Op::id, a, b, c)), read(tutti::id(a, b, c))));       \
  }
#define CHECK_arithmetic(id, arity) CHECK_##arity(id, Float)
#define CHECK_floating(id, arity) CHECK_##arity(id, Float)
#define CHECK_classify(id, arity) CHECK_##arity(id, Float)
#define CHECK_order(id, arity) CHECK_##arity(id, Float)
#define CHECK_compare(id, arity) CHECK_##arity(id, Float)
#define CHECK_integer(id, arity) CHECK_##arity(id, Int)
#define CHECK_logical(id, arity) CHECK_##arity(id, Bool)
#define CHECK_choose(id, arity)                                              \
  TEST(PublicFunction, id) {                                                 \
    const Bool m(mixed<bool>(100, 1));                                       \
    const Float a(mixed<float>(100, 2)), b(mixed<float>(100, 3));            \
    EXPECT_TRUE(same(read(expected(Op::id, m, a, b)), read(cond(m, a, b)))); \
  }
#define TUTTI_OP(id, arity, rule, cost, doc) CHECK_##rule(id, arity)
#include "tutti/detail/ops.def"
#undef TUTTI_OP

#define TUTTI_BINARY_OPERATOR(symbol, id)                                                \
  TEST(PublicOperator, id) {                                                             \
    const Int a(mixed<int32_t>(100, 1)), b(mixed<int32_t>(100, 2));                      \
    EXPECT_TRUE(same(read(a symbol b), read(tutti::id(a, b))));                          \
    const Array<2, int32_t> column(plain<int32_t>(3), 3, 1);                             \
    expect_same([&] { return a symbol column; }); /* another rank: the other overload */ \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

}  // namespace
}  // namespace tutti::test
