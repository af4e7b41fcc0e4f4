// Primitives that have been launched before, found by their parameters. The identities of their
// kernels are compared by address instead of by a text of a thousand characters. The number of
// primitives is limited: all are dropped at the limit, because making an entry again is cheap.
#pragma once
#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "codegen/gpu/primitives.hpp"
#include "core/caching/hash.hpp"
#include "runtime/gpu/launch_log.hpp"

namespace tutti::runtime::gpu {

struct KnownPrimitive {
  KernelRef id;
  LaunchLog::Name name;
};

class KnownPrimitives {
 public:
  std::optional<KnownPrimitive> find(const codegen::GpuPrimitive& primitive) {
    std::lock_guard lock(mutex_);
    const auto found = known_.find(Identity(primitive));
    return found == known_.end() ? std::nullopt : std::optional(found->second.known);
  }
  void add(const codegen::GpuPrimitive& primitive, const KnownPrimitive& known) {
    std::lock_guard lock(mutex_);
    if (known_.size() >= most) known_.clear();
    const Identity identity(primitive);
    Entry entry{known, {}};
    for (size_t k = 0; k < identity.kernels.size(); ++k)
      if (identity.kernels[k]) entry.kernels[k] = identity.kernels[k]->shared_from_this();
    known_.emplace(identity, std::move(entry));
  }
  void forget() {
    std::lock_guard lock(mutex_);
    known_.clear();
  }

 private:
  struct Identity {
    explicit Identity(const codegen::GpuPrimitive& p)
        : function(p.function),
          kernels{p.elements_id, p.values_id, p.consumer_id},
          numbers{static_cast<int>(p.type),
                  static_cast<int>(p.reduction),
                  p.threads,
                  p.resident,
                  p.key_kind,
                  p.descending,
                  p.consumed} {}
    bool operator==(const Identity&) const = default;

    std::string function;
    std::array<const KernelId*, 3> kernels;
    std::array<int, 7> numbers;
  };
  struct Hash {
    size_t operator()(const Identity& identity) const {
      uint64_t hash = hash_bytes(identity.function);
      for (const KernelId* kernel : identity.kernels)
        hash = mix(hash ^ reinterpret_cast<uint64_t>(kernel), 0xd6e8feb86659fd93u);
      for (int number : identity.numbers)
        hash = mix(hash ^ static_cast<uint64_t>(number), 0xa0761d6478bd642fu);
      return hash;
    }
  };

  // Holds the kernels, so that their addresses are not reused.
  struct Entry {
    KnownPrimitive known;
    std::array<KernelRef, 3> kernels;
  };
  static constexpr size_t most = 4096;

  std::mutex mutex_;
  std::unordered_map<Identity, Entry, Hash> known_;
};

}  // namespace tutti::runtime::gpu
