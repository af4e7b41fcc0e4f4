#include "compiler/plan/rows_read.hpp"

#include <algorithm>

namespace tutti::compiler {

bool wraps_around(const Kernel& kernel, int index) {
  const IndexExpr& e = kernel.indices[index];
  if (e.kind == IndexExpr::Kind::wrap) return true;
  return (e.kind == IndexExpr::Kind::affine || e.kind == IndexExpr::Kind::clamp) &&
         wraps_around(kernel, e.source);
}

std::optional<int64_t> coordinate_at(const Kernel& kernel, int index, int dim, int64_t x) {
  const IndexExpr& e = kernel.indices[index];
  if (e.kind == IndexExpr::Kind::dim) return e.dim == dim ? std::optional(x) : std::nullopt;
  if (e.dim != dim || e.kind == IndexExpr::Kind::gathered || e.kind == IndexExpr::Kind::constant)
    return std::nullopt;
  const std::optional<int64_t> source = coordinate_at(kernel, e.source, dim, x);
  if (!source) return std::nullopt;
  if (e.kind == IndexExpr::Kind::affine)
    return e.scale == 1 ? std::optional(*source + e.offset) : std::nullopt;
  if (e.kind == IndexExpr::Kind::clamp) return std::clamp<int64_t>(*source, 0, e.extent - 1);
  return (*source % e.extent + e.extent) % e.extent;
}

RowRanges rows_read(const Kernel& kernel, const Load& load, const RowRange& rows) {
  const int index = load.axes[0].index;
  if (!wraps_around(kernel, index))  // monotonic: the ends suffice
    return {{*coordinate_at(kernel, index, 0, rows.begin),
             *coordinate_at(kernel, index, 0, rows.end - 1) + 1}};
  RowRanges result;
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    const int64_t row = *coordinate_at(kernel, index, 0, y);
    if (!result.empty() && result.back().end == row)
      ++result.back().end;
    else
      result.push_back({row, row + 1});
  }
  return result;
}

void merge(RowRanges& into, const RowRanges& more) {
  if (into.size() == 1 && more.size() == 1 && more[0].begin <= into[0].end &&
      into[0].begin <= more[0].end) {  // by far the most
    into[0] = {std::min(into[0].begin, more[0].begin), std::max(into[0].end, more[0].end)};
    return;
  }
  into.insert(into.end(), more.begin(), more.end());
  std::sort(into.begin(), into.end(),
            [](const RowRange& a, const RowRange& b) { return a.begin < b.begin; });
  RowRanges result;
  for (const RowRange& range : into) {
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  into = std::move(result);
}

int64_t total(const RowRanges& ranges) {
  int64_t rows = 0;
  for (const RowRange& range : ranges) rows += range.end - range.begin;
  return rows;
}

}  // namespace tutti::compiler
