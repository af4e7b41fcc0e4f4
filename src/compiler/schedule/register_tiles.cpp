// Stencils: chooses the register tile with the least work per point among those that fit.
// compiler/kernel/register_tile.hpp determines the computation of one tile.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "compiler/cost_constants.hpp"
#include "compiler/kernel/register_tile.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "core/elements/rounding.hpp"

namespace tutti::schedule {
namespace {

using compiler::Extents;
using compiler::Form;
using compiler::IndexExpr;
using compiler::Instruction;
using compiler::Load;
using compiler::Output;
using compiler::reads_down;
using compiler::side_rows;
using compiler::Source;
using compiler::TileParts;
using compiler::total_offset;
using compiler::total_step;

constexpr int64_t farthest =
    8 * compiler::cost::farthest_offset;  // the offsets of a load may add up

class TileChoice {
 public:
  TileChoice(const Kernel& kernel, const GpuTuning& gpu)
      : kernel_(kernel), gpu_(gpu), inner_(kernel.inner()), row_(inner_ - 1) {}

  std::optional<RegisterTiles> run() {
    if (!possible()) return std::nullopt;
    rows_ = inside(row_);
    columns_ = inside(inner_);
    choose();
    return chosen_;
  }

 private:
  struct Interval {
    int64_t first, last;
  };

  // Returns the smallest and largest offset over all steps of a loop.
  Interval offsets_of(int index) const {
    const int64_t first = total_offset(kernel_, index);
    const int64_t last =
        first + total_step(kernel_, index) * std::max<int64_t>(0, kernel_.repeat.steps - 1);
    return {std::min(first, last), std::max(first, last)};
  }

  // Coordinates on rows and columns must advance by one, at small offsets.
  bool simple(int index) const {
    for (int i = index; kernel_.indices[i].kind != IndexExpr::Kind::dim;
         i = kernel_.indices[i].source)
      if (kernel_.indices[i].kind == IndexExpr::Kind::affine && kernel_.indices[i].scale != 1)
        return false;
    const Interval offsets = offsets_of(index);
    return offsets.first >= -farthest && offsets.last <= farthest;
  }

  bool tiled(int index) const {
    const int dim = kernel_.indices[index].dim;
    return dim >= 0 && dim >= row_;
  }

  bool possible() const {
    if (kernel_.form != Form::map || kernel_.wide_index) return false;
    // A program runs separately in each thread: points of a tile share nothing of it.
    if (!kernel_.programs.empty()) return false;
    if (kernel_.domain.size() < compiler::cost::small_domain &&
        kernel_.code.size() > gpu_.untiled_body)
      return false;
    int64_t outer = 1;
    for (int dim = 0; dim < row_; ++dim) outer *= kernel_.domain[dim];
    if (outer > gpu_.most_blocks_down) return false;
    bool moved = false;
    std::map<int, int> loads_of;
    for (const Load& load : kernel_.loads) {
      int by_row = 0, by_column = 0;
      for (const Load::Axis& axis : load.axes) {
        const IndexExpr& e = kernel_.indices[axis.index];
        if (e.is_computed()) return false;
        if (!tiled(axis.index)) continue;
        if (!simple(axis.index)) return false;
        moved |= e.kind != IndexExpr::Kind::dim;
        by_row += e.dim == row_;
        by_column += e.dim == inner_;
        const bool last = axis.source_axis == kernel_.sources[load.source].shape.rank - 1;
        if (e.dim == inner_ && !last && !reads_down(kernel_, load)) return false;
      }
      if (by_row > 1 || by_column > 1) return false;
      ++loads_of[load.source];
    }
    for (const Instruction& in : kernel_.code) {
      switch (in.kind) {
        case Instruction::Kind::constant:
        case Instruction::Kind::load:
        case Instruction::Kind::op:
        case Instruction::Kind::cast:
        case Instruction::Kind::carried:
        case Instruction::Kind::after:
        case Instruction::Kind::previous:
          break;
        case Instruction::Kind::index:
        case Instruction::Kind::inside:
          if (kernel_.indices[in.slot].is_computed()) return false;
          if (tiled(in.slot) && !simple(in.slot)) return false;
          break;
        default:  // a register tile cannot hold it
          return false;
      }
    }
    // Offsets become part of the code. That pays for stencils that share loads, not for a shift.
    if (moved)
      return std::any_of(loads_of.begin(), loads_of.end(), [](auto& l) { return l.second > 1; });
    return kernel_.domain.rank > 1;
  }

