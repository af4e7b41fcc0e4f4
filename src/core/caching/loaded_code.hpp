// Machine code in memory, freed once it is evicted and no thread runs it. A slot holds the code of
// one kernel. The cache that loaded it counts as one use, each thread that runs it as another. The
// end of the last use frees the code, so no caller waits for another.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tutti {

struct LoadedCode {
  LoadedCode(void* entry, size_t bytes) : entry(entry), bytes(bytes) {}
  virtual ~LoadedCode() = default;
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  void* const entry;
  const size_t bytes;  // of memory, as counted by the limit on code
};

class CodeSlot {
 public:
  CodeSlot() = default;
  CodeSlot(const CodeSlot&) = delete;
  CodeSlot& operator=(const CodeSlot&) = delete;

  // Returns the entry of the code, which stays loaded until unpin(), or null if there is none.
  void* pin() noexcept {
    // Acquires even if there is no code: the next load writes members that the last use has read.
    int64_t uses = uses_.load(std::memory_order_acquire);
    while (uses > 0)
      if (uses_.compare_exchange_weak(uses, uses + 1, std::memory_order_acquire))
        return code_->entry;
    return nullptr;
  }
  void unpin() noexcept {
    // Read before the use ends: afterwards the slot may hold other code.
    LoadedCode* const code = code_;
    if (uses_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete code;
  }

  // Loads an empty slot and pins it twice: for the caller, and for the cache, which calls unpin()
  // when it evicts the code. Only one thread may load at a time.
  void* load(std::unique_ptr<LoadedCode> code) noexcept {
    code_ = code.release();
    void* const entry = code_->entry;
    uses_.store(2, std::memory_order_release);
    return entry;
  }

 private:
  std::atomic<int64_t> uses_{0};  // 0: there is no code
  LoadedCode* code_ = nullptr;    // valid while there are uses
};

}  // namespace tutti
