// A library for LD_PRELOAD that puts every array alone in the address space, with 64 MB of unmapped
// addresses on both sides. Compiled kernels are not instrumented, so sanitizers do not see what
// they read; here a wild read ends the process. Arrays must come from the system one by one:
//   LD_PRELOAD=libtutti_guarded_memory.so TUTTI_POOL_BYTES=0 test_compiler
// Replaces aligned_alloc(), which the pool of arrays calls, and free(). Address space is not used
// again; when it is used up, further blocks are ordinary ones.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

extern "C" {
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace {

constexpr size_t page = 4096;
constexpr size_t guard = size_t{64} << 20;
constexpr size_t least = 2048;  // bytes: smaller blocks are no arrays worth a page
constexpr uintptr_t first_address = 0x2000'0000'0000, last_address = 0x5000'0000'0000;

std::atomic<uintptr_t> next_address = first_address;

size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

// The page before a block holds its size.
size_t& size_of(void* block) {
  return *reinterpret_cast<size_t*>(static_cast<char*>(block) - page);
}

void* guarded(size_t alignment, size_t size) {
  const size_t body = round_up(size, page);
  const uintptr_t from = next_address.fetch_add(round_up(body + 2 * guard, guard) + alignment);
  const uintptr_t block = round_up(from + guard, alignment < page ? page : alignment);
  if (block + body > last_address) return nullptr;
  void* const wanted = reinterpret_cast<void*>(block - page);
  if (mmap(wanted, page + body, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != wanted)
    return nullptr;
  size_of(reinterpret_cast<void*>(block)) = body;
  return reinterpret_cast<void*>(block);
}

bool is_guarded(const void* memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  return address >= first_address && address < last_address;
}

}  // namespace

extern "C" {

void* aligned_alloc(size_t alignment, size_t size) {
  void* const block = size < least ? nullptr : guarded(alignment, size);
  return block ? block : __libc_memalign(alignment, size);
}

void free(void* memory) {
  if (is_guarded(memory))
    munmap(static_cast<char*>(memory) - page, page + size_of(memory));
  else
    __libc_free(memory);
}

}  // extern "C"
