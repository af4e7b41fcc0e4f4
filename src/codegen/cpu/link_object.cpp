// Makes an object file callable: its sections are laid out one after the other, relocated for their
// final address, and copied there. Object files that refer to external symbols are rejected.
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "codegen/codegen.hpp"
#include "codegen/cpu/code_memory.hpp"
#include "codegen/llvm_guard.hpp"

namespace tutti::codegen {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw CompileError("the code generator failed: " + what);
}

// The sections of an object file while it is being linked.
class Sections final : public llvm::RuntimeDyld::MemoryManager {
 public:
  uint8_t* allocateCodeSection(uintptr_t bytes, unsigned alignment, unsigned,
                               llvm::StringRef) override {
    return add(bytes, alignment);
  }
  uint8_t* allocateDataSection(uintptr_t bytes, unsigned alignment, unsigned, llvm::StringRef,
                               bool) override {
    return add(bytes, alignment);
  }
  // Kernels throw nothing and call nothing, so unwinders need no frames.
  void registerEHFrames(uint8_t*, uint64_t, size_t) override {}
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string*) override { return false; }

  size_t bytes() const { return bytes_; }

  void place_at(llvm::RuntimeDyld& linker, const char* address) const {
    for (const Section& section : all_)
      linker.mapSectionAddress(section.memory.get(),
                               reinterpret_cast<uint64_t>(address + section.offset));
  }
  std::vector<char> contents() const {
    std::vector<char> result(bytes_);
    for (const Section& section : all_)
      std::memcpy(result.data() + section.offset, section.memory.get(), section.bytes);
    return result;
  }

 private:
  struct Free {
    std::align_val_t alignment;
    void operator()(uint8_t* memory) const { ::operator delete(memory, alignment); }
  };
  struct Section {
    std::unique_ptr<uint8_t, Free> memory;
    size_t bytes, offset;
  };

  uint8_t* add(size_t bytes, size_t alignment) {
    alignment = std::max<size_t>(alignment, 16);
    const std::align_val_t align{alignment};
    const size_t room = std::max<size_t>(bytes, 1);  // so that all sections have distinct addresses
    std::unique_ptr<uint8_t, Free> memory(static_cast<uint8_t*>(::operator new(room, align)),
                                          Free{align});
    std::memset(memory.get(), 0, room);
    const size_t offset = (bytes_ + alignment - 1) / alignment * alignment;
    all_.push_back({std::move(memory), bytes, offset});
    bytes_ = offset + room;
    return all_.back().memory.get();
  }

  std::vector<Section> all_;
  size_t bytes_ = 0;
};

// A resolver that resolves no symbols.
class NoSymbols final : public llvm::JITSymbolResolver {
 public:
  void lookup(const LookupSet& symbols, OnResolvedFunction on_resolved) override {
    if (symbols.empty()) return on_resolved(LookupResult());
    on_resolved(llvm::createStringError(llvm::inconvertibleErrorCode(),
                                        "a kernel calls " + symbols.begin()->str()));
  }
  llvm::Expected<LookupSet> getResponsibilitySet(const LookupSet&) override { return LookupSet(); }
};

class LinkedCode final : public LoadedCode {
 public:
  LinkedCode(void* entry, const CodeMemory::Block& block)
      : LoadedCode(entry, block.bytes), block_(block) {}
  ~LinkedCode() override { CodeMemory::instance().give_back(block_); }

 private:
  const CodeMemory::Block block_;
};

// A block that is given back unless it is kept.
class TakenBlock {
 public:
  explicit TakenBlock(size_t bytes) : block_(CodeMemory::instance().take(bytes)) {}
  ~TakenBlock() {
    if (!kept_) CodeMemory::instance().give_back(block_);
  }
  TakenBlock(const TakenBlock&) = delete;
  TakenBlock& operator=(const TakenBlock&) = delete;

  const CodeMemory::Block& get() const { return block_; }
  std::unique_ptr<LoadedCode> keep(void* entry) {
    auto code = std::make_unique<LinkedCode>(entry, block_);
    kept_ = true;
    return code;
  }

 private:
  const CodeMemory::Block block_;
  bool kept_ = false;
};

// An object file that is being linked.
struct Linking {
  std::unique_ptr<llvm::object::ObjectFile> file;
  Sections sections;
  NoSymbols none;
  llvm::RuntimeDyld linker{sections, none};

  explicit Linking(const std::string& object) {
    auto parsed =
        llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "kernel"));
    if (!parsed) fail(llvm::toString(parsed.takeError()));
    file = std::move(*parsed);
    const auto loaded = linker.loadObject(*file);
    if (!loaded || linker.hasError()) fail(linker.getErrorString().str());
  }

  // The code relocated for an address, and its entry point.
  struct Placed {
    std::vector<char> code;
    void* entry = nullptr;
  };
  Placed placed_at(const char* address) {
    sections.place_at(linker, address);
    linker.resolveRelocations();
    if (linker.hasError()) fail(linker.getErrorString().str());
    const llvm::JITEvaluatedSymbol symbol = linker.getSymbol("kernel");
    if (!symbol) fail("an object file without a kernel");
    return {sections.contents(), reinterpret_cast<void*>(symbol.getAddress())};
  }
};

}  // namespace

// Memory for code is allocated between two calls of LLVM: the allocation takes a lock, and a call
// that is left by a jump would not release it.
std::unique_ptr<LoadedCode> link(const std::string& object) {
  Linking* linking = nullptr;
  with_llvm([&] { linking = new Linking(object); });
  std::unique_ptr<Linking> owned(linking);
  TakenBlock block(owned->sections.bytes());
  Linking::Placed placed;
  with_llvm([&, from = owned.release()] {
    const std::unique_ptr<Linking> until_done(from);  // leaks if LLVM is left by a jump
    placed = from->placed_at(block.get().address);
  });
  CodeMemory::instance().write(block.get(), placed.code);
  return block.keep(placed.entry);
}

}  // namespace tutti::codegen
