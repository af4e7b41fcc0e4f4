// Recurrences: a thread for each line along the axis. If there are more rows of lines than blocks
// in a launch, each block walks down. States are carried in their memory form, so that a thread
// computes the same values as if it read them from memory.
#include "codegen/emit/line_walk.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/threads.hpp"

namespace tutti::codegen {
namespace {

class GpuLineMap : GpuThreads {
 public:
  GpuLineMap(const GpuFunction& function, const compiler::Kernel& kernel,
             const schedule::LineMap& map)
      : GpuThreads(function, kernel, 1), map_(map) {}

  void emit() {
    Value* columns = rows_.extent(kernel_.inner());
    const auto decoded = [&](auto&&... position) { decode(position...); };
    LineWalk lines(rows_, kernel_);
    Value* items = b_.CreateMul(rows_.product_of_extents(0, kernel_.kept), lines.between());
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(map_.threads)), thread_x());
    for (const compiler::Output& output : kernel_.outputs)
      states_.push_back(rows_.allocate(stored_type(output.type)));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(block_y(), items, [&](Value* item) {
        lines.walk(item, coordinates(), decoded, [&](Value* n, Value* i) {
          point(n, b_.CreateAdd(b_.CreateMul(lines.row(i), columns), j), j);
        });
        return b_.CreateAdd(item, blocks_y());
      });
    });
    b_.CreateRetVoid();
  }

 private:
  void point(Value* n, Value* element, Value* j) {
    rows_.set_previous({b_.CreateICmpEQ(n, i64(0)), [&](int o, Value*, Value*) {
                          llvm::AllocaInst* state = states_[static_cast<size_t>(o)];
                          Value* stored = b_.CreateLoad(state->getAllocatedType(), state);
                          return from_memory(b_, stored, output(o).type);
                        }});
    std::vector<Value*> next;
    rows_.emit_point(j, nullptr, true, [&](int o, Value* value, Value*, Value*) {
      store(o, element, value, false);
      next.push_back(to_memory(b_, value, output(o).type));
    });
    for (size_t o = 0; o < next.size(); ++o) b_.CreateStore(next[o], states_[o]);
  }

  const schedule::LineMap& map_;
  std::vector<llvm::AllocaInst*> states_;  // in the memory form
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::LineMap::emit(const codegen::GpuFunction& function,
                                    const Kernel& kernel) const {
  codegen::GpuLineMap(function, kernel, *this).emit();
}
