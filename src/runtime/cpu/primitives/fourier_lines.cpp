// Fourier transforms of lines (numerics/fourier.hpp). Three ways, which yield the same bits:
// - lines with neighbours, along an axis that is not the last: a task takes some columns through
//   all stages in the second-level cache;
// - short lines of the last axis: a task transposes some lines, computes them as columns, and
//   transposes them back;
// - other lines: two phases (fourier_plan.hpp). A task computes whole lines if they fit in the
//   second-level cache, else some columns of a phase.
#include <cstdint>

#include "numerics/fourier.hpp"
#include "runtime/cpu/primitives/fourier_plan.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/primitives.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t cached_bytes = 1 << 19;  // of a line and its copies, in the second-level cache
constexpr int64_t task_elements = 1 << 14;
constexpr int64_t column_bytes = 128;  // of a row of neighbouring columns that a task computes

// Memory of a task: two complex arrays.
template <class T>
class Scratch {
 public:
  explicit Scratch(int64_t elements)
      : pitch_((elements + 31) / 16 * 16),
        memory_(allocate(static_cast<size_t>(4 * pitch_) * sizeof(T))) {}
  ComplexOut<T> half(int i) const {
    T* begin = static_cast<T*>(memory_->data()) + 2 * i * pitch_;
    return {begin, begin + pitch_};
  }

 private:
  int64_t pitch_;
  ir::BufferRef memory_;
};

// A matrix whose columns are transformed, and the distance of its rows.
template <class T>
struct Columns {
  ComplexIn<T> in;
  int64_t in_pitch = 0;
  ComplexOut<T> out;
  int64_t out_pitch = 0;
  int64_t count = 0;  // of the columns
};

template <class T>
class FourierLines {
 public:
  explicit FourierLines(const PrimitiveArguments& arguments)
      : form_(arguments.step.get<ir::FourierLines>()),
        in_{arguments.input<T>(0), arguments.input<T>(1)},
        out_{arguments.output<T>(), arguments.second_output<T>()} {
    const detail::Extents& shape = arguments.step.shape;
    length_ = shape[form_.axis];
    for (int axis = form_.axis + 1; axis < shape.rank; ++axis) inner_ *= shape[axis];
    outer_ = shape.size() / length_ / inner_;
  }

  void run() {
    if (length_ == 1) return copy();
    if (inner_ > 1) return run_columns();
    plan_ = fourier_plan<T>(length_, true);
    constexpr int64_t least_rows = 16;  // of a phase: its columns fill the lanes
    const int64_t bytes = 4 * length_ * static_cast<int64_t>(sizeof(T));
    if (outer_ >= lines_together / 2 && plan_->rows < least_rows &&
        bytes * lines_together <= cached_bytes)
      return run_short_lines();
    const bool spreads = outer_ < cpu_threads() && length_ >= task_elements;
    if (plan_->rows > 1 && (bytes > cached_bytes || spreads)) return run_long_lines();
    run_lines();
  }

 private:
  static constexpr int64_t lines_together = 32;
  static constexpr int64_t block = column_bytes / static_cast<int64_t>(sizeof(T));

  void copy() {  // the transform of one element
    std::copy_n(in_.re, outer_ * inner_, out_.re);
    std::copy_n(in_.im, outer_ * inner_, out_.im);
  }

  // Calls body(first, last) for parts of [0, count), each item of which has `elements` elements.
  template <class F>
  static void in_tasks(int64_t count, int64_t elements, const F& body) {
    in_parts(count, std::max<int64_t>(1, task_elements / elements), body);
  }

  void run_columns() {
    plan_ = fourier_plan<T>(length_, false);
    const int64_t blocks = (inner_ + block - 1) / block;
    in_tasks(outer_ * blocks, length_ * block, [&](int64_t begin, int64_t end) {
      const Scratch<T> scratch(length_ * block);
      for (int64_t b = begin; b < end; ++b) {
        const int64_t first = b % blocks * block, at = b / blocks * length_ * inner_ + first;
        second_phase({in_.at(at), inner_, out_.at(at), inner_, std::min(block, inner_ - first)},
                     scratch, 0);
      }
    });
  }

  void run_short_lines() {
    plan_ = fourier_plan<T>(length_, false);
    const int64_t groups = (outer_ + lines_together - 1) / lines_together;
    in_tasks(groups, lines_together * length_, [&](int64_t begin, int64_t end) {
      const Scratch<T> scratch(lines_together * length_), turned(lines_together * length_);
      for (int64_t g = begin; g < end; ++g) {
        const int64_t lines = std::min(lines_together, outer_ - g * lines_together),
                      at = g * lines_together * length_;
        const ComplexOut<T> columns = turned.half(0), results = turned.half(1);
        transpose(in_.at(at), length_, columns, lines, lines, length_);
        second_phase({columns, lines, results, lines, lines}, scratch, 0);
        transpose(results, lines, out_.at(at), length_, length_, lines);
      }
    });
  }

