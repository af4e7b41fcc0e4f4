// The kernel ABI: the positions of a kernel's arguments in one array of 64-bit words. They depend
// on the structure of the kernel alone. The code generator and the launcher both use this class.
#pragma once
#include <map>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

class ArgumentLayout {
 public:
  explicit ArgumentLayout(const Kernel& kernel) {
    for (size_t s = 0; s < kernel.sources.size(); ++s) {
      sources_.push_back(take(1));
      const int alike = kernel.sources[s].alike;
      const bool shared = alike >= 0 && alike < static_cast<int>(s);
      strides_.push_back(shared ? strides_[static_cast<size_t>(alike)]
                                : take(kernel.sources[s].shape.rank));
    }
    for (size_t o = 0; o < kernel.outputs.size(); ++o) outputs_.push_back(take(1));
    if (has_output_strides(kernel)) output_strides_ = take(static_cast<int>(kernel.outputs.size()));
    extents_ = take(kernel.domain.rank);
    for (size_t i = 0; i < kernel.indices.size(); ++i) indices_.push_back(take(3));
    for (size_t i = 0; i < kernel.code.size(); ++i) {
      const auto kind = kernel.code[i].kind;
      if (kind == Instruction::Kind::constant || kind == Instruction::Kind::inside)
        instructions_[static_cast<int>(i)] = take(words_of(kernel, static_cast<int>(i)));
    }
    for (const ProgramCall& call : kernel.programs) {
      auto& tables = tables_.emplace_back();
      for (const ProgramCall::Table& table : call.tables)
        tables.push_back(take(2 * table.shape.rank));
    }
    segments_ = take(2);
    if (kernel.form == Form::reduce_segments) boundaries_ = take(1);
    if (schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule)) tiling_ = take(tiling_words);
  }

  int source(int s) const { return sources_[s]; }
  int stride(int s, int axis) const { return strides_[s] + axis; }  // in elements
  int output(int o) const { return outputs_[o]; }
  // Returns whether outputs have a stride between rows, in elements: maps with rows, on CPUs.
  static bool has_output_strides(const Kernel& kernel) {
    return kernel.form == Form::map && kernel.domain.rank > 1 &&
           !std::holds_alternative<schedule::GpuSchedule>(kernel.schedule);
  }
  int output_stride(int o) const { return output_strides_ + o; }
  int extent(int dim) const { return extents_ + dim; }
  int index_scale(int i) const { return indices_[i]; }
  int index_offset(int i) const { return indices_[i] + 1; }
  int index_extent(int i) const { return indices_[i] + 2; }
  int scalar(int instruction) const { return instructions_.at(instruction); }
  int inside_extent(int instruction) const { return instructions_.at(instruction); }
  int table_extent(int call, int table, int axis) const { return tables_[call][table] + 2 * axis; }
  int table_stride(int call, int table, int axis) const {
    return tables_[call][table] + 2 * axis + 1;
  }
  int segments() const { return segments_; }  // a pointer to Segment records
  int segment_count() const { return segments_ + 1; }
  // reduce_segments: a pointer to the offsets (int64) at which pieces begin and the last one ends
  int boundaries() const { return boundaries_; }
  // Register tiles: first and last row, first and last column, tiles across, points of the border.
  static constexpr int tiling_words = 6;
  int tiling(int k) const { return tiling_ + k; }
  int words() const { return next_; }

 private:
  // A constant of a loop has a word for each step.
  static int words_of(const Kernel& kernel, int instruction) {
    const auto found = kernel.repeat.scalars.find(instruction);
    return found == kernel.repeat.scalars.end() ? 1 : static_cast<int>(found->second.size());
  }

  int take(int count) {
    const int first = next_;
    next_ += count;
    return first;
  }

  int next_ = 0;
  std::vector<int> sources_, strides_, outputs_, indices_;
  std::vector<std::vector<int>> tables_;
  std::map<int, int> instructions_;
  int output_strides_ = -1, extents_ = 0, segments_ = 0, boundaries_ = -1, tiling_ = -1;
};

}  // namespace tutti::compiler
