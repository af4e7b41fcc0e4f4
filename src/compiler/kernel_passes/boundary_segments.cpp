#include "compiler/kernel_passes/boundary_segments.hpp"

#include <algorithm>
#include <map>

namespace tutti::compiler {
namespace {

constexpr size_t max_pieces = 64;   // beyond this, splitting costs more than it gains
constexpr int64_t least_fast = 16;  // a shorter segment holds too few whole vectors

// value = slope * j + offset for begin <= j < end
struct Piece {
  int64_t begin, end, slope, offset;
};
using Pieces = std::vector<Piece>;

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

// Returns the first j in [begin, end) where slope * j + offset has reached `level`, or end if there
// is none. "Reached" means >= for a positive slope and < for a negative one.
int64_t crossing(const Piece& p, int64_t level) {
  if (p.slope == 0) return p.end;
  const int64_t j = p.slope > 0 ? floor_div(level - p.offset + p.slope - 1, p.slope)
                                : floor_div(p.offset - level, -p.slope) + 1;
  return std::clamp(j, p.begin, p.end);
}

void add_clamped(const Piece& p, int64_t extent, Pieces& out) {
  const int64_t a = crossing(p, 0), b = crossing(p, extent);
  const int64_t cuts[] = {p.begin, std::min(a, b), std::max(a, b), p.end};
  for (int k = 0; k < 3; ++k) {
    if (cuts[k] >= cuts[k + 1]) continue;
    const int64_t value = p.slope * cuts[k] + p.offset;
    if (value < 0)
      out.push_back({cuts[k], cuts[k + 1], 0, 0});
    else if (value >= extent)
      out.push_back({cuts[k], cuts[k + 1], 0, extent - 1});
    else
      out.push_back({cuts[k], cuts[k + 1], p.slope, p.offset});
  }
}

void add_wrapped(Piece p, int64_t extent, Pieces& out) {
  while (p.begin < p.end && out.size() <= max_pieces) {
    const int64_t period = floor_div(p.slope * p.begin + p.offset, extent);
    const int64_t next =
        p.slope == 0 ? p.end : crossing(p, p.slope > 0 ? (period + 1) * extent : period * extent);
    const int64_t end = std::max(next, p.begin + 1);
    out.push_back({p.begin, std::min(end, p.end), p.slope, p.offset - period * extent});
    p.begin = end;
  }
}

class Cutting {
 public:
  explicit Cutting(const Kernel& kernel) : kernel_(kernel) {}

  // Returns the expression as a function of the inner coordinate; empty if it has too many pieces.
  const Pieces& pieces(int index) {
    const auto found = memo_.find(index);
    if (found != memo_.end()) return found->second;
    const IndexExpr& e = kernel_.indices[index];
    Pieces result;
    if (e.kind == IndexExpr::Kind::dim) {
      result.push_back({0, kernel_.domain[kernel_.inner()], 1, 0});
    } else {
      for (const Piece& p : pieces(e.source)) {
        if (e.kind == IndexExpr::Kind::affine)
          result.push_back({p.begin, p.end, p.slope * e.scale, p.offset * e.scale + e.offset});
        else if (e.kind == IndexExpr::Kind::clamp)
          add_clamped(p, e.extent, result);
        else
          add_wrapped(p, e.extent, result);
      }
    }
    if (result.size() > max_pieces) result.clear();
    return memo_[index] = std::move(result);
  }

 private:
  const Kernel& kernel_;
  std::map<int, Pieces> memo_;
};

const Piece& at(const Pieces& pieces, int64_t j) {
  return *std::find_if(pieces.begin(), pieces.end(), [&](const Piece& p) { return j < p.end; });
}

}  // namespace

InnerRules inner_rules(const Kernel& kernel) {
  InnerRules rules;
  for (int i = 0; i < static_cast<int>(kernel.indices.size()); ++i) {
    const IndexExpr& e = kernel.indices[i];
    if (e.dim != kernel.inner()) continue;
    if (e.kind == IndexExpr::Kind::wrap) rules.wraps.push_back(i);
    if (e.kind == IndexExpr::Kind::clamp) rules.clamps.push_back(i);
  }
  for (int i = 0; i < static_cast<int>(kernel.code.size()); ++i)
    if (kernel.code[i].kind == Instruction::Kind::inside &&
        kernel.indices[kernel.code[i].slot].dim == kernel.inner())
      rules.insides.push_back(i);
  return rules;
}

std::vector<int64_t> make_segments(const Kernel& kernel, const InnerRules& rules) {
  const int64_t n = kernel.domain[kernel.inner()];
  Cutting cutting(kernel);
  std::vector<int64_t> cuts{0, n};
  bool too_many = false;
  const auto cut = [&](const Pieces& pieces) {
    too_many |= pieces.empty();
    for (const Piece& p : pieces) cuts.push_back(p.begin);
  };
  for (int i : rules.wraps) cut(cutting.pieces(i));
  for (int i : rules.clamps) cut(cutting.pieces(i));
  for (int i : rules.insides) {
    Pieces inside;
    for (const Piece& p : cutting.pieces(kernel.code[i].slot))
      add_clamped(p, kernel.code[i].extent, inside);
    cut(inside);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  const size_t record = segment_header + rules.wraps.size();
  std::vector<int64_t> segments;
  const auto append = [&](int64_t begin, int64_t end, bool fast) {
    // Adjacent slow segments are merged.
    if (!fast && !segments.empty() && !segments[segments.size() - record + 2]) {
      segments[segments.size() - record + 1] = end;
      return false;
    }
    segments.insert(segments.end(), {begin, end, fast});
    segments.resize(segments.size() + rules.wraps.size(), 0);
    return true;
  };
  if (too_many) {
    append(0, n, false);
    return segments;
  }
  for (size_t c = 0; c + 1 < cuts.size(); ++c) {
    const int64_t begin = cuts[c], end = cuts[c + 1];
    bool fast = end - begin >= least_fast;
    for (int i : rules.clamps) {  // fast code omits the clamp
      const Piece &p = at(cutting.pieces(i), begin),
                  &from = at(cutting.pieces(kernel.indices[i].source), begin);
      fast &= p.slope == from.slope && p.offset == from.offset;
    }
    for (int i : rules.insides) {
      const Piece& p = at(cutting.pieces(kernel.code[i].slot), begin);
      const int64_t value = p.slope * begin + p.offset;
      fast &= value >= 0 && value < kernel.code[i].extent;
    }
    if (!append(begin, end, fast)) continue;
    for (size_t w = 0; w < rules.wraps.size(); ++w) {
      const int i = rules.wraps[w];
      const Piece &p = at(cutting.pieces(i), begin),
                  &from = at(cutting.pieces(kernel.indices[i].source), begin);
      segments[segments.size() - rules.wraps.size() + w] = p.offset - from.offset;
    }
  }
  for (size_t i = 2; i + record < segments.size(); i += record)
    if (segments[i] && !segments[i + record]) segments[i] = fast_before_slow;
  return segments;
}

}  // namespace tutti::compiler
