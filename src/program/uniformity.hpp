// Which values of a program are the same for all lanes that run it together or go up by one from
// lane to lane, and which loops all lanes leave at once. Everything follows from the inputs.
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
  // Consecutive inputs are whole numbers that go up by one from lane to lane.
  Uniformity(const ScalarProgram& program, const std::vector<bool>& uniform_inputs,
             const std::vector<bool>& consecutive_inputs = {}, Assumed assumed = {});

  bool value(int v) const { return value_[static_cast<size_t>(v)]; }
  bool slot(int s) const { return slot_[static_cast<size_t>(s)]; }
  // Goes up by one from lane to lane.
  bool consecutive(int v) const { return consecutive_[static_cast<size_t>(v)]; }
  // All lanes that run the loop leave it and go on to its next iteration together.
  bool loop(const Statement& s) const { return !diverging_loops_.count(&s); }
  // Other lanes than the active ones may still need what this assignment's slot holds for them.
  bool is_partial(const Statement& assign) const { return partial_.count(&assign) > 0; }

 private:
  // The way from the whole program down to a statement: numbers of blocks.
  using Path = std::vector<int>;
  void find_homes(const Block& block, Path& path, int& next);
  void note_access(int slot, const Path& path);
  void visit(const Block& block, size_t depth, const Statement* loop, size_t loop_depth);
  void visit_block(const Block& block, bool diverges, size_t depth, const Statement* loop,
                   size_t loop_depth);
  // Whether lanes may have parted between the block at this depth and here.
  bool parted_below(size_t depth) const;
  void set_varying(std::vector<bool>& set, int i);
  void find_consecutive(const Statement& s);
  bool is_assumed_uniform(int v) const {
    return !assumed_.uniform.empty() && assumed_.uniform[static_cast<size_t>(v)];
  }

  const ScalarProgram& program_;
  const Assumed assumed_;
  std::vector<bool> value_, slot_, consecutive_;
  std::vector<Path> homes_;  // by slot: the innermost block that all its statements are in
  std::vector<bool> seen_;
  std::vector<bool> diverges_;  // by depth: lanes part at the entry of the block
  std::set<const Statement*> diverging_loops_, partial_;
  bool changed_ = false;
};

}  // namespace tutti::ir
