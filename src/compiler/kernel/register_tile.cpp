#include "compiler/kernel/register_tile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/cost_constants.hpp"
#include "graph/node.hpp"

namespace tutti::compiler {
namespace {

// A cheaper value is recomputed rather than shuffled from a neighbour.
constexpr double shuffle_cost = 3;

template <class F>
void for_inputs(const TileValue& v, F f) {
  if (v.way == TileValue::Way::neighbour) {
    f(v.from);
    return;
  }
  for (int operand : v.operands)
    if (operand >= 0) f(operand);
}

// Returns whether an instruction is a value of the same point from another part of the kernel.
bool is_given(const Instruction& in) {
  return in.kind == Instruction::Kind::carried || in.kind == Instruction::Kind::after;
}

double own_cost(const Instruction& in) {
  switch (in.kind) {
    case Instruction::Kind::op:
      return ir::op_cost(in.op);
    case Instruction::Kind::constant:
    case Instruction::Kind::carried:
    case Instruction::Kind::after:
      return 0;
    default:
      return 1;
  }
}

}  // namespace

bool reads_down(const Kernel& kernel, const Load& load) {
  const int row = kernel.inner() - 1, last = kernel.sources[load.source].shape.rank - 1;
  return row >= 0 && std::any_of(load.axes.begin(), load.axes.end(), [&](const Load::Axis& axis) {
           return kernel.indices[axis.index].dim == row && axis.source_axis == last;
         });
}

int64_t total_offset(const Kernel& kernel, int index) {
  int64_t offset = 0;
  for (int i = index; kernel.indices[i].kind != IndexExpr::Kind::dim; i = kernel.indices[i].source)
    if (kernel.indices[i].kind == IndexExpr::Kind::affine) offset += kernel.indices[i].offset;
  return offset;
}

int64_t total_step(const Kernel& kernel, int index) {
  int64_t step = 0;
  for (int i = index; kernel.indices[i].kind != IndexExpr::Kind::dim; i = kernel.indices[i].source)
    if (kernel.indices[i].kind == IndexExpr::Kind::affine) step += kernel.indices[i].step;
  return step;
}

RegisterTile::RegisterTile(const Kernel& kernel, const std::vector<int>& results, int rows,
                           int columns)
    : kernel_(kernel), rows_(rows), columns_(std::max(1, columns)), has_columns_(columns > 0) {
  memo_.assign(kernel.code.size() * static_cast<size_t>(rows_ * columns_), -1);
  for (int instruction : results) {
    std::vector<int>& values = results_.emplace_back();
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        values.push_back(at(instruction, row, column));
  }
  for (const auto& values : results_)
    for (int value : values) resolve(value);
  order();
  memo_ = {};
  measure();
}

int RegisterTile::find(const Key& key) const {
  const auto found = table_.find(key);
  return found == table_.end() ? -1 : found->second;
}

void RegisterTile::Span::add(const Span& other) {
  if (moves != other.moves) {
    if (moves && other.left <= other.right) *this = other;
    return;
  }
  left = std::min(left, other.left);
  right = std::max(right, other.right);
}

bool RegisterTile::moves(const Instruction& in) const {
  if (in.kind != Instruction::Kind::load) return false;
  const Load& load = kernel_.loads[in.slot];
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const Load::Axis& axis) {
    return kernel_.indices[axis.index].dim == kernel_.inner() && total_step(kernel_, axis.index);
  });
}

int RegisterTile::intern(Key key, TileValue value) {
  const auto [place, fresh] = table_.emplace(std::move(key), static_cast<int>(values_.size()));
  if (fresh) {
    Span span;
    const Instruction& in = kernel_.code[value.instruction];
    value.cost = own_cost(in);
    if (value.by_column) span = {value.column, value.column, moves(in)};
    value.last_row = value.by_row ? value.row : std::numeric_limits<int>::min();
    for (int operand : value.operands) {
      if (operand < 0) continue;
      const TileValue& from = values_[operand];
      value.by_row |= from.by_row;
      value.by_column |= from.by_column;
      value.last_row = std::max(value.last_row, from.last_row);
      value.cost += from.cost;
      span.add(span_[operand]);
    }
    values_.push_back(value);
    span_.push_back(span);
  }
  return place->second;
}

