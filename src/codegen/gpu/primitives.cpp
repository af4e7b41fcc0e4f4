#include "codegen/gpu/specialise.hpp"

#include "codegen/emit/row_emitter.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/load_bitcode.hpp"
#include "codegen/optimise.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

constexpr int piece_size = 4;  // elements that tutti_piece computes

// Returns the number of words of a fused kernel, which precede the arguments; 0 if there is none.
int words_of(const compiler::Kernel* kernel) {
  return kernel ? compiler::ArgumentLayout(*kernel).words() : 0;
}

// Values of one type in the form of the bitcode: unsigned integers of their size.
struct Bits {
  Bits(llvm::LLVMContext& context, ElementType type)
      : type(type),
        stored(memory_type(context, type)),
        bits(llvm::Type::getIntNTy(context, 8 * static_cast<unsigned>(size_of(type)))),
        suffix("_u" + std::to_string(8 * size_of(type))) {}
  Value* of(const ScalarValue& value) const { return llvm::ConstantInt::get(bits, value.bits); }
  Value* of(Builder& b, Value* value) const {
    return b.CreateBitCast(to_memory(b, value, type), bits);
  }
  Value* in_register(Builder& b, Value* x) const {
    return from_memory(b, b.CreateBitCast(x, stored), type);
  }

  ElementType type;
  llvm::Type *stored, *bits;
  std::string suffix;
};

const schedule::FusedElements& schedule_of(const compiler::Kernel& kernel) {
  const auto* fused = schedule::on_gpu<schedule::FusedElements>(kernel.schedule);
  if (!fused) throw InternalError("a kernel that runs by itself is part of a primitive");
  return *fused;
}

int lanes_of(const compiler::Kernel* kernel) { return kernel ? schedule_of(*kernel).lanes : 1; }

Machine machine_of(int lanes) {
  Machine machine;
  machine.lanes = lanes;
  return machine;
}

Value* words_from(Builder& b, llvm::Function* function, int first) {
  return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), function->getArg(0), uint64_t(first));
}

// A fused kernel that computes elements; its words begin at `first_word`.
class FusedElements {
 public:
  FusedElements(const compiler::Kernel* kernel, int first_word, const Bits& bits)
      : kernel_(kernel), first_word_(first_word), bits_(bits), lanes_(lanes_of(kernel)) {}
  int lanes() const { return lanes_; }

  // U element(words, i): decodes the position to coordinates of the kernel's domain.
  Value* emit_element(Builder& b, llvm::Function* function) const {
    if (!kernel_) return b.CreateRet(llvm::PoisonValue::get(bits_.bits));
    RowEmitter rows(b, *kernel_, machine_of(1), words_from(b, function, first_word_));
    rows.emit_entry();
    std::vector<Value*> at(static_cast<size_t>(kernel_->domain.rank), b.getInt64(0));
    Value* position = function->getArg(1);
    for (int dim = kernel_->inner(); dim > 0; --dim) {
      at[static_cast<size_t>(dim)] = b.CreateURem(position, rows.extent(dim));
      position = b.CreateUDiv(position, rows.extent(dim));
    }
    at[0] = position;
    rows.emit_row(at);
    Value* result = nullptr;
    rows.emit_point(at.back(), nullptr, true,
                    [&](int, Value* v, Value*, Value*) { result = bits_.of(b, v); });
    return b.CreateRet(result);
  }

  // void piece(words, first, x): four elements from `first` on, which is a multiple of four. If
  // they are not computed together, it calls the function above for each.
  Value* emit_piece(Builder& b, llvm::Function* function, const std::string& element_name) const {
    if (!kernel_) return b.CreateRetVoid();
    const auto position = [&](int i) {
      return b.CreateAdd(function->getArg(1), b.getInt64(uint64_t(i)));
    };
    const auto store = [&](int i, Value* value) {
      b.CreateStore(value, b.CreateConstGEP1_64(bits_.bits, function->getArg(2), uint64_t(i)));
    };
    if (lanes_ == 1) {
      const llvm::FunctionCallee element = function->getParent()->getOrInsertFunction(
          element_name, bits_.bits, b.getPtrTy(), b.getInt64Ty());
      for (int i = 0; i < piece_size; ++i)
        store(i, b.CreateCall(element, {function->getArg(0), position(i)}));
      return b.CreateRetVoid();
    }
    Machine machine = machine_of(lanes_);
    machine.once = schedule_of(*kernel_).at_computed;
    RowEmitter rows(b, *kernel_, machine, words_from(b, function, first_word_));
    rows.emit_entry();
    rows.emit_row({b.getInt64(0)});
    for (int i = 0; i < piece_size; i += lanes_)
      rows.emit_point(position(i), nullptr, false, [&](int, Value* v, Value*, Value*) {
        for (int c = 0; c < lanes_; ++c)
          store(i + c, bits_.of(b, b.CreateExtractElement(v, uint64_t(c))));
      });
    return b.CreateRetVoid();
  }

