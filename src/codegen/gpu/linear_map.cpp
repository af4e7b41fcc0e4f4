// A map over a vector in order: a thread computes several wide accesses, one block apart. A last
// block that is not whole is stored element by element.
#include "codegen/emit/branches.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/threads.hpp"

namespace tutti::codegen {
namespace {

class GpuLinearMap : GpuThreads {
 public:
  GpuLinearMap(const GpuFunction& function, const compiler::Kernel& kernel,
               const schedule::LinearMap& linear)
      : GpuThreads(function, kernel, linear.lanes), linear_(linear) {}

  void emit() {
    rows_.emit_row(coordinates());
    Value* count = rows_.extent(0);
    const int64_t step = int64_t{linear_.threads} * rows_.lanes();
    Value* start = b_.CreateAdd(b_.CreateMul(block_x(), i64(step * linear_.unroll)),
                                b_.CreateMul(thread_x(), i64(rows_.lanes())));
    Value* last = b_.CreateAdd(start, i64(step * (linear_.unroll - 1) + rows_.lanes()));
    Value* whole = b_.CreateICmpSLE(last, count);
    emit_if(
        b_, whole,
        [&] {
          for (int u = 0; u < linear_.unroll; ++u) {
            Value* j = b_.CreateAdd(start, i64(u * step));
            rows_.emit_point(j, nullptr, false,
                             [&](int o, Value* v, Value*, Value*) { store(o, j, v, true); });
          }
        },
        [&] {
          Value* end = min(b_.CreateAdd(start, i64(step * linear_.unroll)), count);
          rows_.loop(start, end, step, [&](Value* j) {
            Value* mask = rows_.lane_mask(j, count);
            rows_.emit_point(j, mask, true,
                             [&](int o, Value* v, Value*, Value*) { store_lanes(o, j, v, mask); });
          });
        });
    b_.CreateRetVoid();
  }

 private:
  // Stores the elements of the mask, one by one.
  void store_lanes(int o, Value* j, Value* value, Value* mask) {
    for (int lane = 0; lane < rows_.lanes(); ++lane) {
      const auto part = [&](Value* v) {
        return rows_.lanes() == 1 ? v : b_.CreateExtractElement(v, static_cast<uint64_t>(lane));
      };
      rows_.if_then(part(mask), [&] { store(o, b_.CreateAdd(j, i64(lane)), part(value), false); });
    }
  }

  const schedule::LinearMap& linear_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::LinearMap::emit(const codegen::GpuFunction& function,
                                      const Kernel& kernel) const {
  codegen::GpuLinearMap(function, kernel, *this).emit();
}