  // Returns the interval [first, last) of an axis on which every rule is the identity.
  Interval inside(int dim) const {
    if (dim < 0) return {0, 1};
    Interval interval{0, kernel_.domain[dim]};
    const auto keep = [&](int index, int64_t extent) {
      const Interval offsets = offsets_of(index);
      interval.first = std::max(interval.first, -offsets.first);
      interval.last = std::min(interval.last, extent - offsets.last);
    };
    for (const IndexExpr& e : kernel_.indices)
      if (e.dim == dim && (e.kind == IndexExpr::Kind::clamp || e.kind == IndexExpr::Kind::wrap))
        keep(e.source, e.extent);
    for (const Instruction& in : kernel_.code)
      if (in.kind == Instruction::Kind::inside && kernel_.indices[in.slot].dim == dim)
        keep(in.slot, in.extent);
    return interval;
  }

  // Returns the columns of one wide access: rows of every array must begin at a multiple of it.
  int widest_access() const {
    int bytes = 1;
    for (const Source& source : kernel_.sources) bytes = std::max(bytes, size_of(source.type));
    for (const Output& output : kernel_.outputs) bytes = std::max(bytes, size_of(output.type));
    int columns = std::clamp(gpu_.wide_bytes / bytes, 1, 4);
    const auto fits = [&](const Extents& shape) {
      while (columns > 1 && shape.rank > 1 && shape[shape.rank - 1] % columns) columns /= 2;
    };
    fits(kernel_.domain);
    for (const Load& load : kernel_.loads)
      for (const Load::Axis& axis : load.axes)
        if (kernel_.indices[axis.index].dim == inner_) fits(kernel_.sources[load.source].shape);
    return columns;
  }

  // Returns the rows of one wide access to arrays that are read down their columns, under the same
  // condition on those columns.
  int deepest_access(int rows) const {
    int deep = rows;
    for (const Load& load : kernel_.loads) {
      if (!reads_down(kernel_, load)) continue;
      const Source& source = kernel_.sources[load.source];
      deep = std::min(deep, std::clamp(gpu_.wide_bytes / size_of(source.type), 1, 4));
      for (int64_t length : {source.shape[source.shape.rank - 1], rows_.first, rows_.last})
        while (length % deep) deep /= 2;
    }
    return deep;
  }

  // Returns whether a load reads different rows along a row of the domain: a transpose.
  bool transposes() const {
    return std::any_of(kernel_.loads.begin(), kernel_.loads.end(), [&](const Load& load) {
      return reads_down(kernel_, load) &&
             std::any_of(load.axes.begin(), load.axes.end(), [&](const Load::Axis& axis) {
               return kernel_.indices[axis.index].dim == inner_;
             });
    });
  }

