#include "ranks/exchange.hpp"

#include "runtime/memory/pool.hpp"

namespace tutti::ranks {
namespace {

using Leaf = LocalGraph::Leaf;

// A box that is needed in one piece of the axis itself, and how far it was moved there.
struct Piece {
  Box box;
  int64_t shift = 0;  // needed coordinate = coordinate + shift, on the axis of the layout
};

std::vector<Piece> pieces_of(const Box& needed, const SplitArray& array, const Box& owned) {
  std::vector<Piece> pieces;
  const int axis = array.layout.axis;
  const int64_t extent = array.shape[axis];
  if (needed.size() == 0) return pieces;
  for (int64_t turn = -1; turn <= 1; ++turn) {
    Box moved = needed;
    moved[axis] = {needed[axis].lo - turn * extent, needed[axis].hi - turn * extent};
    const Box piece = intersect(moved, owned);
    if (piece.size() > 0) pieces.push_back({piece, turn * extent});
  }
  return pieces;
}

Box moved_by(Box box, int axis, int64_t shift) {
  box[axis].lo += shift;
  box[axis].hi += shift;
  return box;
}

size_t bytes_of(const Box& box, const SplitArray& array) {
  return static_cast<size_t>(box.size()) * array.element_bytes();
}

// All pieces of all leaves that rank `from` sends to rank `to`, in one order that both know.
template <class F>
void for_each_piece(const std::vector<Leaf>& leaves, const std::vector<std::vector<Box>>& needs,
                    int from, int to, F f) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    const SplitArray& array = *leaves[i].array;
    const Box owned = array.layout.part(array.shape, from);
    for (const Piece& piece : pieces_of(needs[static_cast<size_t>(to)][i], array, owned))
      f(i, piece);
  }
}

// Where the needed elements of a leaf are put together; the rank's own are there already.
struct Target {
  BufferRef buffer;
  Box box;
};

// Halos get room around the part, so that they are received in place from then on.
Target target_of(const Leaf& leaf) {
  SplitArray& array = *leaf.array;
  const Box own = array.own();
  if (leaf.needed.size() == 0 || array.room.holds(leaf.needed)) {
    for (const Piece& piece : pieces_of(leaf.needed, array, own))
      if (piece.shift != 0)  // the rank is its own neighbour
        copy_box(writable_host_bytes(array.buffer), array.room, host_bytes(array.buffer),
                 array.room, piece.box, array.element_bytes(), piece.shift, array.layout.axis);
    return {array.buffer, array.room};
  }
  const Box around = hull(own, leaf.needed);
  constexpr int64_t most_halo = 2;  // of the part: more is no halo
  const bool is_halo = own.size() > 0 && around.size() <= most_halo * own.size() &&
                       around[array.layout.axis].size() <= array.shape[array.layout.axis];
  const Box box = is_halo ? around : leaf.needed;
  const BufferRef buffer = runtime::allocate(bytes_of(box, array));
  for (const Piece& piece : pieces_of(box, array, own))
    copy_box(writable_host_bytes(buffer), box, host_bytes(array.buffer), array.room, piece.box,
             array.element_bytes(), piece.shift, array.layout.axis);
  if (is_halo) {
    array.buffer = buffer;
    array.room = box;
  }
  return {buffer, box};
}

}  // namespace

Bytes message_of(const std::vector<Leaf>& leaves) {
  std::vector<Interval> words;
  for (const Leaf& leaf : leaves)
    words.insert(words.end(), leaf.needed.axes.begin(),
                 leaf.needed.axes.begin() + leaf.needed.rank);
  const auto bytes = std::as_bytes(std::span(words));
  return Bytes(bytes.begin(), bytes.end());
}

std::vector<Box> boxes_of(const Bytes& message, const std::vector<Leaf>& leaves) {
  std::vector<Box> boxes;
  const std::byte* next = message.data();
  for (const Leaf& leaf : leaves) {
    Box& box = boxes.emplace_back();
    box.rank = leaf.needed.rank;
    std::memcpy(box.axes.data(), next, static_cast<size_t>(box.rank) * sizeof(Interval));
    next += static_cast<size_t>(box.rank) * sizeof(Interval);
  }
  return boxes;
}

void exchange(Session& session, LocalGraph& graph, const std::vector<Leaf>& leaves,
              const std::vector<std::vector<Box>>& needs) {
  const int me = session.rank();
  std::vector<Target> targets;
  std::vector<Bytes> sent(static_cast<size_t>(session.size()));
  std::vector<Bytes> received(static_cast<size_t>(session.size()));
  session.together([&] {
    for (const Leaf& leaf : leaves) targets.push_back(target_of(leaf));
    for (int r = 0; r < session.size(); ++r) {
      if (r == me) continue;
      for_each_piece(leaves, needs, me, r, [&](size_t i, const Piece& piece) {
        const SplitArray& array = *leaves[i].array;
        Bytes& message = sent[static_cast<size_t>(r)];
        const size_t at = message.size();
        message.resize(at + bytes_of(piece.box, array));
        copy_box(message.data() + at, piece.box, host_bytes(array.buffer), array.room, piece.box,
                 array.element_bytes());
      });
      size_t bytes = 0;
      for_each_piece(leaves, needs, r, me, [&](size_t i, const Piece& piece) {
        bytes += bytes_of(piece.box, *leaves[i].array);
      });
      received[static_cast<size_t>(r)].resize(bytes);
    }
  });
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < session.size(); ++r) {
    if (!sent[static_cast<size_t>(r)].empty()) out.push_back({r, sent[static_cast<size_t>(r)]});
    if (!received[static_cast<size_t>(r)].empty())
      in.push_back({r, received[static_cast<size_t>(r)]});
  }
  session.transport().all_to_all(out, in);
  for (int r = 0; r < session.size(); ++r) {
    size_t at = 0;
    if (r == me) continue;
    for_each_piece(leaves, needs, r, me, [&](size_t i, const Piece& piece) {
      const SplitArray& array = *leaves[i].array;
      const Target& target = targets[i];
      // Written where it is needed: a piece may lie beyond the axis there.
      const Box there = moved_by(piece.box, array.layout.axis, piece.shift);
      copy_box(writable_host_bytes(target.buffer), target.box,
               received[static_cast<size_t>(r)].data() + at, there, there, array.element_bytes());
      at += bytes_of(piece.box, array);
    });
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].needed.size() == 0) continue;
    const SplitArray& array = *leaves[i].array;
    graph.give(leaves[i],
               ir::make_leaf(array.type, targets[i].box.extents(), targets[i].buffer, array.where),
               targets[i].box);
  }
}

}  // namespace tutti::ranks
