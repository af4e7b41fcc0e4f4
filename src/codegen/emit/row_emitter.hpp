// Emits the body of a kernel. Values are emitted at the level they depend on. Level 0 runs once for
// each call, level 1 once for each row, level 2 for every vector of elements along the inner axis.
// Level 2 has two forms: fast, for whole vectors where every boundary rule is the identity; and
// careful, with a mask of active lanes and separate coordinates for each lane.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <optional>

#include "codegen/emit/elementwise.hpp"
#include "codegen/emit/machine.hpp"
#include "compiler/kernel/argument_layout.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/kernel_passes/boundary_segments.hpp"

namespace tutti::codegen {

class RowEmitter {
 public:
  // The insertion point of the builder is in the empty first block of the function.
  RowEmitter(Builder& builder, const compiler::Kernel& kernel, const Machine& machine,
             llvm::Value* words);

  int lanes() const { return lanes_; }
  llvm::Value* word(int position);          // an argument as i64
  llvm::Value* pointer_word(int position);  // an argument as a pointer
  llvm::Value* extent(int dim) { return word(layout_.extent(dim)); }
  llvm::Value* product_of_extents(int first, int last);  // of axes [first, last)
  llvm::Value* i64(int64_t n) { return builder_.getInt64(static_cast<uint64_t>(n)); }
  const compiler::ArgumentLayout& layout() const { return layout_; }

  // Emits level 0. Call once, at the entry.
  void emit_entry();
  // Emits level 1. Call where the coordinates on all axes but the inner one are known.
  void emit_row(const std::vector<llvm::Value*>& coordinates);

  // For other emitters of bodies: sets the coordinates without emitting anything...
  void set_coordinates(const std::vector<llvm::Value*>& coordinates);
  // ...and returns a coordinate of an array or a value that does not vary along the inner axis.
  llvm::Value* coordinate(int index) { return scalar_index(index); }
  llvm::Value* uniform(int instruction) { return emit(instruction); }
  // Sets the number of the iteration, as i64, in the body of a loop that the caller emits.
  void set_step(llvm::Value* step) {
    step_ = step;
    forget_points();
  }
  // Sets the column of a body that is one point wide. Boundary rules hold along its row.
  void set_column(llvm::Value* j) {
    inner_ = {j, nullptr, nullptr, true};
    forget_points();
  }
  llvm::Value* load_elements(llvm::Type* type, llvm::Value* address, llvm::Align align);

  // For a recurrence: whether this is the first point of its line, and a function that reads
  // outputs of the previous point, for `lanes()` elements from coordinate j on. A null mask means
  // all lanes. Set it before points are emitted.
  struct Previous {
    llvm::Value* is_first = nullptr;
    std::function<llvm::Value*(int output, llvm::Value* j, llvm::Value* mask)> read;
  };
  void set_previous(Previous previous) { previous_ = std::move(previous); }
  // Allocates a stack slot at the entry of the function.
  llvm::AllocaInst* allocate(llvm::Type* type);

  // Receives an output's value for `lanes()` elements from coordinate j on; a null mask means all
  // lanes.
  using Store =
      std::function<void(int output, llvm::Value* value, llvm::Value* j, llvm::Value* mask)>;
  // Emits level 2 for `lanes()` elements from coordinate j on; `careful` applies boundary rules.
  void emit_point(llvm::Value* j, llvm::Value* mask, bool careful, const Store& store);
  // Replaces loads of a source in the next emit_point() by a value of `lanes()` elements that the
  // surrounding code has in registers.
  void give(int source, llvm::Value* value) {
    given_source_ = source;
    given_ = value;
  }
  // Emits level 2 for the coordinates [begin, end) on the inner axis.
  void emit_columns(llvm::Value* begin, llvm::Value* end, const Store& store);

  // Control flow, shared with the loop nests around the body.
  void loop(llvm::Value* begin, llvm::Value* end, int64_t step,
            const std::function<void(llvm::Value*)>& body);
  // The body returns the next coordinate.
  void loop_with(llvm::Value* begin, llvm::Value* end,
                 const std::function<llvm::Value*(llvm::Value*)>& body);
  void if_then(llvm::Value* condition, const std::function<void()>& body);

