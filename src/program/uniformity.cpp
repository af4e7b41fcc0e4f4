#include "program/uniformity.hpp"

#include <algorithm>

namespace tutti::ir {

Uniformity::Uniformity(const ScalarProgram& program, const std::vector<bool>& uniform_inputs,
                       const std::vector<bool>& consecutive_inputs, Assumed assumed)
    : program_(program),
      assumed_(std::move(assumed)),
      value_(program.values.size(), true),
      slot_(program.slots.size(), true),
      consecutive_(consecutive_inputs),
      homes_(program.slots.size()),
      seen_(program.slots.size(), false) {
  Path path{0};
  int next = 1;
  find_homes(program.body, path, next);
  consecutive_.resize(program.values.size(), false);
  for (int output : program.outputs) note_access(output, {0});
  for (size_t i = 0; i < uniform_inputs.size(); ++i) value_[i] = uniform_inputs[i];
  // A single lane is always uniform.
  if (std::all_of(uniform_inputs.begin(), uniform_inputs.end(), [](bool u) { return u; })) return;
  diverges_ = {false};
  do {
    changed_ = false;
    visit(program.body, 0, nullptr, 0);
  } while (changed_);
  for_each_statement(program.body, [&](const Statement& s) { find_consecutive(s); });
}

// Values that pass through a slot are not followed.
void Uniformity::find_consecutive(const Statement& s) {
  if (s.kind != StatementKind::operation) return;
  if (!assumed_.consecutive.empty() && assumed_.consecutive[static_cast<size_t>(s.result)])
    consecutive_[static_cast<size_t>(s.result)] = true;
  if (s.op != Op::add && s.op != Op::subtract) return;
  const int a = s.inputs[0], b = s.inputs[1];
  consecutive_[static_cast<size_t>(s.result)] =
      (consecutive(a) && value(b)) || (s.op == Op::add && value(a) && consecutive(b));
}

void Uniformity::note_access(int slot, const Path& path) {
  Path& home = homes_[static_cast<size_t>(slot)];
  if (!seen_[static_cast<size_t>(slot)]) {
    home = path;
    seen_[static_cast<size_t>(slot)] = true;
    return;
  }
  const auto common = std::mismatch(home.begin(), home.end(), path.begin(), path.end()).first;
  home.erase(common, home.end());
}

void Uniformity::find_homes(const Block& block, Path& path, int& next) {
  for (const Statement& s : block) {
    if (s.kind == StatementKind::read || s.kind == StatementKind::assign)
      note_access(s.place, path);
    for (const Block& inner : s.blocks) {
      path.push_back(next++);
      find_homes(inner, path, next);
      path.pop_back();
    }
  }
}

bool Uniformity::parted_below(size_t depth) const {
  return std::find(diverges_.begin() + static_cast<std::ptrdiff_t>(depth) + 1, diverges_.end(),
                   true) != diverges_.end();
}

void Uniformity::set_varying(std::vector<bool>& set, int i) {
  if (!set[static_cast<size_t>(i)]) return;
  set[static_cast<size_t>(i)] = false;
  changed_ = true;
}

void Uniformity::visit_block(const Block& block, bool diverges, size_t depth, const Statement* loop,
                             size_t loop_depth) {
  diverges_.push_back(diverges);
  visit(block, depth, loop, loop_depth);
  diverges_.pop_back();
}

void Uniformity::visit(const Block& block, size_t depth, const Statement* loop, size_t loop_depth) {
  const auto varies = [&](const Statement& s) {
    return std::any_of(s.inputs.begin(), s.inputs.end(), [&](int v) { return !value(v); });
  };
  for (const Statement& s : block) {
    switch (s.kind) {
      case StatementKind::read:
        if (!slot(s.place)) set_varying(value_, s.result);
        break;
      case StatementKind::assign: {
        const bool partial = parted_below(homes_[static_cast<size_t>(s.place)].size() - 1);
        if (partial) partial_.insert(&s);
        if (partial || varies(s)) set_varying(slot_, s.place);
        break;
      }
      case StatementKind::read_element:
        set_varying(value_, s.result);  // each lane has its own array
        break;
      case StatementKind::branch:
        for (const Block& inner : s.blocks)
          visit_block(inner, varies(s), depth + 1, loop, loop_depth);
        break;
      case StatementKind::loop:
        for (const Block& inner : s.blocks)
          visit_block(inner, diverging_loops_.count(&s) > 0, depth + 1, &s, depth + 1);
        break;
      case StatementKind::leave:
      case StatementKind::next:
        if (parted_below(loop_depth) && diverging_loops_.insert(loop).second) changed_ = true;
        break;
      default:
        if (s.result >= 0 && varies(s) && !is_assumed_uniform(s.result))
          set_varying(value_, s.result);
        break;
    }
  }
}

}  // namespace tutti::ir
