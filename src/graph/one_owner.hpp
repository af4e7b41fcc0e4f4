// Who may overwrite a buffer.
#pragma once
#include <algorithm>
#include <cstdint>
#include <ranges>

#include "graph/buffer.hpp"

namespace tutti::ir {

// Returns whether a buffer has one owner. Then nothing else reads the contents, and the owner may
// overwrite them. A reference in one of the lists `lent` is no owner: the caller knows that it ends
// with the operation at hand. Only the owner may call this: another one could copy its reference
// meanwhile.
template <std::ranges::input_range... Lists>
bool has_one_owner(const BufferRef& buffer, Lists&&... lent) {
  const auto leases = (int64_t{0} + ... + std::ranges::count(lent, buffer));
  return buffer.use_count() - leases == 1;
}

}  // namespace tutti::ir
