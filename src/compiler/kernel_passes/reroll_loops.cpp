#include "compiler/kernel_passes/reroll_loops.hpp"

#include <algorithm>
#include <optional>

#include "compiler/cost_constants.hpp"
#include "compiler/graph_passes/find_repetition.hpp"

namespace tutti::compiler {
namespace {

using Kind = Instruction::Kind;

class Rolling {
 public:
  explicit Rolling(Kernel& kernel) : kernel_(kernel), code_(kernel.code) {}

  bool run() {
    if (kernel_.form != Form::map || !kernel_.programs.empty() || code_.size() < cost::least_rolled)
      return false;
    std::vector<uint64_t> words;
    for (const Instruction& in : code_) words.push_back(word_of(in));
    const auto found = find_period(words, cost::least_steps);
    if (!found) return false;
    period_ = begin_where_little_is_alive(*found, last_uses());
    // Values that the first step computes for all steps belong before the loop: try later starts.
    constexpr int tries = 3;
    for (int i = 0; i < tries && period_.steps >= cost::least_steps; ++i) {
      if (understand()) {
        rebuild();
        return true;
      }
      period_.first += period_.length;
      --period_.steps;
    }
    return false;
  }

 private:
  uint64_t word_of(const Instruction& in) const {
    const int source = in.kind == Kind::load ? kernel_.loads[in.slot].source : -1;
    return static_cast<uint64_t>(in.kind) | static_cast<uint64_t>(in.type) << 8 |
           static_cast<uint64_t>(in.op) << 16 | static_cast<uint64_t>(source + 1) << 32;
  }

  std::vector<int> last_uses() const {
    std::vector<int> last(code_.size(), -1);
    for (int i = 0; i < static_cast<int>(code_.size()); ++i)
      for (int input : code_[i].inputs)
        if (input >= 0) last[input] = i;
    return last;
  }

  // ---- what the steps have in common

  bool understand() {
    inits_.clear();
    moved_indices_.clear();
    new_indices_.clear();
    steps_of_.assign(static_cast<size_t>(period_.length), {});
    for (int t = 0; t < period_.length; ++t)
      if (!same_inputs(t) || !same_coordinates(t)) return false;
    // After the loop only carried values are available.
    const int last = period_.end() - period_.length;
    const auto reachable = [&](int input) {
      return input < period_.first || input >= period_.end() ||
             (input >= last && inits_.count(input - last));
    };
    for (int i = period_.end(); i < static_cast<int>(code_.size()); ++i)
      for (int input : code_[i].inputs)
        if (input >= 0 && !reachable(input)) return false;
    return std::all_of(kernel_.outputs.begin(), kernel_.outputs.end(),
                       [&](const Output& output) { return reachable(output.instruction); });
  }

  const Instruction& step(int k, int t) const {
    return code_[period_.first + k * period_.length + t];
  }

  // Each input is of the same step, carried from the step before, or from before the loop.
  bool same_inputs(int t) {
    const int first = period_.first, length = period_.length;
    for (int slot = 0; slot < 3; ++slot) {
      const int second = step(1, t).inputs[slot];
      if (second < 0) continue;
      const bool own = second >= first + length, carried = !own && second >= first;
      for (int k = 0; k < period_.steps; ++k) {
        const int input = step(k, t).inputs[slot];
        const int expected = own || carried ? second + (k - 1) * length : second;
        if (carried && k == 0) {
          if (input >= first) return false;
          const auto [init, fresh] = inits_.emplace(second - first, input);
          if (!fresh && init->second != input) return false;
        } else if (input != expected) {
          return false;
        }
      }
    }
    return true;
  }

