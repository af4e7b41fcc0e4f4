// The elements of a split array: this rank's part in memory, with room around it for elements of
// its neighbours. The buffer of a node refers to it. Code that does not know of ranks reads all
// elements from that buffer, which gathers them.
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
  // Fills the memory on one rank. Collective too.
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

// Returns the split array of a leaf; null if this rank has all its elements.
std::shared_ptr<SplitArray> split_array_of(const Node& leaf);

// Makes a buffer of the whole array, which gathers the parts on demand.
BufferRef buffer_of(std::shared_ptr<SplitArray> array);

// Return the bytes on the host, to read and to write.
std::byte* host_bytes(const BufferRef& buffer);
std::byte* writable_host_bytes(const BufferRef& buffer);

}  // namespace tutti::ranks
