// The elements of a split array: this rank's part in memory, with room around it for elements of
// its neighbours. It stands behind the buffer of a node. Code that knows nothing of ranks asks that
// buffer for all elements, and gets them gathered.
#pragma once
#include <memory>

#include "graph/node.hpp"
#include "ranks/layout.hpp"
#include "ranks/session.hpp"
#include "runtime/memory/buffer.hpp"

namespace tutti::ranks {

using ir::BufferRef;
using ir::Node;
using tutti::detail::Location;
using tutti::detail::NodeRef;

class SplitArray final : public runtime::ElementSource {
 public:
  // `buffer` holds the elements of `room`, a box around this rank's part.
  SplitArray(Session& session, ElementType type, const Extents& shape, Layout layout,
             BufferRef buffer, const Box& room, const Location& where)
      : session(session),
        type(type),
        shape(shape),
        layout(std::move(layout)),
        buffer(std::move(buffer)),
        room(room),
        where(where) {}

  void fill(void* target) override;  // collective
  // The same on one rank; collective too.
  void fill_on(int rank, void* target);

  Box own() const { return layout.part(shape, session.rank()); }
  size_t element_bytes() const { return static_cast<size_t>(size_of(type)); }

  Session& session;
  const ElementType type;
  const Extents shape;
  const Layout layout;
  BufferRef buffer;
  Box room;
  const Location where;
};

// The split array behind a leaf; null if this rank has all its elements.
std::shared_ptr<SplitArray> split_array_of(const Node& leaf);

// A buffer of the whole array that stands for its parts.
BufferRef buffer_of(std::shared_ptr<SplitArray> array);

// Bytes on the host, to read and to write.
std::byte* host_bytes(const BufferRef& buffer);
std::byte* writable_host_bytes(const BufferRef& buffer);

}  // namespace tutti::ranks