  // The coordinates of an instruction advance evenly from step to step; constants are arbitrary.
  bool same_coordinates(int t) {
    const Instruction& in = step(0, t);
    switch (in.kind) {
      case Kind::load: {
        std::vector<Load::Axis>& axes = steps_of_[t].axes;
        axes = kernel_.loads[in.slot].axes;
        for (size_t a = 0; a < axes.size(); ++a) {
          std::vector<int> indices;
          for (int k = 0; k < period_.steps; ++k) {
            const Load& load = kernel_.loads[step(k, t).slot];
            if (load.axes[a].source_axis != axes[a].source_axis) return false;
            indices.push_back(load.axes[a].index);
          }
          const auto moved = moving(indices);
          if (!moved) return false;
          axes[a].index = *moved;
        }
        return true;
      }
      case Kind::index:
      case Kind::inside: {
        std::vector<int> indices;
        for (int k = 0; k < period_.steps; ++k) {
          if (step(k, t).extent != in.extent) return false;
          indices.push_back(step(k, t).slot);
        }
        const auto moved = moving(indices);
        if (moved) steps_of_[t].index = *moved;
        return moved.has_value();
      }
      case Kind::constant:
        for (int k = 0; k < period_.steps; ++k) steps_of_[t].slots.push_back(step(k, t).slot);
        return true;
      case Kind::op:
      case Kind::cast:
        return true;
      default:
        return false;
    }
  }

  // Returns one coordinate for all steps if their offsets form an arithmetic progression. Steps
  // whose coordinate stays inside may lack the boundary rule of the others.
  std::optional<int> moving(const std::vector<int>& indices) {
    if (std::all_of(indices.begin(), indices.end(), [&](int i) { return i == indices[0]; }))
      return indices[0];
    if (const auto known = moved_indices_.find(indices); known != moved_indices_.end())
      return known->second;
    std::vector<int> sources;
    const auto rule = std::find_if(indices.begin(), indices.end(), [&](int i) {
      const auto kind = at(i).kind;
      return kind == IndexExpr::Kind::clamp || kind == IndexExpr::Kind::wrap;
    });
    std::optional<int> result;
    if (rule != indices.end()) {
      IndexExpr e = at(*rule);
      for (int i : indices) {
        const bool ruled = at(i).kind == e.kind && at(i).extent == e.extent;
        if (!ruled && (at(i).low < 0 || at(i).high >= e.extent)) return std::nullopt;
        sources.push_back(ruled ? at(i).source : i);
        e.low = std::min(e.low, at(i).low);
        e.high = std::max(e.high, at(i).high);
      }
      const auto source = moving(sources);
      if (!source) return std::nullopt;
      e.source = *source;
      result = add(e);
    } else {
      result = moving_offset(indices);
    }
    if (result) moved_indices_[indices] = *result;
    return result;
  }

  std::optional<int> moving_offset(const std::vector<int>& indices) {
    std::vector<int> sources;
    std::vector<int64_t> offsets;
    IndexExpr e = at(indices[0]);
    e.scale = 0;
    for (int i : indices) {
      const IndexExpr& from = at(i);
      if (from.kind == IndexExpr::Kind::gathered || from.is_fixed()) return std::nullopt;
      const bool affine = from.kind == IndexExpr::Kind::affine;
      const int64_t scale = affine ? from.scale : 1;
      if (e.scale && e.scale != scale) return std::nullopt;
      e.scale = scale;
      sources.push_back(affine ? from.source : i);
      offsets.push_back(affine ? from.offset : 0);
      e.low = std::min(e.low, from.low);
      e.high = std::max(e.high, from.high);
    }
    if (std::any_of(sources.begin(), sources.end(), [&](int s) { return s != sources[0]; }))
      return std::nullopt;
    e.kind = IndexExpr::Kind::affine;
    e.source = sources[0];
    e.dim = at(sources[0]).dim;
    e.offset = offsets[0];
    e.step = offsets[1] - offsets[0];
    for (size_t k = 0; k < offsets.size(); ++k)
      if (offsets[k] != e.offset + static_cast<int64_t>(k) * e.step) return std::nullopt;
    return add(e);
  }

  // Returns a coordinate of the kernel, or a new one that rebuild() will append.
  const IndexExpr& at(int i) const {
    const auto had = static_cast<int>(kernel_.indices.size());
    return i < had ? kernel_.indices[i] : new_indices_[i - had];
  }
  int add(const IndexExpr& e) {
    new_indices_.push_back(e);
    return static_cast<int>(kernel_.indices.size() + new_indices_.size()) - 1;
  }