 private:
  const compiler::Kernel* kernel_;
  const int first_word_;
  const Bits& bits_;
  const int lanes_;  // elements computed at once
};

// Defines the functions that the bitcode only declares.
class Callbacks {
 public:
  Callbacks(llvm::Module& module, const GpuPrimitive& primitive, GpuIsa& isa)
      : module_(module),
        isa_(isa),
        context_(module.getContext()),
        primitive_(primitive),
        bits_(context_, primitive.type),
        value_bits_(context_,
                    primitive.values ? primitive.values->outputs[0].type : primitive.type),
        elements_(primitive.elements, 0, bits_),
        values_(primitive.values, words_of(primitive.elements), value_bits_),
        consumer_lanes_(lanes_of(primitive.consumer)) {}

  void define_used() {
    define("combine", [&](Builder& b, llvm::Function* f) {
      return b.CreateRet(bits_.of(
          b, emit_combine(b, primitive_.reduction, primitive_.type,
                          bits_.in_register(b, f->getArg(0)), bits_.in_register(b, f->getArg(1)))));
    });
    define("neutral", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(bits_.of(ir::identity_of(primitive_.reduction, primitive_.type)));
    });
    define("nothing", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(bits_.of(ir::empty_result(primitive_.reduction, primitive_.type)));
    });
    define_elements("piece", "element", elements_, bits_.suffix);
    define_elements("value_piece", "value", values_, value_bits_.suffix);
    define_function("tutti_computes_values", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(b.getInt1(primitive_.values != nullptr));
    });
    define("consume_element", [&](Builder& b, llvm::Function* f) {
      Value* x = bits_.in_register(b, f->getArg(2));
      return emit_consume(b, f, 1, [&](int) { return x; });
    });
    define("consume_piece", [&](Builder& b, llvm::Function* f) {
      return emit_consume(b, f, consumer_lanes_,
                          [&](int i) { return load_results(b, f->getArg(2), i); });
    });
    define_function("tutti_consumes", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(b.getInt1(primitive_.consumer != nullptr));
    });
    define_function("tutti_in_pieces", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(b.getInt1(elements_.lanes() > 1));
    });
    define_function("tutti_key_kind", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(b.getInt64(static_cast<uint64_t>(primitive_.key_kind)));
    });
    define_function("tutti_descending", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(b.getInt1(primitive_.descending));
    });
  }

 private:
  template <class Emit>
  void define(const std::string& name, Emit emit) {
    define_function("tutti_" + name + bits_.suffix, emit);
  }
  // Defines pieces first: they may call the function for one element.
  void define_elements(const std::string& piece, const std::string& element,
                       const FusedElements& fused, const std::string& suffix) {
    const std::string one = "tutti_" + element + suffix;
    define_function("tutti_" + piece + suffix,
                    [&](Builder& b, llvm::Function* f) { return fused.emit_piece(b, f, one); });
    define_function(one, [&](Builder& b, llvm::Function* f) { return fused.emit_element(b, f); });
  }
  template <class Emit>
  void define_function(const std::string& name, Emit emit) {
    llvm::Function* function = module_.getFunction(name);
    if (!function || function->use_empty()) return;
    Builder b(llvm::BasicBlock::Create(context_, "entry", function), isa_);
    emit(b, function);
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    function->removeFnAttr(llvm::Attribute::Convergent);
  }

  // void consume(words, first, x): the consumer at one point, or at the four of a piece; results(i)
  // returns the results from element i of the piece on.
  template <class Results>
  Value* emit_consume(Builder& b, llvm::Function* function, int lanes, Results results) {
    const compiler::Kernel* kernel = primitive_.consumer;
    if (!kernel) return b.CreateRetVoid();
    const bool single = function->getArg(2)->getType() == bits_.bits;
    const int first_word = words_of(primitive_.elements) + words_of(primitive_.values);
    RowEmitter rows(b, *kernel, machine_of(lanes), words_from(b, function, first_word));
    rows.emit_entry();
    rows.emit_row({b.getInt64(0)});
    for (int i = 0; i < (single ? 1 : piece_size); i += lanes) {
      rows.give(primitive_.consumed, results(i));
      rows.emit_point(b.CreateAdd(function->getArg(1), b.getInt64(uint64_t(i))), nullptr,
                      lanes == 1, [&](int o, Value* v, Value* j, Value*) {
                        store_output(b, rows, kernel->outputs[static_cast<size_t>(o)], o, j, v);
                      });
    }
    return b.CreateRetVoid();
  }
  void store_output(Builder& b, RowEmitter& rows, const compiler::Output& output, int o, Value* j,
                    Value* value) {
    Value* address = b.CreateGEP(memory_type(context_, output.type),
                                 rows.pointer_word(rows.layout().output(o)), j);
    b.CreateAlignedStore(to_memory(b, value, output.type), address,
                         llvm::Align(uint64_t(rows.lanes() * size_of(output.type))));
  }
  // Loads as many results as the consumer takes at once, from result i on.
  Value* load_results(Builder& b, Value* x, int i) {
    const auto result = [&](int k) {
      return bits_.in_register(
          b, b.CreateLoad(bits_.bits, b.CreateConstGEP1_64(bits_.bits, x, uint64_t(k))));
    };
    if (consumer_lanes_ == 1) return result(i);
    Value* first = result(i);
    Value* all = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(first->getType(), unsigned(consumer_lanes_)));
    for (int k = 0; k < consumer_lanes_; ++k)
      all = b.CreateInsertElement(all, k ? result(i + k) : first, uint64_t(k));
    return all;
  }

  llvm::Module& module_;
  GpuIsa& isa_;
  llvm::LLVMContext& context_;
  const GpuPrimitive& primitive_;
  const Bits bits_, value_bits_;
  const FusedElements elements_, values_;
  const int consumer_lanes_;  // results taken at once
};

