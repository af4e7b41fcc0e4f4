#include "graph/buffer.hpp"

#include <mutex>
#include <new>

#include "core/process/fork.hpp"
#include "tutti/error.hpp"

namespace tutti::ir {
namespace {

// Guards the origins of all buffers, which are written rarely and read by reports.
constinit std::mutex origins;
[[maybe_unused]] const bool is_registered =
    (hold_across_fork(ForkOrder::buffer_origins, origins), true);

}  // namespace

void Buffer::note_origin(const detail::Location& where, ElementType type,
                         const detail::Extents& shape) {
  if (bytes_ < least_noted) return;
  std::lock_guard lock(origins);
  std::string name = origin_ ? std::move(origin_->name) : std::string();
  // If memory is exhausted, the origin stays unknown: the caller must not fail.
  origin_.reset(new (std::nothrow) BufferOrigin{where, type, shape, std::move(name)});
}

void Buffer::note_name(const std::string& name) {
  std::lock_guard lock(origins);
  if (origin_) origin_->name = name;
}

void Buffer::refuse() const { throw InternalError("a buffer without elements was read"); }

std::optional<BufferOrigin> Buffer::origin() const {
  std::lock_guard lock(origins);
  return origin_ ? std::optional(*origin_) : std::nullopt;
}

}  // namespace tutti::ir