  llvm::Constant* lane_numbers(llvm::Type* element);         // 0, 1, 2, ...
  llvm::Value* lane_mask(llvm::Value* j, llvm::Value* end);  // lanes whose coordinate is before end
  llvm::Value* first_lanes(llvm::Value* count);              // the first `count` <= lanes() lanes
  // Repeats a scalar in all lanes. A single lane is a scalar.
  llvm::Value* splat(llvm::Value* scalar) {
    return lanes_ == 1 ? scalar : builder_.CreateVectorSplat(static_cast<unsigned>(lanes_), scalar);
  }
  llvm::Type* vector_of(llvm::Type* element) {
    return lanes_ == 1 ? element
                       : llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
  }
  Builder& builder() { return builder_; }

 private:
  struct Inner {  // the position of level 2
    llvm::Value* j = nullptr;
    llvm::Value* mask = nullptr;     // the active lanes; null: all
    llvm::Value* segment = nullptr;  // the segment record, for the shifts of wraps
    bool is_careful = false;
    bool careful() const { return is_careful; }
  };

  // The values of one level that have been emitted at the present position. Each is emitted once.
  struct Emitted {
    std::map<int, llvm::Value*> values, splats;  // by instruction
    std::map<int, llvm::Value*> scalar_indices, vector_indices;
    std::map<int, std::vector<llvm::Value*>> program_outputs;
    std::map<std::vector<int>, llvm::Value*> row_pointers, row_offsets, lane_offsets;
    std::map<int, llvm::Value*> quotients;  // by the joined coordinate, which has one divisor
    std::map<std::vector<int>, llvm::Value*> whole_elements;  // of sources with several parts
    std::map<int, llvm::Value*> paired;                       // by load
  };

  // row_emitter.cpp: levels, vectors along the inner axis, the loop of a kernel
  llvm::Value* load_word(int position, llvm::Type* type);
  int level_of(int instruction) const;
  int index_level(int index) const;
  void emit_level(int level);
  // Returns the coordinate that it has reached: `end`, or the end of the last whole vector if it
  // `leaves` the rest.
  llvm::Value* emit_vectors(llvm::Value* begin, llvm::Value* end, llvm::Value* fast,
                            llvm::Value* leaves, llvm::Value* segment, const Store& store);
  llvm::Value* rows_are_inside();
  llvm::Value* completed(llvm::Value* from, llvm::Value* to, llvm::Value* end);
  void emit_outputs(const Store& store);
  void forget_points() { emitted_[2] = {}; }
  void emit_instructions(int first, int last);  // of level 2
  void emit_repeat();

  // row_instructions.cpp
  llvm::Value* emit(int instruction);
  llvm::Value* operand(int instruction, int level);  // a splat where a vector is needed
  llvm::Value* emit_constant(int instruction);
  llvm::Value* emit_inside(int instruction, int level);
  std::vector<llvm::Value*> emit_program(int number, int level);  // returns its outputs
  int first_table_like(const compiler::ProgramCall& call, int table) const;
  bool is_inner_coordinate(const compiler::Instruction& in) const;

