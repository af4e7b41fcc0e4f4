// Memory for small short-lived objects: nodes, sequences, buffers. Each thread keeps freed blocks,
// by size, for later ones. malloc() caches seven blocks per size, but a level of a nested program
// allocates hundreds (a quarter of its time).
#pragma once
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tutti/detail/export.hpp"

namespace tutti {

// Blocks of any size; those that are not small come from the heap.
TUTTI_EXPORT void* take_block(size_t bytes);
TUTTI_EXPORT void give_back_block(void* block, size_t bytes);

// The base of classes whose objects are made by `new`.
struct SmallObject {
  static void* operator new(size_t bytes) { return take_block(bytes); }
  static void operator delete(void* block, size_t bytes) { give_back_block(block, bytes); }
};

template <class T>
struct SmallAllocator {
  using value_type = T;
  SmallAllocator() = default;
  template <class U>
  SmallAllocator(const SmallAllocator<U>&) {}
  T* allocate(size_t count) { return static_cast<T*>(take_block(count * sizeof(T))); }
  void deallocate(T* block, size_t count) { give_back_block(block, count * sizeof(T)); }
  bool operator==(const SmallAllocator&) const = default;
};

// For vectors of a few elements.
template <class T>
using SmallVector = std::vector<T, SmallAllocator<T>>;
// For maps whose entries are added and removed frequently.
template <class Key, class Value>
using SmallMap = std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<Key>,
                                    SmallAllocator<std::pair<const Key, Value>>>;

// std::make_shared for small objects.
template <class T, class... Arguments>
std::shared_ptr<T> make_small(Arguments&&... arguments) {
  return std::allocate_shared<T>(SmallAllocator<std::remove_const_t<T>>(),
                                 std::forward<Arguments>(arguments)...);
}

}  // namespace tutti