  // Chooses the register tile with the least work per point among those that fit the registers.
  // Tries larger ones until one does not fit.
  void choose() {
    double best = 0;
    const int most = row_ < 0               ? 1
                     : kernel_.repeat.steps ? gpu_.most_tile_rows_in_loops
                                            : gpu_.most_tile_rows;
    for (int columns = widest_access(); columns >= 1; columns /= 2)
      for (int rows = 1; rows <= most && rows <= rows_.last - rows_.first; rows *= 2) {
        const TileParts parts(kernel_, rows, columns);
        const double cost = parts.cost(), instructions = parts.instructions();
        if (instructions > (kernel_.repeat.steps ? 3 : 1) * gpu_.tile_instructions ||
            parts.registers() > gpu_.tile_registers)
          break;
        const int64_t working = gpu_.warp - parts.halo_left() - parts.halo_right();
        if (working <= 0) break;
        const double each =
            (cost + gpu_.thread_cost) * gpu_.warp / static_cast<double>(rows * columns * working) +
            gpu_.narrow_cost / columns + gpu_.compile_cost * instructions;
        if (best > 0 && each >= best) continue;
        if (fit(parts, rows, columns)) best = each;
      }
  }

  bool fit(const TileParts& parts, int rows, int columns) {
    // Whole warps, each at a multiple of a register tile, all of whose threads stay inside.
    const int64_t begin = (columns_.first + columns - 1) / columns * columns;
    const int64_t end = columns_.last / columns * columns;
    RegisterTiles tiles;
    tiles.warp = gpu_.warp;
    tiles.threads = gpu_.stencil_threads;
    tiles.registers = gpu_.stencil_registers;
    tiles.columns = columns;
    tiles.rows = rows;
    tiles.deep = deepest_access(rows);
    // Reads down columns are coalesced only if a warp spans several tiles down.
    const bool alone = parts.halo_left() + parts.halo_right() == 0;
    if (transposes() && alone) tiles.lanes_down = gpu_.transposing_lanes;
    const int64_t lanes_across = gpu_.warp / tiles.lanes_down;
    const int64_t height = rows_.last - rows_.first, tile_rows = rows * tiles.lanes_down;
    if (end - begin < lanes_across * columns || height < tile_rows) return false;
    tiles.first_row = rows_.first;
    tiles.last_row = rows_.last;
    tiles.first_column = begin + parts.halo_left() * columns;
    tiles.last_column = end - parts.halo_right() * columns;
    const int64_t across = (lanes_across - parts.halo_left() - parts.halo_right()) * columns;
    tiles.columns_across = across;
    tiles.tiles_across = divide_up(tiles.last_column - tiles.first_column, across);
    tiles.tiles_down = divide_up(height, tile_rows);
    const int64_t width = kernel_.domain[inner_];
    const int64_t sides = width - (tiles.last_column - tiles.first_column);
    const int64_t side = std::max(1, side_rows(kernel_, rows));
    // A thread for each point, or for several rows of a side.
    tiles.border_points =
        ((row_ < 0 ? 1 : kernel_.domain[row_]) - height) * width + sides * divide_up(height, side);
    chosen_ = tiles;
    return true;
  }

  const Kernel& kernel_;
  const GpuTuning& gpu_;
  const int inner_, row_;
  Interval rows_{}, columns_{};
  std::optional<RegisterTiles> chosen_;
};

}  // namespace

std::optional<RegisterTiles> RegisterTiles::choose(const Kernel& kernel, const GpuTuning& gpu) {
  return TileChoice(kernel, gpu).run();
}

Grid RegisterTiles::grid(const Kernel& kernel, const Work& work) const {
  const int64_t warps = threads / warp;
  const int inner = kernel.inner();
  const int64_t outer = inner > 0 ? work.items / kernel.domain[inner - 1] : 1;
  const int64_t tiles = divide_up(tiles_across, warps) * tiles_down;
  return {static_cast<unsigned>(divide_up(border_points, threads) + tiles),
          static_cast<unsigned>(outer), static_cast<unsigned>(threads), 1};
}

std::string RegisterTiles::describe(const Kernel& kernel) const {
  std::string text = "register tiles of " + std::to_string(rows) + " x " + std::to_string(columns) +
                     " points a thread: of those that fit, the least work a point";
  if (kernel.repeat.steps)
    text += ", in a loop of " + std::to_string(kernel.repeat.steps) + " steps";
  return text;
}

}  // namespace tutti::schedule
