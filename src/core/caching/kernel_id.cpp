#include "core/caching/kernel_id.hpp"

#include <mutex>
#include <string_view>
#include <unordered_map>

#include "core/process/fork.hpp"

namespace tutti {
namespace {

// The keys are views of the identities' own texts. An identity without references stays here until
// its destructor has the lock.
struct Table {
  std::mutex mutex;
  std::unordered_map<std::string_view, const KernelId*> ids;
};
Table& table() {
  // Kernels in static variables outlive every other object.
  static Table* instance = [] {
    auto* made = new Table;
    hold_across_fork(ForkOrder::kernels, made->mutex);
    return made;
  }();
  return *instance;
}

}  // namespace

KernelRef kernel_id(std::string key) {
  KernelRef made;  // destroyed after the lock is gone: its destructor takes the lock
  std::lock_guard lock(table().mutex);
  if (const auto found = table().ids.find(key); found != table().ids.end()) {
    if (KernelRef known = found->second->weak_from_this().lock()) return known;
    table().ids.erase(found);  // it is being destroyed
  }
  made = std::make_shared<const KernelId>(std::move(key));
  table().ids.emplace(made->key, made.get());
  return made;
}

KernelId::~KernelId() {
  std::lock_guard lock(table().mutex);
  const auto found = table().ids.find(key);
  if (found != table().ids.end() && found->second == this) table().ids.erase(found);
}

size_t kernel_ids_in_use() {
  std::lock_guard lock(table().mutex);
  return table().ids.size();
}

}  // namespace tutti