  // row_loads.cpp: addresses
  llvm::Value* emit_load(const compiler::Load& load, int level);
  llvm::Value* row_pointer(const compiler::Load& load);
  llvm::Value* row_offset(const compiler::Load& load, int level);
  llvm::Value* lane_offsets(const compiler::Load& load);
  llvm::Type* element_of(const compiler::Source& source);  // in memory, with all parts
  llvm::Align wide_align(const compiler::Load& load) const;
  // row_loads.cpp: forms of access
  llvm::Value* load_part(const compiler::Load& load, int level);
  llvm::Value* masked_load(llvm::Type* element, llvm::Value* pointer, llvm::Value* index,
                           llvm::Value* mask, int bytes);
  llvm::Value* inside_load(const compiler::IndexExpr& e, int index, llvm::Type* element,
                           llvm::Value* pointer, int bytes);
  llvm::Value* border_load(const compiler::IndexExpr& e, int index, llvm::Type* element,
                           llvm::Value* pointer, int bytes);
  llvm::Value* strided_load(const compiler::Load& load, const compiler::Load::Axis& axis,
                            llvm::Type* element, llvm::Value* pointer);
  llvm::Value* load_if(llvm::Value* wanted, llvm::Type* element, llvm::Value* address, int bytes);
  llvm::Value* gather(llvm::Type* element, llvm::Value* pointer, llvm::Value* offsets, int bytes);
  llvm::Value* load_or_gather(llvm::Type* element, llvm::Value* pointer, llvm::Value* offsets,
                              int bytes);
  llvm::Value* permute_or_gather(int index, llvm::Type* element, llvm::Value* pointer,
                                 llvm::Value* offsets, int bytes);
  bool varies_alone(const compiler::Load& load) const;
  bool may_lie_close(int index) const;
  bool follows_from_coordinates(int instruction) const;
  bool may_follow_inner(int index) const;
  bool counts_along_inner(int instruction) const;
  bool divides(int index) const;

  // row_pairs.cpp
  void find_pairs();
  bool gathers_words(const compiler::Load& load) const;
  std::vector<int> paired_alike(int number) const;
  llvm::Value* load_paired(int number);
  std::array<llvm::Value*, 2> gather_pair(llvm::Type* element, llvm::Value* pointer,
                                          llvm::Value* lower, llvm::Value* swapped, int bytes);

  // row_coordinates.cpp
  llvm::Value* scalar_index(int index);  // levels 0 and 1
  llvm::Value* vector_index(int index);  // level 2, one coordinate for each lane
  llvm::Value* linear_index(int index);  // level 2, the coordinate of lane 0
  bool is_linear(int index) const;       // whether lanes read consecutive elements
  bool follows_inner(int index) const;
  llvm::Value* quotient_of(int index);
  llvm::Value* affine_offset(int index);
  llvm::Value* moved(llvm::Value* offset, const compiler::IndexExpr& e);
  llvm::Value* narrow_source(const compiler::IndexExpr& e);
  llvm::Value* bound(const compiler::IndexExpr& e, int index, llvm::Value* source);
  llvm::Value* last_in_lanes(llvm::Value* extent);
  llvm::Value* wrap_shift(int index);
  // A GPU computes addresses of rows in 32 bits if they fit; a CPU always uses 64.
  bool narrow_rows() const { return builder_.gpu() && !kernel_.wide_index; }
  llvm::Type* index_type() {
    return kernel_.wide_index ? builder_.getInt64Ty() : builder_.getInt32Ty();
  }
  llvm::Value* as_index(llvm::Value* i64_value) {
    return splat(builder_.CreateTrunc(i64_value, index_type()));
  }

  Builder& builder_;
  const compiler::Kernel& kernel_;
  const compiler::ArgumentLayout layout_;
  const compiler::InnerRules rules_;
  const Machine machine_;
  llvm::Value* words_;
  llvm::BasicBlock* arguments_block_ = nullptr;
  std::map<int, llvm::Value*> loaded_words_;
  std::map<llvm::Value*, llvm::Value*> last_in_lanes_;  // by extent
  int lanes_ = 1;
  bool careful_only_ = false;  // one masked copy of the body computes whole vectors and tails
  std::vector<int> levels_;
  // By instruction: whether it tests only if rows lie inside of arrays. If there are several such
  // tests, fast code is for the rows that pass all of them.
  std::vector<bool> is_row_test_;
  bool fast_rows_are_inside_ = false, assumes_rows_inside_ = false;
  std::vector<bool> read_inside_only_;  // by load: see read_inside_only.hpp
  std::vector<int> pairs_;              // by load: the one that may read its neighbour, or -1
  std::vector<llvm::Value*> coordinates_;
  Inner inner_;
  int given_source_ = -1;
  llvm::Value* given_ = nullptr;
  llvm::Value* step_ = nullptr;  // in a loop: the number of the iteration
  Previous previous_;
  Emitted emitted_[3];  // by level
};

}  // namespace tutti::codegen