  // ---- the code with the loop

  void rebuild() {
    kernel_.indices.insert(kernel_.indices.end(), new_indices_.begin(), new_indices_.end());
    std::vector<Instruction> result(code_.begin(), code_.begin() + period_.first);
    Repeat& repeat = kernel_.repeat;
    repeat.steps = period_.steps;
    repeat.first = period_.first;
    std::map<int, int> slot_of;  // of carried values, by position in a step
    for (const auto& [place, init] : inits_) {
      slot_of[place] = static_cast<int>(repeat.carried.size());
      add_carried(result, Kind::carried, place, slot_of[place]);
      repeat.carried.push_back({init, -1});
    }
    const auto carried = static_cast<int>(inits_.size()), body = period_.first + carried;
    for (int t = 0; t < period_.length; ++t) {
      // The second step is the model: its carried inputs come from the step before.
      Instruction in = step(1, t);
      for (int& input : in.inputs) {
        if (input >= period_.first + period_.length)
          input += body - period_.first - period_.length;
        else if (input >= period_.first)
          input = period_.first + slot_of.at(input - period_.first);
      }
      set_for_all_steps(in, t, body + t);
      result.push_back(in);
    }
    repeat.last = static_cast<int>(result.size());
    for (const auto& [place, slot] : slot_of) repeat.carried[slot].next = body + place;
    for (const auto& [place, slot] : slot_of) add_carried(result, Kind::after, place, slot);

    const int last = period_.end() - period_.length, moved = repeat.last + carried - period_.end();
    const auto renamed = [&](int i) {
      if (i < period_.first) return i;
      return i >= period_.end() ? i + moved : repeat.last + slot_of.at(i - last);
    };
    for (int i = period_.end(); i < static_cast<int>(code_.size()); ++i) {
      Instruction in = code_[i];
      for (int& input : in.inputs)
        if (input >= 0) input = renamed(input);
      result.push_back(in);
    }
    for (Output& output : kernel_.outputs) output.instruction = renamed(output.instruction);
    code_ = std::move(result);
    drop_unused_loads();
  }

  void add_carried(std::vector<Instruction>& result, Kind kind, int place, int slot) const {
    Instruction in;
    in.kind = kind;
    in.type = step(0, place).type;
    in.slot = slot;
    result.push_back(in);
  }

  // Replaces the coordinates and constants of one step by those of all steps.
  void set_for_all_steps(Instruction& in, int t, int instruction) {
    if (in.kind == Kind::load) {
      in.slot = static_cast<int>(kernel_.loads.size());
      kernel_.loads.push_back({kernel_.loads[step(0, t).slot].source, steps_of_[t].axes});
    } else if (in.kind == Kind::index || in.kind == Kind::inside) {
      in.slot = steps_of_[t].index;
    } else if (in.kind == Kind::constant) {
      const std::vector<int>& slots = steps_of_[t].slots;
      in.slot = slots[0];
      if (std::any_of(slots.begin(), slots.end(), [&](int s) { return s != slots[0]; }))
        kernel_.repeat.scalars[instruction] = slots;
    }
  }

  void drop_unused_loads() {
    std::vector<Load> kept;
    for (Instruction& in : code_)
      if (in.kind == Kind::load) {
        kept.push_back(kernel_.loads[in.slot]);
        in.slot = static_cast<int>(kept.size()) - 1;
      }
    kernel_.loads = std::move(kept);
  }

  // The coordinates or constants of one instruction in all steps.
  struct InAllSteps {
    std::vector<Load::Axis> axes;
    std::vector<int> slots;
    int index = -1;
  };

  Kernel& kernel_;
  std::vector<Instruction>& code_;
  Period period_;
  std::map<int, int> inits_;  // carried values by position in a step: initial instruction
  std::map<std::vector<int>, int> moved_indices_;
  std::vector<IndexExpr> new_indices_;
  std::vector<InAllSteps> steps_of_;
};

}  // namespace

bool reroll(Kernel& kernel) { return Rolling(kernel).run(); }

}  // namespace tutti::compiler
