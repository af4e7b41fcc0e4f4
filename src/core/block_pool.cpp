#include "core/block_pool.hpp"

#include <array>
#include <new>

namespace tutti {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;  // so that the sanitizer detects uses after free
#else
constexpr bool keeps_blocks = true;
#endif

constexpr size_t step = 32, largest = 512;
constexpr size_t most_bytes = size_t{2} << 20;  // that a thread keeps per size

// Free blocks of one size, each holding the address of the next.
struct Spare {
  void* first = nullptr;
  size_t bytes = 0;
};

// Plain data at a fixed address for each thread: an object with a constructor, or one that has to
// be found, would cost a check at every access.
struct SpareBlocks {
  std::array<Spare, largest / step> by_size{};
  bool given_back_at_exit = false, gone = false;  // objects in static variables outlive threads
};
[[gnu::tls_model("initial-exec")]] constinit thread_local SpareBlocks spare_blocks;

struct GiveBackAtExit {
  ~GiveBackAtExit() {
    for (Spare& spare : spare_blocks.by_size)
      while (spare.first)
        ::operator delete(std::exchange(spare.first, *static_cast<void**>(spare.first)));
    spare_blocks.gone = true;
  }
};
void give_back_at_exit() {
  thread_local GiveBackAtExit instance;
  spare_blocks.given_back_at_exit = true;
}

size_t class_of(size_t bytes) { return (bytes - 1) / step; }
size_t size_of_class(size_t index) { return (index + 1) * step; }

}  // namespace

void* take_block(size_t bytes) {
  if (!keeps_blocks || bytes - 1 >= largest) return ::operator new(bytes);
  const size_t index = class_of(bytes);
  Spare& spare = spare_blocks.by_size[index];
  if (!spare.first) return ::operator new(size_of_class(index));
  spare.bytes -= size_of_class(index);
  return std::exchange(spare.first, *static_cast<void**>(spare.first));
}

void give_back_block(void* block, size_t bytes) {
  SpareBlocks& blocks = spare_blocks;
  if (!keeps_blocks || bytes - 1 >= largest || blocks.gone) return ::operator delete(block);
  const size_t index = class_of(bytes);
  Spare& spare = blocks.by_size[index];
  if (spare.bytes >= most_bytes) return ::operator delete(block);
  if (!blocks.given_back_at_exit) give_back_at_exit();
  *static_cast<void**>(block) = std::exchange(spare.first, block);
  spare.bytes += size_of_class(index);
}

}  // namespace tutti
