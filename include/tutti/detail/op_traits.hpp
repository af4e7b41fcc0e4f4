// The rules of the table of operations as types: the type that operands are converted to, and the
// type of the result.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

enum class Rule : uint8_t {
  arithmetic,
  floating,
  integer,
  logical,
  compare,
  classify,
  order,
  choose
};

template <Op op>
struct OpTraits;
#define TUTTI_OP(id, arity_, rule_, cost, doc) \
  template <>                                  \
  struct OpTraits<Op::id> {                    \
    static constexpr Rule rule = Rule::rule_;  \
    static constexpr int arity = arity_;       \
  };
#include "tutti/detail/ops.def"
#undef TUTTI_OP

// The type that operands are converted to, and the type of the result.
template <Rule rule, class T>
using OperandOf = std::conditional_t<
    rule == Rule::floating || rule == Rule::classify || rule == Rule::order, Floating<T>,
    std::conditional_t<rule == Rule::logical, bool,
                       std::conditional_t<rule == Rule::arithmetic, Arithmetic<T>, T>>>;
template <class T>
using IntegerLike = std::conditional_t<sizeof(T) == 2, int16_t,
                                       std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
template <Rule rule, class T>
using ResultOf =
    std::conditional_t<rule == Rule::compare || rule == Rule::classify || rule == Rule::logical,
                       bool, std::conditional_t<rule == Rule::order, IntegerLike<T>, T>>;

}  // namespace tutti::detail
TUTTI_END_EXPORTS
