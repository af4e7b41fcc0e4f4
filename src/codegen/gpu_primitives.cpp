#include "codegen/gpu_primitives.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Support/MemoryBuffer.h>

#include "codegen/gpu_bitcode.hpp"
#include "codegen/gpu_shape.hpp"
#include "codegen/optimise.hpp"
#include "codegen/ptx_module.hpp"
#include "codegen/row_emitter.hpp"
#include "core/hash.hpp"
#include "ir/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

constexpr unsigned global_memory = 1;
constexpr int piece_size = 4;  // elements that tutti_piece computes

// Defines the functions that the bitcode leaves open, for elements represented as integers.
class Callbacks {
 public:
  Callbacks(llvm::Module& module, const GpuPrimitive& primitive)
      : module_(module),
        context_(module.getContext()),
        primitive_(primitive),
        stored_(memory_type(context_, primitive.type)),
        bits_(llvm::Type::getIntNTy(context_, 8 * static_cast<unsigned>(size_of(primitive.type)))),
        suffix_("u" + std::to_string(8 * size_of(primitive.type))),
        lanes_(primitive.elements ? lanes_of(*primitive.elements) : 1),
        consumer_lanes_(primitive.consumer ? lanes_of(*primitive.consumer) : 1) {}

  void define_used() {
    define("combine", [&](Builder& b, llvm::Function* f) {
      return b.CreateRet(
          as_bits(b, emit_combine(b, primitive_.reduction, primitive_.type,
                                  as_register(b, f->getArg(0)), as_register(b, f->getArg(1)))));
    });
    define("neutral", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(number(ir::identity_of(primitive_.reduction, primitive_.type)));
    });
    define("nothing", [&](Builder& b, llvm::Function*) {
      return b.CreateRet(number(ir::empty_result(primitive_.reduction, primitive_.type)));
    });
    define("piece", [&](Builder& b, llvm::Function* f) { return emit_piece(b, f); });
    define("element", [&](Builder& b, llvm::Function* f) { return emit_element(b, f); });
    define("consume_element", [&](Builder& b, llvm::Function* f) {
      Value* x = as_register(b, f->getArg(2));
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
      return b.CreateRet(b.getInt1(lanes_ > 1));
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
    define_function("tutti_" + name + "_" + suffix_, emit);
  }
  template <class Emit>
  void define_function(const std::string& name, Emit emit) {
    llvm::Function* function = module_.getFunction(name);
    if (!function || function->use_empty()) return;
    Builder b(llvm::BasicBlock::Create(context_, "entry", function));
    emit(b, function);
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    function->removeFnAttr(llvm::Attribute::Convergent);
  }

  static int lanes_of(const passes::Kernel& elements) {
    const GpuShape shape = gpu_shape(elements);
    return shape.linear && elements.domain.rank == 1 ? shape.lanes : 1;
  }

  Value* number(const ScalarValue& value) { return llvm::ConstantInt::get(bits_, value.bits); }
  Value* as_register(Builder& b, Value* bits) {
    return from_memory(b, b.CreateBitCast(bits, stored_), primitive_.type);
  }
  Value* as_bits(Builder& b, Value* value) {
    return b.CreateBitCast(to_memory(b, value, primitive_.type), bits_);
  }

  // U element(words, i): the position as coordinates of the element kernel's domain.
  Value* emit_element(Builder& b, llvm::Function* function) {
    Machine machine;
    machine.lanes = 1;
    machine.global = global_memory;
    const passes::Kernel& kernel = *primitive_.elements;
    RowEmitter rows(b, kernel, machine, function->getArg(0));
    rows.emit_entry();
    std::vector<Value*> at(static_cast<size_t>(kernel.domain.rank), b.getInt64(0));
    Value* position = function->getArg(1);
    for (int dim = kernel.inner(); dim > 0; --dim) {
      at[static_cast<size_t>(dim)] = b.CreateURem(position, rows.extent(dim));
      position = b.CreateUDiv(position, rows.extent(dim));
    }
    at[0] = position;
    rows.emit_row(at);
    Value* result = nullptr;
    rows.emit_point(at.back(), nullptr, true,
                    [&](int, Value* v, Value*, Value*) { result = as_bits(b, v); });
    return b.CreateRet(result);
  }

  // void piece(words, first, x): four elements from `first`, which is a multiple of four.
  Value* emit_piece(Builder& b, llvm::Function* function) {
    Value* first = function->getArg(1);
    const auto position = [&](int i) { return b.CreateAdd(first, b.getInt64(uint64_t(i))); };
    if (lanes_ == 1) {
      const llvm::FunctionCallee element = module_.getOrInsertFunction(
          "tutti_element_" + suffix_, bits_, b.getPtrTy(), b.getInt64Ty());
      for (int i = 0; i < piece_size; ++i)
        store(b, function, i, b.CreateCall(element, {function->getArg(0), position(i)}));
      return b.CreateRetVoid();
    }
    Machine machine;
    machine.lanes = lanes_;
    machine.global = global_memory;
    RowEmitter rows(b, *primitive_.elements, machine, function->getArg(0));
    rows.emit_entry();
    rows.emit_row({b.getInt64(0)});
    for (int i = 0; i < piece_size; i += lanes_)
      rows.emit_point(position(i), nullptr, false, [&](int, Value* v, Value*, Value*) {
        for (int c = 0; c < lanes_; ++c)
          store(b, function, i + c, as_bits(b, b.CreateExtractElement(v, uint64_t(c))));
      });
    return b.CreateRetVoid();
  }

  // void consume(words, first, x): the consumer at one point, or at the four of a piece; results(i)
  // are those from element i of the piece on.
  template <class Results>
  Value* emit_consume(Builder& b, llvm::Function* function, int lanes, Results results) {
    const passes::Kernel* kernel = primitive_.consumer;
    if (!kernel) return b.CreateRetVoid();
    const bool single = function->getArg(2)->getType() == bits_;
    Machine machine;
    machine.lanes = lanes;
    machine.global = global_memory;
    Value* words = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), function->getArg(0),
                                                uint64_t(words_of(primitive_.elements)));
    RowEmitter rows(b, *kernel, machine, words);
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
  void store_output(Builder& b, RowEmitter& rows, const passes::Output& output, int o, Value* j,
                    Value* value) {
    Value* address = b.CreateGEP(memory_type(context_, output.type),
                                 rows.pointer_word(rows.layout().output(o)), j);
    b.CreateAlignedStore(to_memory(b, value, output.type), address,
                         llvm::Align(uint64_t(rows.lanes() * size_of(output.type))));
  }
  // Results i and on, as many as the consumer takes at once.
  Value* load_results(Builder& b, Value* x, int i) {
    const auto result = [&](int k) {
      return as_register(b, b.CreateLoad(bits_, b.CreateConstGEP1_64(bits_, x, uint64_t(k))));
    };
    if (consumer_lanes_ == 1) return result(i);
    Value* first = result(i);
    Value* all = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(first->getType(), unsigned(consumer_lanes_)));
    for (int k = 0; k < consumer_lanes_; ++k)
      all = b.CreateInsertElement(all, k ? result(i + k) : first, uint64_t(k));
    return all;
  }

  void store(Builder& b, llvm::Function* function, int i, Value* value) {
    b.CreateStore(value, b.CreateConstGEP1_64(bits_, function->getArg(2), uint64_t(i)));
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const GpuPrimitive& primitive_;
  llvm::Type *stored_, *bits_;
  const std::string suffix_;
  const int lanes_, consumer_lanes_;  // elements computed, and results taken, at once
};

