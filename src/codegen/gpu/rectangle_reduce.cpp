// Results that each reduce a rectangle of a few rows and columns: a thread for each column. Threads
// beyond the last result compute it again, because shuffles need all threads of a warp.
#include <bit>

#include "codegen/emit/branches.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/reduction.hpp"

namespace tutti::codegen {
namespace {

class GpuRectangleReduce : GpuReduction {
 public:
  GpuRectangleReduce(const GpuFunction& function, const compiler::Kernel& kernel,
                     const schedule::RectangleReduce& reduce)
      : GpuReduction(function, kernel, 1), reduce_(reduce) {}

  void emit() {
    begin_wide(reduce_.columns);
    Value* items = rows_.product_of_extents(0, kernel_.kept);
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(reduce_.results_a_block())),
                               b_.CreateUDiv(thread_x(), i64(reduce_.columns)));
    Value* there = b_.CreateICmpSLT(item, items);
    auto at = coordinates();
    decode(min(item, b_.CreateSub(items, i64(1))), 0, kernel_.kept, at);
    std::vector<Value*> totals = column_totals(at);
    for (int o = 0; o < static_cast<int>(totals.size()); ++o) {
      Value*& total = totals[static_cast<size_t>(o)];
      for (int distance = reduce_.columns / 2; distance > 0; distance /= 2)
        total = combine(o, total, isa_.shuffle(b_, total, distance));
    }
    rows_.if_then(b_.CreateAnd(there, b_.CreateICmpEQ(lane_, i64(0))), [&] {
      for (int o = 0; o < static_cast<int>(totals.size()); ++o)
        store(o, item, totals[static_cast<size_t>(o)], false);
    });
    b_.CreateRetVoid();
  }

 private:
  // Computes the tree over the rows of this thread's column, partly unrolled, the rest as a loop.
  // It visits the rows in the order in which the tree combines their sums.
  std::vector<Value*> column_totals(const std::vector<Value*>& at) {
    const int steps = reduce_.rows / reduce_.unrolled_rows;
    if (steps == 1) return subtree(at, i64(0), 1);
    const int levels = std::countr_zero(static_cast<unsigned>(steps));
    const size_t outputs = kernel_.outputs.size();
    std::vector<Value*> first;  // by level, sums that wait for their other half; then the total
    for (int level = 0; level <= levels; ++level)
      for (size_t o = 0; o < outputs; ++o) first.push_back(identity(static_cast<int>(o)));
    std::vector<Value*> left = emit_steps(b_, steps, first, [&](Value* step, const auto& waiting) {
      Value* reversed = b_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, step);
      std::vector<Value*> sums = subtree(at, b_.CreateLShr(reversed, i64(64 - levels)), steps);
      std::vector<Value*> next;
      for (int level = 0; level < levels; ++level) {
        const int64_t below = (int64_t{1} << level) - 1;
        Value* complete = b_.CreateICmpEQ(b_.CreateAnd(step, i64(below)), i64(below));
        for (size_t o = 0; o < outputs; ++o) {
          Value* held = waiting[static_cast<size_t>(level) * outputs + o];
          next.push_back(b_.CreateSelect(complete, sums[o], held));
          sums[o] = combine(static_cast<int>(o), held, sums[o]);
        }
      }
      next.insert(next.end(), sums.begin(), sums.end());
      return next;
    });
    return {left.end() - static_cast<ptrdiff_t>(outputs), left.end()};
  }

  // Returns the sum of `row` and every `distance`-th row after it.
  std::vector<Value*> subtree(const std::vector<Value*>& at, Value* row, int distance) {
    if (distance == reduce_.rows) return elements_in(at, row);
    std::vector<Value*> sums = subtree(at, row, 2 * distance);
    const std::vector<Value*> others = subtree(at, b_.CreateAdd(row, i64(distance)), 2 * distance);
    for (size_t o = 0; o < sums.size(); ++o)
      sums[o] = combine(static_cast<int>(o), sums[o], others[o]);
    return sums;
  }

  std::vector<Value*> elements_in(std::vector<Value*> at, Value* row) {
    at[static_cast<size_t>(kernel_.inner() - 1)] = row;
    at[static_cast<size_t>(kernel_.inner())] = lane_;
    rows_.emit_row(at);
    std::vector<Value*> values(kernel_.outputs.size());
    rows_.emit_point(lane_, nullptr, true,
                     [&](int o, Value* v, Value*, Value*) { values[static_cast<size_t>(o)] = v; });
    return values;
  }

  const schedule::RectangleReduce& reduce_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::RectangleReduce::emit(const codegen::GpuFunction& function,
                                            const Kernel& kernel) const {
  codegen::GpuRectangleReduce(function, kernel, *this).emit();
}
