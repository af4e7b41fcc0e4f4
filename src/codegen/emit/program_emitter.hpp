// Emits a program with control flow into the body of a kernel.
//
// On the lanes of a CPU vector a program runs under a mask of active lanes. If lanes disagree about
// a branch, both sides run, one after the other. A loop runs while any lane is active. Assignments
// leave the slots of inactive lanes unchanged. Where all lanes agree, branches are branches and
// values are scalars. With one lane, as in a GPU thread, everything is uniform: the same code emits
// plain control flow. A program whose lanes probably agree is emitted twice
// (program/likely_uniform.hpp).
#pragma once
#include <functional>
#include <map>

#include "codegen/emit/elementwise.hpp"
#include "program/likely_uniform.hpp"

namespace tutti::codegen {

// An array in memory that the program reads.
struct ProgramTable {
  llvm::Value* pointer;
  std::vector<llvm::Value*> extents, strides;  // i64, by axis
};

// The environment in which a program is emitted.
struct ProgramPlace {
  int lanes = 1;
  bool wide_index = false;                  // element offsets need 64 bits
  bool gathers = false;                     // the machine loads each lane from its own address
  llvm::Value* mask = nullptr;              // the active lanes; null: all
  llvm::BasicBlock* allocations = nullptr;  // the block of stack slots
};

class ProgramEmitter {
 public:
  // Uniform arguments are scalars, others have one value for each lane. Consecutive arguments are
  // integers that increase by one from lane to lane.
  struct Arguments {
    std::vector<llvm::Value*> values;
    std::vector<bool> uniform, consecutive;
  };
  // Values that are assumed to be uniform or consecutive are given: of uniform ones one number.
  struct Given {
    ir::Assumed assumed;
    std::map<int, llvm::Value*> values;
  };
  ProgramEmitter(Builder& builder, const ir::ScalarProgram& program, const ProgramPlace& place,
                 const Arguments& arguments, std::vector<ProgramTable> tables, Given given = {});

  // Emits the program and returns the outputs, one value for each lane.
  std::vector<llvm::Value*> emit();

 private:
  using Statement = ir::Statement;
  struct Loop {
    bool uniform = false;
    llvm::BasicBlock* step = nullptr;  // uniform: the target of `next`
    llvm::BasicBlock* exit = nullptr;
    llvm::AllocaInst* waiting = nullptr;  // not uniform: lanes that wait for the step
  };

  // program_emitter.cpp
  void declare_places();
  std::vector<llvm::Value*> load_outputs();
  std::vector<llvm::Value*> emit_two_versions(const ir::LikelyUniform& likely);
  Given given_by(const ir::LikelyUniform& likely);
  llvm::Value* holds(const Given& given);

  // Emits statements in order. Returns whether all lanes may be inactive at the end. If they become
  // inactive before, the rest is skipped, by a branch to `when_inactive` if given.
  bool emit_block(const ir::Block& block, llvm::BasicBlock* when_inactive = nullptr);
  bool emit_statements(const Statement* first, const Statement* last,
                       llvm::BasicBlock* when_inactive);
  bool emit_statement(const Statement& s);
  void emit_assign(const Statement& s);
  llvm::Value* emit_operation(const Statement& s);

  // program_control_flow.cpp
  bool emit_branch(const Statement& s);
  bool emit_uniform_branch(const Statement& s);
  void emit_loop(const Statement& s);
  void emit_uniform_loop(const Statement& s);
  void emit_jump(const Statement& s);

  // program_arrays.cpp: tables
  llvm::Value* emit_gather(const Statement& s);
  bool reads_row(const Statement& gather) const;
  llvm::Value* emit_row(const Statement& gather);
  llvm::Value* emit_lanes(const Statement& gather);
  llvm::Value* load_lanes(const ProgramTable& table, ElementType type, llvm::Value* offsets);
  // program_arrays.cpp: local arrays
  void emit_clear(const Statement& s);
  llvm::Value* emit_read_element(const Statement& s);
  void emit_assign_element(const Statement& s);
  llvm::Value* is_inside(const Statement& s, llvm::Value* index);
  llvm::Value* lane_addresses(const Statement& s, llvm::Value* index);

  // for_lanes() returns a value for each lane, plain() a value in its own form.
  llvm::Value* for_lanes(int v);
  llvm::Value* plain(int v) { return values_[static_cast<size_t>(v)]; }
  llvm::Value* splat(llvm::Value* number);
  llvm::Type* lanes_of(llvm::Type* element);
  llvm::Value* zero_of(llvm::Type* type) { return llvm::Constant::getNullValue(type); }
  llvm::Value* active();
  void set_active(llvm::Value* mask) { b_.CreateStore(mask, active_); }
  llvm::Value* any(llvm::Value* mask) { return b_.CreateOrReduce(mask); }
  llvm::AllocaInst* allocate(llvm::Type* type);
  llvm::BasicBlock* new_block(const char* name);
  llvm::Type* register_of(ElementType type) { return register_type(b_.getContext(), type); }
  llvm::Type* memory_of(ElementType type) { return memory_type(b_.getContext(), type); }
  llvm::Type* slot_type(int slot);
  bool is_uniform(int v) const { return uniformity_.value(v); }
  const ir::ScalarProgram::LocalArray& array_of(const Statement& s) const {
    return program_.arrays[static_cast<size_t>(s.place)];
  }

  Builder& b_;
  const ir::ScalarProgram& program_;
  const ProgramPlace place_;
  const Arguments arguments_;
  const Given given_;
  const ir::Uniformity uniformity_;
  std::vector<ProgramTable> tables_;
  std::vector<llvm::Value*> values_;
  std::vector<llvm::AllocaInst*> slots_, arrays_;
  llvm::AllocaInst* active_ = nullptr;  // the mask of active lanes; null for a single lane
  std::vector<Loop> loops_;
};

}  // namespace tutti::codegen