// Loads are identified by the elements that they read, not by their instruction.
RegisterTile::Key RegisterTile::key_of(const TileValue& value) const {
  const Instruction& in = kernel_.code[value.instruction];
  Key key{static_cast<int>(in.kind), static_cast<int>(in.type)};
  switch (in.kind) {
    case Instruction::Kind::load: {
      const Load& load = kernel_.loads[in.slot];
      key.insert(key.end(), {load.source, value.row, value.column});
      for (const Load::Axis& axis : load.axes) {
        const int dim = kernel_.indices[axis.index].dim;
        const bool tiled = holds(dim);
        key.insert(key.end(), {axis.source_axis, dim, tiled ? -1 : axis.index,
                               tiled ? static_cast<int>(total_step(kernel_, axis.index)) : 0});
      }
      break;
    }
    case Instruction::Kind::index: {
      const int dim = kernel_.indices[in.slot].dim;
      const bool tiled = holds(dim);
      key.insert(key.end(), {value.row, value.column, tiled ? -1 - dim : in.slot,
                             tiled ? static_cast<int>(total_step(kernel_, in.slot)) : 0});
      break;
    }
    case Instruction::Kind::carried:
    case Instruction::Kind::after:
      key.insert(key.end(), {in.slot, value.row, value.column});
      break;
    case Instruction::Kind::op:
      key.push_back(static_cast<int>(in.op));
      [[fallthrough]];
    case Instruction::Kind::cast:
      key.insert(key.end(), value.operands.begin(), value.operands.end());
      break;
    default:
      key.push_back(value.instruction);
      break;
  }
  return key;
}

int RegisterTile::at(int instruction, int row, int column) {
  const size_t place = static_cast<size_t>(row * columns_ + column) * kernel_.code.size() +
                       static_cast<size_t>(instruction);
  if (memo_[place] >= 0) return memo_[place];
  const Instruction& in = kernel_.code[instruction];
  TileValue value;
  value.instruction = instruction;
  const auto depend_on = [&](int index) {
    const int dim = kernel_.indices[index].dim;
    if (!holds(dim)) return;
    if (dim == kernel_.inner()) {
      value.by_column = true;
      value.column = column + static_cast<int>(total_offset(kernel_, index));
    } else {
      value.by_row = true;
      value.row = row + static_cast<int>(total_offset(kernel_, index));
    }
  };
  if (in.kind == Instruction::Kind::load)
    for (const Load::Axis& axis : kernel_.loads[in.slot].axes) depend_on(axis.index);
  if (in.kind == Instruction::Kind::index) depend_on(in.slot);
  if (is_given(in)) {
    value.by_row = value.by_column = true;
    value.row = row;
    value.column = column;
  }
  for (size_t k = 0; k < value.operands.size(); ++k)
    if (in.inputs[k] >= 0) value.operands[k] = at(in.inputs[k], row, column);
  return memo_[place] = intern(key_of(value), value);
}

// Returns the same value `rows` down and `columns` to the right, or -1 if the tile lacks it.
int RegisterTile::shifted(int value, int rows, int columns) const {
  TileValue moved = values_[value];
  if ((!moved.by_row || rows == 0) && (!moved.by_column || columns == 0)) return value;
  const Instruction& in = kernel_.code[moved.instruction];
  if (in.kind == Instruction::Kind::load || in.kind == Instruction::Kind::index || is_given(in)) {
    if (moved.by_row) moved.row += rows;
    if (moved.by_column) moved.column += columns;
  }
  for (int& operand : moved.operands) {
    if (operand < 0) continue;
    operand = shifted(operand, rows, columns);
    if (operand < 0) return -1;
  }
  return find(key_of(moved));
}

// Finds the neighbour that computes the value as its own. Tries the thread whose columns contain
// the middle of the value's inputs, then those of its right and left end.
bool RegisterTile::fetch(int value) {
  const auto [left, right, moving] = span_[value];
  for (const double column : {0.5 * (left + right), 1.0 * right, 1.0 * left}) {
    const int lanes = static_cast<int>(std::floor(column / columns_));
    if (lanes == 0) return false;  // this thread's own
    const int from = shifted(value, 0, -lanes * columns_);
    if (from < 0) continue;
    TileValue& v = values_[value];
    v.way = TileValue::Way::neighbour;
    v.from = from;
    v.lanes = lanes;
    resolve(from);
    return true;
  }
  return false;
}

void RegisterTile::resolve(int value) {
  TileValue& v = values_[value];
  if (v.way != TileValue::Way::unused) return;
  v.way = TileValue::Way::compute;
  const Instruction& in = kernel_.code[v.instruction];
  const bool scattered = in.kind != Instruction::Kind::load && v.by_column;
  if (scattered && v.cost >= shuffle_cost && fetch(value)) return;
  for (int operand : v.operands)
    if (operand >= 0) resolve(operand);
}

// Tries three orders and keeps the one with the fewest live values. By output: values of one part
// die before the next part begins. By the row that completes a value: its users follow a row of
// loads at once, and few rows are live. By instruction, each for all points: values of one step of
// a long computation die before the next.
void RegisterTile::order() {
  std::vector<int> wanted;
  for (const auto& values : results_) wanted.insert(wanted.end(), values.begin(), values.end());
  schedule_ = in_order(wanted);
  std::vector<int> by_rows = schedule_;
  std::stable_sort(by_rows.begin(), by_rows.end(),
                   [&](int a, int b) { return values_[a].last_row < values_[b].last_row; });
  wanted.clear();
  const size_t instructions = kernel_.code.size();
  for (size_t i = 0; i < instructions; ++i)
    for (size_t point = i; point < memo_.size(); point += instructions)
      if (memo_[point] >= 0 && values_[memo_[point]].way != TileValue::Way::unused)
        wanted.push_back(memo_[point]);
  registers_ = most_alive(schedule_);
  for (std::vector<int> other : {by_rows, in_order(wanted)})
    if (const int fewer = most_alive(other); fewer < registers_) {
      registers_ = fewer;
      schedule_ = std::move(other);
    }
}

