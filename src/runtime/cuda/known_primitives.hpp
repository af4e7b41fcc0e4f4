// Primitives that have been launched before, found by what tells them apart. The keys of their
// kernels are interned: their addresses are compared instead of a text of a thousand letters.
#pragma once
#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "codegen/gpu_primitives.hpp"
#include "core/hash.hpp"
#include "runtime/cuda/launch_log.hpp"

namespace tutti::runtime::cuda {

struct KnownPrimitive {
  Handle function;
  LaunchLog::Name name;
};

class KnownPrimitives {
 public:
  std::optional<KnownPrimitive> find(const codegen::GpuPrimitive& primitive) {
    std::lock_guard lock(mutex_);
    const auto found = known_.find(Identity(primitive));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(const codegen::GpuPrimitive& primitive, const KnownPrimitive& known) {
    std::lock_guard lock(mutex_);
    known_.emplace(Identity(primitive), known);
  }
  void forget() {
    std::lock_guard lock(mutex_);
    known_.clear();
  }

 private:
  struct Identity {
    explicit Identity(const codegen::GpuPrimitive& p)
        : function(p.function),
          keys{p.elements_key, p.values_key, p.consumer_key},
          numbers{static_cast<int>(p.type),
                  static_cast<int>(p.reduction),
                  p.threads,
                  p.resident,
                  p.key_kind,
                  p.descending,
                  p.consumed} {}
    bool operator==(const Identity&) const = default;

    std::string function;
    std::array<const std::string*, 3> keys;
    std::array<int, 7> numbers;
  };
  struct Hash {
    size_t operator()(const Identity& identity) const {
      uint64_t hash = hash_bytes(identity.function);
      for (const std::string* key : identity.keys)
        hash = mix(hash ^ reinterpret_cast<uint64_t>(key), 0xd6e8feb86659fd93u);
      for (int number : identity.numbers)
        hash = mix(hash ^ static_cast<uint64_t>(number), 0xa0761d6478bd642fu);
      return hash;
    }
  };

  std::mutex mutex_;
  std::unordered_map<Identity, KnownPrimitive, Hash> known_;
};

}  // namespace tutti::runtime::cuda
