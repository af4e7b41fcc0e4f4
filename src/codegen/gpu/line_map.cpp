// Recurrences: a thread for each line along the axis. If there are more rows of lines than blocks
// in a launch, each block walks down. States are carried in their memory form, so that a thread
// computes the same values as if it read them from memory.
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
    const int along = kernel_.kept, inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* length = rows_.extent(along);
    Value* between = rows_.product_of_extents(along + 1, inner);
    Value* items = b_.CreateMul(rows_.product_of_extents(0, along), between);
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(map_.threads)), thread_x());
    for (const compiler::Output& output : kernel_.outputs)
      states_.push_back(rows_.allocate(stored_type(output.type)));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(block_y(), items, [&](Value* item) {
        Value* outer = b_.CreateUDiv(item, between);
        Value* middle = b_.CreateURem(item, between);
        auto at = coordinates();
        decode(outer, 0, along, at);
        decode(middle, along + 1, inner, at);
        rows_.loop(i64(0), length, 1, [&](Value* n) {
          Value* i = kernel_.backward ? b_.CreateSub(b_.CreateSub(length, n), i64(1)) : n;
          at[static_cast<size_t>(along)] = i;
          rows_.emit_row(at);
          Value* row = b_.CreateAdd(
              b_.CreateMul(b_.CreateAdd(b_.CreateMul(outer, length), i), between), middle);
          point(n, b_.CreateAdd(b_.CreateMul(row, columns), j), j);
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
