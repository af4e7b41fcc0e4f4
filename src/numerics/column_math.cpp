#include "numerics/column_math.hpp"

#include "numerics/scalar_ops.hpp"

namespace tutti::ir {
namespace {

using Loop = void (*)(const double*, double*, std::size_t);

template <Op op>
void plain_loop(const double* operands, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    results[i] = mathematics<double>(op, operands[i], operands[i]);
}

#ifdef __x86_64__
// Flattened, so that the functions it calls are compiled for these instructions too.
template <Op op>
[[gnu::flatten, gnu::target("avx2,fma")]] void fused_loop(const double* operands, double* results,
                                                          std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    results[i] = mathematics<double>(op, operands[i], operands[i]);
}
#endif

template <Op op>
Loop loop_for() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return fused_loop<op>;
#endif
  return plain_loop<op>;
}

Loop loop_of(Op op) {
  switch (op) {
#define TUTTI_CALL(id) \
  case Op::id:         \
    return loop_for<Op::id>();
#define TUTTI_CALL2(id)
#include "numerics/math/functions.def"
#undef TUTTI_CALL
#undef TUTTI_CALL2
    default:
      throw InternalError("column_math: not a mathematical function of one operand");
  }
}

}  // namespace

void apply_to_column(Op op, const double* operands, double* results, std::size_t count) {
  loop_of(op)(operands, results, count);
}

}  // namespace tutti::ir
