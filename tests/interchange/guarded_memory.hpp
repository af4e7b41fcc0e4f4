// Memory between two pages that cannot be touched: to read or write a byte outside of it, or to
// write into it once it is sealed, ends the process. Kernels are not seen by the address sanitizer;
// this sees them.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace tutti::test {

enum class Side { before, after };  // where the elements touch the guard

template <class T>
class GuardedMemory {
 public:
  GuardedMemory(int64_t elements, Side side) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = static_cast<size_t>(elements) * sizeof(T);
    inside_ = (bytes + page - 1) / page * page;
    all_ = inside_ + 2 * page;
    void* block = mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::runtime_error("mmap failed");
    block_ = static_cast<char*>(block);
    first_page_ = block_ + page;
    if (mprotect(first_page_, inside_, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");
    data_ =
        reinterpret_cast<T*>(side == Side::before ? first_page_ : first_page_ + inside_ - bytes);
    for (int64_t i = 0; i < elements; ++i) data_[i] = static_cast<T>(i % 97);
  }
  ~GuardedMemory() { munmap(block_, all_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  void seal() { mprotect(first_page_, inside_, PROT_READ); }
  T* data() { return data_; }

 private:
  size_t inside_, all_;
  char *block_, *first_page_;
  T* data_;
};

}  // namespace tutti::test
