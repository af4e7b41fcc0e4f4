#include "compiler/kernel/index_range.hpp"

#include <algorithm>

namespace tutti::compiler {
namespace {

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }  // b > 0

// The offset of a rerolled loop changes with its steps.
IndexRange affine(const IndexExpr& e, const IndexRange& from, int64_t steps) {
  const int64_t moved = e.step * std::max<int64_t>(0, steps - 1);
  const int64_t a = e.scale * from.first, b = e.scale * from.last;
  return {std::min(a, b) + e.offset + std::min<int64_t>(0, moved),
          std::max(a, b) + e.offset + std::max<int64_t>(0, moved)};
}

IndexRange wrapped(const IndexExpr& e, const IndexRange& from) {
  const int64_t period = floor_div(from.first, e.extent);
  if (period != floor_div(from.last, e.extent)) return {0, e.extent - 1};
  return {from.first - period * e.extent, from.last - period * e.extent};
}

}  // namespace

IndexRange range_of(const Kernel& kernel, int index, int dim, IndexRange along) {
  const IndexExpr& e = kernel.indices[static_cast<size_t>(index)];
  const auto source = [&] { return range_of(kernel, e.source, dim, along); };
  switch (e.kind) {
    case IndexExpr::Kind::constant:
      return {e.low, e.high};
    case IndexExpr::Kind::dim:
      return e.dim == dim ? along : IndexRange{0, kernel.domain[e.dim] - 1};
    case IndexExpr::Kind::affine:
      return affine(e, source(), kernel.repeat.steps);
    case IndexExpr::Kind::clamp: {
      const IndexRange from = source();
      return {std::clamp<int64_t>(from.first, 0, e.extent - 1),
              std::clamp<int64_t>(from.last, 0, e.extent - 1)};
    }
    case IndexExpr::Kind::wrap:
      return wrapped(e, source());
    case IndexExpr::Kind::gathered:
    case IndexExpr::Kind::quotient:
    case IndexExpr::Kind::remainder:
      return {e.low, e.high};
  }
  return {e.low, e.high};
}

}  // namespace tutti::compiler
