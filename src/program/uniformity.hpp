// Uniformity analysis: finds values of a program that are the same in all lanes, or increase by one
// from lane to lane, and loops that all lanes leave at once. Derived from the inputs.
#pragma once
#include <set>

#include "program/program.hpp"

namespace tutti::ir {

// What is assumed of values, by number, although it does not follow from the inputs.
struct Assumed {
  std::vector<bool> uniform, consecutive;
};

class Uniformity {
 public:
  // Consecutive inputs are integers that increase by one from lane to lane.
  Uniformity(const ScalarProgram& program, const std::vector<bool>& uniform_inputs,
             const std::vector<bool>& consecutive_inputs = {}, Assumed assumed = {});

  bool value(int v) const { return value_[static_cast<size_t>(v)]; }
  bool slot(int s) const { return slot_[static_cast<size_t>(s)]; }
  // Returns whether the value increases by one from lane to lane.
  bool consecutive(int v) const { return consecutive_[static_cast<size_t>(v)]; }
  // Returns whether all lanes in the loop leave it, and start its next iteration, together.
  bool loop(const Statement& s) const { return !diverging_loops_.count(&s); }
  // Returns whether inactive lanes may still need their values in the slot of this assignment.
  bool is_partial(const Statement& assign) const { return partial_.count(&assign) > 0; }

 private:
  // The blocks around a statement, from the outermost inwards, by number.
  using Path = std::vector<int>;
  void find_homes(const Block& block, Path& path, int& next);
  void note_access(int slot, const Path& path);
  void visit(const Block& block, size_t depth, const Statement* loop, size_t loop_depth);
  void visit_block(const Block& block, bool diverges, size_t depth, const Statement* loop,
                   size_t loop_depth);
  // Returns whether lanes may have diverged between the block at this depth and here.
  bool parted_below(size_t depth) const;
  void set_varying(std::vector<bool>& set, int i);
  void find_consecutive(const Statement& s);
  bool is_assumed_uniform(int v) const {
    return !assumed_.uniform.empty() && assumed_.uniform[static_cast<size_t>(v)];
  }

  const ScalarProgram& program_;
  const Assumed assumed_;
  std::vector<bool> value_, slot_, consecutive_;
  std::vector<Path> homes_;  // by slot: the innermost block that contains all its statements
  std::vector<bool> seen_;
  std::vector<bool> diverges_;  // by depth: lanes diverge at the entry of the block
  std::set<const Statement*> diverging_loops_, partial_;
  bool changed_ = false;
};

}  // namespace tutti::ir
