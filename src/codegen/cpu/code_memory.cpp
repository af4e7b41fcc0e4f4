#include "codegen/cpu/code_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/process/fork.hpp"
#include "tutti/error.hpp"

namespace tutti::codegen {
namespace {

constexpr size_t slab_bytes = size_t{1} << 20;
constexpr size_t most_pages = slab_bytes / 4096;
constexpr int executable = PROT_READ | PROT_EXEC;

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
size_t pages_of_slab() { return slab_bytes / page_bytes(); }

[[noreturn]] void fail(const char* what, size_t bytes) {
  throw CompileError("no memory for the machine code of a kernel: " + std::string(what) + " for " +
                     std::to_string(bytes) + " bytes failed (" + std::strerror(errno) +
                     "); clear_kernel_cache() releases the code of other kernels");
}

char* map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, executable, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap", bytes);
  return static_cast<char*>(memory);
}

}  // namespace

struct CodeMemory::Slab {
  char* memory;
  std::bitset<most_pages> used;  // by page

  explicit Slab(char* at) : memory(at) {}
  ~Slab() {
    if (memory) munmap(memory, slab_bytes);
  }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  // Returns the first of `pages` consecutive free pages, or pages_of_slab() if there are none.
  size_t find(size_t pages) const {
    size_t free = 0;
    for (size_t page = 0; page < pages_of_slab(); ++page) {
      free = used[page] ? 0 : free + 1;
      if (free == pages) return page + 1 - pages;
    }
    return pages_of_slab();
  }
  void mark(size_t first, size_t pages, bool as_used) {
    for (size_t page = first; page < first + pages; ++page) used[page] = as_used;
  }
};

CodeMemory::CodeMemory() = default;
CodeMemory::~CodeMemory() = default;

CodeMemory& CodeMemory::instance() {
  // Never destroyed: kernels may run during the destruction of static variables.
  static CodeMemory* memory = [] {
    auto* made = new CodeMemory;
    hold_across_fork(ForkOrder::code, made->mutex_);
    return made;
  }();
  return *memory;
}

CodeMemory::Block CodeMemory::take_from(Slab& slab, size_t pages) {
  const size_t first = slab.find(pages);
  if (first == pages_of_slab()) return {};
  slab.mark(first, pages, true);
  return {slab.memory + first * page_bytes(), pages * page_bytes(), &slab};
}

CodeMemory::Slab& CodeMemory::new_slab() {
  slabs_.reserve(slabs_.size() + 1);
  auto slab = std::make_unique<Slab>(nullptr);
  slab->memory = map(slab_bytes);
  slabs_.push_back(std::move(slab));
  return *slabs_.back();
}

CodeMemory::Block CodeMemory::take(size_t bytes) {
  const size_t pages = std::max<size_t>((bytes + page_bytes() - 1) / page_bytes(), 1);
  std::lock_guard lock(mutex_);
  if (pages > pages_of_slab() / 4) {
    const Block block{map(pages * page_bytes()), pages * page_bytes(), nullptr};
    alone_bytes_ += block.bytes;
    return block;
  }
  for (const auto& slab : slabs_)
    if (const Block block = take_from(*slab, pages); block.address) return block;
  return take_from(new_slab(), pages);
}

void CodeMemory::write(const Block& block, std::span<const char> code) {
  std::lock_guard lock(mutex_);
  if (mprotect(block.address, block.bytes, PROT_READ | PROT_WRITE) != 0)
    fail("mprotect", block.bytes);
  std::memcpy(block.address, code.data(), code.size());
  if (mprotect(block.address, block.bytes, executable) != 0) fail("mprotect", block.bytes);
  __builtin___clear_cache(block.address, block.address + block.bytes);
}

void CodeMemory::give_back(const Block& block) noexcept {
  std::lock_guard lock(mutex_);
  if (!block.slab) {
    munmap(block.address, block.bytes);
    alone_bytes_ -= block.bytes;
    return;
  }
  madvise(block.address, block.bytes, MADV_DONTNEED);
  block.slab->mark(static_cast<size_t>(block.address - block.slab->memory) / page_bytes(),
                   block.bytes / page_bytes(), false);
  const auto is_empty = [](const auto& slab) { return slab->used.none(); };
  if (!block.slab->used.none() || std::ranges::count_if(slabs_, is_empty) < 2) return;
  std::erase_if(slabs_, [&](const auto& slab) { return slab.get() == block.slab; });
}

size_t CodeMemory::bytes_mapped() {
  std::lock_guard lock(mutex_);
  return slabs_.size() * slab_bytes + alone_bytes_;
}

}  // namespace tutti::codegen
