#include "codegen/cpu/recurrence_kernel.hpp"

#include "codegen/cpu/loops.hpp"
#include "codegen/emit/line_walk.hpp"

namespace tutti::codegen {
namespace {

class CpuRecurrence : private CpuLoops {
 public:
  using CpuLoops::CpuLoops;

  void emit() {
    LineWalk lines(rows_, kernel_);
    const auto decoded = [&](auto&&... position) { decode(position...); };
    rows_.loop(argument(1), argument(2), 1, [&](Value* item) {
      lines.walk(item, coordinates(), decoded, [&](Value* n, Value* i) {
        Value* is_first = b_.CreateICmpEQ(n, i64(0));
        row(lines.row(i), is_first, lines.between());
      });
    });
    b_.CreateRetVoid();
  }

 private:
  // The previous row is `between` rows before this one, or after it. The first row of a line reads
  // itself instead, and the values are not used.
  void row(Value* r, Value* is_first, Value* between) {
    Value* columns = rows_.extent(kernel_.inner());
    Value* back = b_.CreateMul(kernel_.backward ? between : b_.CreateNeg(between), columns);
    back = b_.CreateSelect(is_first, i64(0), back);
    std::vector<Value*> targets, before;
    for (size_t o = 0; o < kernel_.outputs.size(); ++o) {
      llvm::Type* type = stored_type(kernel_.outputs[o].type);
      targets.push_back(b_.CreateGEP(type, output(o), b_.CreateMul(r, columns)));
      before.push_back(b_.CreateGEP(type, targets[o], back));
    }
    rows_.set_previous({is_first, [&](int o, Value* j, Value* mask) {
                          const auto at = static_cast<size_t>(o);
                          return load(before[at], kernel_.outputs[at].type, j, mask);
                        }});
    rows_.emit_columns(argument(3), argument(4), [&](int o, Value* value, Value* j, Value* mask) {
      const auto at = static_cast<size_t>(o);
      store(targets[at], kernel_.outputs[at].type, value, j, mask, false);
    });
  }

  Value* load(Value* base, ElementType type, Value* j, Value* mask) {
    llvm::Type* element = stored_type(type);
    Value* address = b_.CreateGEP(element, base, j);
    const auto align = llvm::Align(static_cast<uint64_t>(size_of(type)));
    llvm::Type* elements = rows_.vector_of(element);
    Value* loaded = mask ? b_.CreateMaskedLoad(elements, address, align, mask,
                                               llvm::Constant::getNullValue(elements))
                         : static_cast<Value*>(b_.CreateAlignedLoad(elements, address, align));
    return from_memory(b_, loaded, type);
  }
};

}  // namespace

void emit_cpu_recurrence(llvm::Function* function, const compiler::Kernel& kernel,
                         const Machine& machine) {
  CpuRecurrence(function, kernel, machine).emit();
}

}  // namespace tutti::codegen