// Returns the values and their transitive inputs, inputs first.
std::vector<int> RegisterTile::in_order(const std::vector<int>& wanted) const {
  std::vector<int> result;
  std::vector<bool> placed(values_.size(), false);
  const auto place = [&](const auto& self, int value) -> void {
    if (placed[value]) return;
    placed[value] = true;
    for_inputs(values_[value], [&](int input) { self(self, input); });
    result.push_back(value);
  };
  for (int value : wanted) place(place, value);
  return result;
}

// Returns the largest number of live values along a schedule.
int RegisterTile::most_alive(const std::vector<int>& schedule) const {
  std::vector<int> uses(values_.size(), 0);
  for (int i : schedule) for_inputs(values_[i], [&](int input) { ++uses[input]; });
  // Values from a loop are live from the beginning.
  const auto given = [&](int i) { return is_given(kernel_.code[values_[i].instruction]); };
  int live = static_cast<int>(std::count_if(schedule.begin(), schedule.end(), given));
  int most = live;
  for (int i : schedule) {
    if (!given(i)) most = std::max(most, ++live);
    for_inputs(values_[i], [&](int input) { live -= --uses[input] == 0; });
  }
  return most;
}

// Determines how many threads to the left and right results depend on.
void RegisterTile::measure() {
  struct Reach {
    int left = 0, right = 0;
    bool known = false;
  };
  std::vector<Reach> reach(values_.size());
  const auto visit = [&](const auto& self, int value) -> const Reach& {
    Reach& r = reach[value];
    if (r.known) return r;
    const TileValue& v = values_[value];
    Reach found;
    const auto include = [&](const Reach& other) {
      found.left = std::max(found.left, other.left);
      found.right = std::max(found.right, other.right);
    };
    if (v.way == TileValue::Way::compute) {
      for (int operand : v.operands)
        if (operand >= 0) include(self(self, operand));
    } else {
      include(self(self, v.from));
      if (v.lanes < 0) found.left -= v.lanes;
      if (v.lanes > 0) found.right += v.lanes;
    }
    found.known = true;
    return reach[value] = found;
  };
  for (const auto& values : results_)
    for (int value : values) {
      const Reach& r = visit(visit, value);
      halo_left_ = std::max(halo_left_, r.left);
      halo_right_ = std::max(halo_right_, r.right);
    }
}

double RegisterTile::cost() const {
  double cost = 0;
  for (int i : schedule_) {
    const TileValue& v = values_[i];
    if (!v.by_row && !v.by_column) continue;
    cost += v.way == TileValue::Way::neighbour ? 2 : own_cost(kernel_.code[v.instruction]);
  }
  return cost;
}

int side_rows(const Kernel& kernel, int tile_rows) {
  constexpr int most = 8;
  const bool down = std::any_of(kernel.loads.begin(), kernel.loads.end(),
                                [&](const Load& load) { return reads_down(kernel, load); });
  if (!kernel.repeat.steps || kernel.inner() == 0 || down) return 0;
  return std::min(tile_rows, most);
}

int steps_a_turn(const Kernel& kernel, int columns) {
  int steps = 1;
  for (const Load& load : kernel.loads)
    for (const Load::Axis& axis : load.axes)
      if (kernel.indices[axis.index].dim == kernel.inner())
        while (steps < columns && steps * total_step(kernel, axis.index) % columns) steps *= 2;
  return steps;
}

TileParts::TileParts(const Kernel& kernel, int rows, int columns) {
  std::vector<int> before, next, outputs;
  for (const Repeat::Carried& carried : kernel.repeat.carried) {
    before.push_back(carried.before);
    next.push_back(carried.next);
  }
  for (const Output& output : kernel.outputs) outputs.push_back(output.instruction);
  if (kernel.repeat.steps) {
    const int turn = steps_a_turn(kernel, columns);
    steps_ = static_cast<double>(kernel.repeat.steps);
    copies_ = static_cast<double>(turn + kernel.repeat.steps % turn);
    parts_.emplace_back(kernel, before, rows, columns);
    parts_.emplace_back(kernel, next, rows, columns);
  }
  parts_.emplace_back(kernel, outputs, rows, columns);
}

int TileParts::most(int (RegisterTile::*what)() const) const {
  int most = 0;
  for (const RegisterTile& part : parts_) most = std::max(most, (part.*what)());
  return most;
}

double TileParts::cost() const {
  return instructions() + (steps_ ? (steps_ - copies_) * parts_[1].cost() : 0);
}

double TileParts::instructions() const {
  double total = steps_ ? (copies_ - 1) * parts_[1].cost() : 0;
  for (const RegisterTile& part : parts_) total += part.cost();
  return total;
}

}  // namespace tutti::compiler
