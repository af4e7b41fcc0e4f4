// One block reduces one tile, with a thread for each lane of the tree. The sums of the threads pass
// through shared memory to the first warp, which folds them as if it had computed all of them.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/reduction.hpp"

namespace tutti::codegen {
namespace {

class GpuBlockReduce : GpuReduction {
 public:
  GpuBlockReduce(const GpuFunction& function, const compiler::Kernel& kernel,
                 const schedule::BlockReduce& reduce)
      : GpuReduction(function, kernel, 1), reduce_(reduce) {}

  void emit() {
    const ReductionTiles tiles = begin_wide(warp);
    Value* item = block_x();
    start_sums(1);
    add_points(find_tile(item, tiles), thread_x(), 1, reduce_.unroll);
    std::vector<llvm::Value*> shared;
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      llvm::Type* type = stored_type(output(o).type);
      shared.push_back(isa_.shared_array(b_, type, ir::wide_lanes));
      b_.CreateStore(to_memory(b_, loaded_sum(o, 0), output(o).type),
                     b_.CreateGEP(type, shared.back(), thread_x()));
    }
    isa_.barrier(b_);
    rows_.if_then(b_.CreateICmpULT(thread_x(), i64(warp)), [&] {
      start_sums(warp_sums);
      for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
        llvm::Type* type = stored_type(output(o).type);
        for (int k = 0; k < warp_sums; ++k) {
          Value* place = b_.CreateGEP(type, shared[static_cast<size_t>(o)],
                                      b_.CreateAdd(lane_, i64(k * warp)));
          set_sum(o, k, from_memory(b_, b_.CreateLoad(type, place), output(o).type));
        }
      }
      store_totals(item);
    });
    b_.CreateRetVoid();
  }

 private:
  const schedule::BlockReduce& reduce_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::BlockReduce::emit(const codegen::GpuFunction& function,
                                        const Kernel& kernel) const {
  codegen::GpuBlockReduce(function, kernel, *this).emit();
}