  void run_lines() {
    in_tasks(outer_, length_, [&](int64_t begin, int64_t end) {
      const Scratch<T> scratch(length_);
      const int64_t rows = plan_->rows, columns = plan_->columns;
      for (int64_t line = begin; line < end; ++line) {
        const ComplexOut<T> out = out_.at(line * length_);
        const ComplexIn<T> in = in_.at(line * length_);
        if (rows == 1) {
          second_phase({in, rows, out, rows, rows}, scratch, 0);
          continue;
        }
        const int half = first_phase(in, columns, 0, columns, scratch);
        transpose(scratch.half(half), columns, scratch.half(1 - half), rows, rows, columns);
        second_phase({scratch.half(1 - half), rows, out, rows, rows}, scratch, half);
      }
    });
  }

  void run_long_lines() {
    const int64_t rows = plan_->rows, columns = plan_->columns;
    const ir::BufferRef memory = allocate(static_cast<size_t>(2 * length_) * sizeof(T));
    T* begin = static_cast<T*>(memory->data());
    const ComplexOut<T> turned{begin, begin + length_};
    for (int64_t line = 0; line < outer_; ++line) {
      const ComplexIn<T> in = in_.at(line * length_);
      const ComplexOut<T> out = out_.at(line * length_);
      in_blocks(columns, rows, [&](int64_t first, int64_t count, const Scratch<T>& scratch) {
        const int half = first_phase(in.at(first), columns, first, count, scratch);
        transpose(scratch.half(half), count, turned.at(first * rows), rows, rows, count);
      });
      in_blocks(rows, columns, [&](int64_t first, int64_t count, const Scratch<T>& scratch) {
        second_phase({turned.at(first), rows, out.at(first), rows, count}, scratch, 0);
      });
    }
  }

  // Calls body(first, count, scratch) for blocks of the columns of a matrix.
  template <class F>
  static void in_blocks(int64_t columns, int64_t rows, const F& body) {
    const int64_t blocks = (columns + block - 1) / block;
    in_tasks(blocks, rows * block, [&](int64_t begin, int64_t end) {
      const Scratch<T> scratch(rows * block);
      for (int64_t b = begin; b < end; ++b)
        body(b * block, std::min(block, columns - b * block), scratch);
    });
  }

  static void transpose(const ComplexIn<T>& in, int64_t in_pitch, const ComplexOut<T>& out,
                        int64_t out_pitch, int64_t rows, int64_t columns) {
    transpose_rows(in.re, in_pitch, out.re, out_pitch, rows, columns);
    transpose_rows(in.im, in_pitch, out.im, out_pitch, rows, columns);
  }

  // Transforms `count` columns from number `first` on, which lie at `in`. Returns which of the two
  // arrays holds the rows of the result.
  int first_phase(ComplexIn<T> in, int64_t pitch, int64_t first, int64_t count,
                  const Scratch<T>& scratch) const {
    int to = 0;
    for (const FourierStage<T>& stage : plan_->first) {
      const ComplexOut<T> out = scratch.half(to);
      to = 1 - to;
      StageRun<T> run(stage.radix, Factors::of_elements, in, out);
      run.factors = stage.factors().at(first);
      run.factor_step = stage.rest * plan_->columns;
      run.in_step = stage.rest * pitch;
      run.out_step = stage.done * stage.rest * count;
      run.outer = {stage.done, stage.radix * stage.rest * pitch, stage.rest * count, 0};
      run.count = count;
      if (pitch == count && count == plan_->columns)
        run.count = stage.rest * count;
      else
        run.middle = {stage.rest, pitch, count, plan_->columns};
      run_stage(run);
      in = out;
      pitch = count;
    }
    return 1 - to;
  }

  // Transforms columns by all stages of the second phase. The first stage writes to array `to`.
  void second_phase(const Columns<T>& columns, const Scratch<T>& scratch, int to) const {
    ComplexIn<T> in = columns.in;
    int64_t pitch = columns.in_pitch;
    for (size_t i = 0; i < plan_->second.size(); ++i) {
      const FourierStage<T>& stage = plan_->second[i];
      const bool is_last = i + 1 == plan_->second.size();
      const ComplexOut<T> out = is_last ? columns.out : scratch.half(to);
      const int64_t out_pitch = is_last ? columns.out_pitch : columns.count;
      to = 1 - to;
      StageRun<T> run(stage.radix, Factors::of_runs, in, out);
      if (stage.rest == 1) run.kind = form_.scaled ? Factors::scale : Factors::none;
      run.scale = static_cast<T>(1 / static_cast<double>(length_));
      run.factors = stage.factors();
      run.in_step = stage.rest * stage.done * pitch;
      run.out_step = stage.done * out_pitch;
      run.outer = {stage.rest, stage.done * pitch, stage.radix * stage.done * out_pitch,
                   stage.radix - 1};
      run.count = columns.count;
      if (pitch == columns.count && out_pitch == columns.count)
        run.count *= stage.done;
      else
        run.middle = {stage.done, pitch, out_pitch, 0};
      run_stage(run);
      in = out;
      pitch = out_pitch;
    }
  }

  const ir::FourierLines form_;
  const ComplexIn<T> in_;
  const ComplexOut<T> out_;
  int64_t length_ = 1, inner_ = 1, outer_ = 1;
  std::shared_ptr<const FourierPlan<T>> plan_;
};

}  // namespace

void fourier_lines(const PrimitiveArguments& arguments) {
  if (arguments.step.type == ElementType::f64)
    FourierLines<double>(arguments).run();
  else
    FourierLines<float>(arguments).run();
}

}  // namespace tutti::runtime
