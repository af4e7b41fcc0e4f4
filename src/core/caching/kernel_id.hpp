// The identity of a kernel: one object for each key in use, so that keys are compared and looked up
// by address. It also holds the code that devices have loaded for the kernel, where every plan that
// contains the kernel finds it. An identity ends with the last plan or cache that refers to it.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "core/caching/loaded_code.hpp"
#include "tutti/detail/export.hpp"

namespace tutti {

struct KernelId : std::enable_shared_from_this<KernelId> {
  explicit KernelId(std::string text) : key(std::move(text)) {}
  ~KernelId();
  KernelId(const KernelId&) = delete;
  KernelId& operator=(const KernelId&) = delete;

  const std::string key;  // everything that the machine code depends on, except the machine

  mutable CodeSlot code;                     // for the CPU
  mutable std::atomic<int64_t> last_use{0};  // by the clock of the cache that loaded the code
  // For other devices, by their number: null, or a loaded function. Each device clears its entries
  // before it unloads the functions. Devices with higher numbers use their own table.
  static constexpr size_t most_devices = 8;
  mutable std::array<std::atomic<void*>, most_devices> on_device{};
};

using KernelRef = std::shared_ptr<const KernelId>;

// Returns the identity for this key, which all callers share while one of them holds it.
TUTTI_EXPORT KernelRef kernel_id(std::string key);

TUTTI_EXPORT size_t kernel_ids_in_use();

}  // namespace tutti