// Emits the kernel, which calls the function with its words and arguments.
void emit_kernel(llvm::Module& module, llvm::Function* called, const GpuPrimitive& primitive,
                 GpuIsa& isa) {
  const int words =
      words_of(primitive.elements) + words_of(primitive.values) + words_of(primitive.consumer);
  auto& context = module.getContext();
  auto* parameter = llvm::ArrayType::get(llvm::Type::getInt64Ty(context),
                                         static_cast<uint64_t>(words) + uint64_t{argument_words});
  const GpuParameter block{parameter, true};
  llvm::Function* kernel = isa.declare_kernel(module, {&block, 1});
  isa.set_bounds(kernel, {.threads_x = primitive.threads, .resident = primitive.resident});
  Builder b(llvm::BasicBlock::Create(context, "entry", kernel), isa);
  Value* first = isa.parameter(b, 0);
  b.CreateCall(called, {first, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), first,
                                                            static_cast<uint64_t>(words))});
  b.CreateRetVoid();
}

}  // namespace

std::unique_ptr<llvm::Module> specialise(std::string_view bitcode, const GpuPrimitive& primitive,
                                         GpuIsa& isa, llvm::LLVMContext& context) {
  std::unique_ptr<llvm::Module> module = load_bitcode(bitcode, primitive.function, context);
  for (llvm::Function& other : *module) {  // clang's target is not the target of the kernel
    other.removeFnAttr("target-cpu");
    other.removeFnAttr("target-features");
    if (other.isDeclaration()) continue;
    other.setLinkage(llvm::GlobalValue::InternalLinkage);
    other.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  emit_kernel(*module, module->getFunction(primitive.function), primitive, isa);
  drop_unused(*module);
  Callbacks(*module, primitive, isa).define_used();
  return module;
}

namespace {

std::string key_of(const compiler::Kernel* kernel, const KernelId* known) {
  return known ? known->key : kernel ? kernel->key() : "";
}

}  // namespace

std::string primitive_key(const GpuPrimitive& primitive, uint64_t bitcode) {
  return primitive.function + " " + std::to_string(static_cast<int>(primitive.type)) + " " +
         std::to_string(static_cast<int>(primitive.reduction)) + " " +
         std::to_string(primitive.threads) + " " + std::to_string(primitive.resident) + " " +
         std::to_string(primitive.key_kind) + (primitive.descending ? " descending " : " ") +
         std::to_string(bitcode) + "\n" + key_of(primitive.elements, primitive.elements_id) +
         (primitive.values ? "\nvalues\n" + key_of(primitive.values, primitive.values_id) : "") +
         (primitive.consumer ? "\nconsumer " + std::to_string(primitive.consumed) + "\n" +
                                   key_of(primitive.consumer, primitive.consumer_id)
                             : "");
}

}  // namespace tutti::codegen

void tutti::schedule::FusedElements::emit(const codegen::GpuFunction&, const Kernel&) const {
  throw InternalError("elements of a primitive have no kernel of their own");
}