// The kernel, which calls the function with its words and arguments.
void emit_kernel(llvm::Module& module, llvm::Function* called, int words,
                 const GpuPrimitive& primitive) {
  auto& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {llvm::PointerType::get(context, 0)}, false);
  auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  auto* parameter = llvm::ArrayType::get(llvm::Type::getInt64Ty(context),
                                         static_cast<uint64_t>(words + argument_words));
  kernel->addParamAttr(0, llvm::Attribute::getWithByValType(context, parameter));
  kernel->addParamAttr(0, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  kernel->addParamAttr(0, llvm::Attribute::get(context, "nvvm.grid_constant"));
  kernel->addFnAttr("nvvm.maxntid", std::to_string(primitive.threads));
  if (primitive.resident) kernel->addFnAttr("nvvm.minctasm", std::to_string(primitive.resident));
  Builder b(llvm::BasicBlock::Create(context, "entry", kernel));
  b.CreateCall(called,
               {kernel->getArg(0), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), kernel->getArg(0),
                                                                static_cast<uint64_t>(words))});
  b.CreateRetVoid();
}

}  // namespace

bool has_gpu_primitives() { return !gpu_bitcode().empty(); }

int words_of(const passes::Kernel* kernel) {
  return kernel ? passes::ArgumentLayout(*kernel).words() : 0;
}

std::string compile_primitive_ptx(const GpuPrimitive& primitive, const PtxTarget& target) {
  const auto load = [&](llvm::LLVMContext& context) {
    const std::string_view bitcode = gpu_bitcode();
    auto module = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "primitives"),
        context);
    if (!module)
      throw InternalError("the bitcode of the GPU primitives cannot be read: " +
                          llvm::toString(module.takeError()));
    llvm::Function* function = (*module)->getFunction(primitive.function);
    if (!function || function->isDeclaration())
      throw InternalError("no GPU primitive is called " + primitive.function);
    for (llvm::Function& other : **module) {  // clang's own target says nothing about ours
      other.removeFnAttr("target-cpu");
      other.removeFnAttr("target-features");
      if (other.isDeclaration()) continue;
      other.setLinkage(llvm::GlobalValue::InternalLinkage);
      other.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    emit_kernel(**module, function, words_of(primitive.elements) + words_of(primitive.consumer),
                primitive);
    drop_unused(**module);
    Callbacks(**module, primitive).define_used();
    return std::move(*module);
  };
  return linked_ptx(target, load);
}

namespace {

std::string key_of(const passes::Kernel* kernel, const std::string* known) {
  return known ? *known : kernel ? kernel->key() : "";
}

}  // namespace

std::string primitive_key(const GpuPrimitive& primitive) {
  static const uint64_t bitcode = hash_bytes(gpu_bitcode());
  return primitive.function + " " + std::to_string(static_cast<int>(primitive.type)) + " " +
         std::to_string(static_cast<int>(primitive.reduction)) + " " +
         std::to_string(primitive.threads) + " " + std::to_string(primitive.resident) + " " +
         std::to_string(primitive.key_kind) + (primitive.descending ? " descending " : " ") +
         std::to_string(bitcode) + "\n" + key_of(primitive.elements, primitive.elements_key) +
         (primitive.consumer ? "\nconsumer " + std::to_string(primitive.consumed) + "\n" +
                                   key_of(primitive.consumer, primitive.consumer_key)
                             : "");
}

}  // namespace tutti::codegen
