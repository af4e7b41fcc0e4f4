// Memory for machine code. Kernels share slabs of one megabyte, because one mapping for each kernel
// would reach the system's limit on mappings. A kernel occupies whole pages, so a page is never
// writable while code in it may run. All empty slabs but one are returned to the system.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tutti/detail/export.hpp"

namespace tutti::codegen {

class TUTTI_EXPORT CodeMemory {
 public:
  struct Slab;
  struct Block {
    char* address = nullptr;
    size_t bytes = 0;      // whole pages
    Slab* slab = nullptr;  // null: a separate mapping
  };

  CodeMemory();
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  // Throws CompileError if the system has no more memory.
  Block take(size_t bytes);
  // Fills a block from its beginning. Afterwards the block is executable and not writable.
  void write(const Block& block, std::span<const char> code);
  void give_back(const Block& block) noexcept;

  size_t bytes_mapped();

  static CodeMemory& instance();

 private:
  Block take_from(Slab& slab, size_t pages);
  Slab& new_slab();

  std::mutex mutex_;
  std::vector<std::unique_ptr<Slab>> slabs_;
  size_t alone_bytes_ = 0;  // in separate mappings
};

}  // namespace tutti::codegen
