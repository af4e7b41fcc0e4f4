// Results that each reduce a few elements: some threads of a warp for each result, one for each
// element. All threads of a warp fold, also those beyond the last result: shuffles need them.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/reduction.hpp"

namespace tutti::codegen {
namespace {

class GpuSubwarpReduce : GpuReduction {
 public:
  GpuSubwarpReduce(const GpuFunction& function, const compiler::Kernel& kernel,
                   const schedule::SubwarpReduce& reduce)
      : GpuReduction(function, kernel, 1), reduce_(reduce) {}

  void emit() {
    Value* length = begin_wide(reduce_.lanes).length();
    Value* items = rows_.product_of_extents(0, kernel_.kept);
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(reduce_.results_a_block())),
                               b_.CreateUDiv(thread_x(), i64(reduce_.lanes)));
    Value* there = b_.CreateICmpSLT(item, items);
    start_sums(1);
    rows_.if_then(b_.CreateAnd(there, b_.CreateICmpSLT(lane_, length)), [&] {
      Tile tile{lane_, nullptr, coordinates()};
      decode(item, 0, kernel_.kept, tile.at);
      if (is_flat()) rows_.emit_row(tile.at);
      add_point(tile, lane_, 0);
    });
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      Value* total = loaded_sum(o, 0);
      for (int distance = reduce_.lanes / 2; distance > 0; distance /= 2)
        total = combine(o, total, isa_.shuffle(b_, total, distance));
      rows_.if_then(b_.CreateAnd(there, b_.CreateICmpEQ(lane_, i64(0))),
                    [&] { store(o, item, total, false); });
    }
    b_.CreateRetVoid();
  }

 private:
  const schedule::SubwarpReduce& reduce_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::SubwarpReduce::emit(const codegen::GpuFunction& function,
                                          const Kernel& kernel) const {
  codegen::GpuSubwarpReduce(function, kernel, *this).emit();
}
