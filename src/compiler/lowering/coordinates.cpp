#include "compiler/lowering/coordinates.hpp"

#include <algorithm>
#include <cstdlib>

namespace tutti::compiler {

int Coordinates::add(const IndexExpr& e) {
  const auto key = std::tuple(e.kind, e.source, e.dim, e.scale, e.offset, e.extent, e.slot);
  const auto [number, is_new] = numbers_.emplace(key, static_cast<int>(indices_.size()));
  if (is_new) indices_.push_back(e);
  return number->second;
}

int Coordinates::axis(int dim, int64_t extent) {
  IndexExpr e;
  e.kind = IndexExpr::Kind::dim;
  e.dim = dim;
  e.low = 0;
  e.high = extent - 1;
  return add(e);
}

int Coordinates::constant(int64_t value) {
  IndexExpr e;
  e.kind = IndexExpr::Kind::constant;
  e.offset = e.low = e.high = value;
  return add(e);
}

int Coordinates::argument(int slot, int64_t extent) {
  IndexExpr e;
  e.kind = IndexExpr::Kind::constant;
  e.slot = slot;
  e.high = extent - 1;
  // The extent distinguishes it from the same slot on another axis, whose range differs.
  e.extent = extent;
  return add(e);
}

int Coordinates::affine(int source, int64_t scale, int64_t offset) {
  const IndexExpr from = at(source);
  if (scale == 0) return constant(offset);
  if (scale == 1 && offset == 0) return source;
  if (from.is_known()) return constant(scale * from.offset + offset);
  if (from.kind == IndexExpr::Kind::affine)
    return affine(from.source, scale * from.scale, scale * from.offset + offset);
  IndexExpr e;
  e.kind = IndexExpr::Kind::affine;
  e.source = source;
  e.dim = from.dim;
  e.scale = scale;
  e.offset = offset;
  e.low = std::min(scale * from.low, scale * from.high) + offset;
  e.high = std::max(scale * from.low, scale * from.high) + offset;
  return add(e);
}

int Coordinates::computed(int instruction, int64_t low, int64_t high) {
  IndexExpr e;
  e.kind = IndexExpr::Kind::gathered;
  e.source = instruction;
  e.dim = IndexExpr::from_data;
  e.low = low;
  e.high = high;
  return add(e);
}

// Merges two wraps with one extent into one by both offsets. Gathered indices hold arbitrary data
// and are computed in 32 bits, so wraps whose sum could overflow stay separate.
int Coordinates::around_once(int index, int64_t extent) {
  const IndexExpr e = at(index);
  if (e.kind != IndexExpr::Kind::affine) return index;
  const IndexExpr from = at(e.source);
  if (from.kind == IndexExpr::Kind::wrap && from.extent == extent &&
      stays_narrow(from.source, e.scale, e.offset))
    return around_once(affine(from.source, e.scale, e.offset), extent);
  if (std::abs(e.offset) <= extent) return index;
  // Offset 0 would remove the rule, which is valid for this extent alone: keep one period.
  const int64_t rest = e.offset % extent;
  return affine(e.source, e.scale, rest ? rest : extent);
}

bool Coordinates::stays_narrow(int source, int64_t scale, int64_t offset) const {
  const IndexExpr& from = at(source);
  const auto fits = [&](int64_t x) {
    const __int128 value = static_cast<__int128>(scale) * x + offset;
    return value >= INT32_MIN && value <= INT32_MAX;
  };
  return fits(from.low) && fits(from.high);
}

int Coordinates::clamped(int source, int64_t extent) {
  if (is_inside(source, extent)) return source;
  const auto clamp = [&](int64_t x) { return std::clamp<int64_t>(x, 0, extent - 1); };
  const IndexExpr from = at(source);
  if (from.is_known()) return constant(clamp(from.offset));
  return ruled(IndexExpr::Kind::clamp, source, extent, clamp(from.low), clamp(from.high));
}

int Coordinates::wrapped(int source, int64_t extent) {
  source = around_once(source, extent);
  if (is_inside(source, extent)) return source;
  const IndexExpr from = at(source);
  if (from.is_known()) return constant((from.offset % extent + extent) % extent);
  return ruled(IndexExpr::Kind::wrap, source, extent, 0, extent - 1);
}

int Coordinates::ruled(IndexExpr::Kind rule, int source, int64_t extent, int64_t low,
                       int64_t high) {
  IndexExpr e;
  e.kind = rule;
  e.source = source;
  e.dim = at(source).dim;
  e.extent = extent;
  e.low = low;
  e.high = high;
  return add(e);
}

}  // namespace tutti::compiler
