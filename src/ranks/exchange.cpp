#include "ranks/exchange.hpp"

#include "runtime/memory/pool.hpp"

namespace tutti::ranks {
namespace {

using Leaf = LocalGraph::Leaf;

// Pieces of at least this size are messages of their own, without a copy. Below it a copy costs
// less than a message.
constexpr size_t direct_bytes = 32 << 10;

// A part of a needed box within the axis, and the distance by which it was moved there.
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

}  // namespace

// The messages in transfer. Vectors of bytes keep their memory when they are moved.
struct Exchange::Messages {
  struct Unpacked {  // a received copy, and the targets of its pieces
    Bytes bytes;
    struct Place {
      size_t leaf;
      Box there;
    };
    std::vector<Place> places;
  };
  std::vector<Bytes> packed;
  std::vector<Unpacked> copies;
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
};

// Calls f for the pieces of all leaves that rank `from` sends to a rank with these needs, in the
// same order on both.
template <class F>
void Exchange::for_each_piece(const std::vector<Box>& needs, int from, F f) const {
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const SplitArray& array = *leaves_[i].array;
    const Box owned = array.layout.part(array.shape, from);
    for (const Piece& piece : pieces_of(needs[i], array, owned))
      f(i, piece, bytes_of(piece.box, array));
  }
}

// Chooses the memory for a leaf. Halos get room around the part: later ones are received in place.
Exchange::Target Exchange::target_of(const Leaf& leaf) {
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

Bytes Exchange::prepare() {
  std::vector<Interval> words;
  for (const Leaf& leaf : leaves_) {
    targets_.push_back(target_of(leaf));
    needed_.push_back(leaf.needed);
    words.insert(words.end(), leaf.needed.axes.begin(),
                 leaf.needed.axes.begin() + leaf.needed.rank);
  }
  const auto bytes = std::as_bytes(std::span(words));
  return Bytes(bytes.begin(), bytes.end());
}

std::vector<Box> Exchange::boxes_of(const Bytes& message) const {
  std::vector<Box> boxes;
  const std::byte* next = message.data();
  for (const Leaf& leaf : leaves_) {
    Box& box = boxes.emplace_back();
    box.rank = leaf.needed.rank;
    const size_t bytes = static_cast<size_t>(box.rank) * sizeof(Interval);
    if (bytes > 0) std::memcpy(box.axes.data(), next, bytes);
    next += bytes;
  }
  return boxes;
}

void Exchange::send_to(int rank, const std::vector<Box>& needs, Messages& messages) const {
  Bytes joined;
  for_each_piece(needs, session_.rank(), [&](size_t i, const Piece& piece, size_t bytes) {
    const SplitArray& array = *leaves_[i].array;
    const std::byte* held = host_bytes(array.buffer);
    if (bytes >= direct_bytes && is_contiguous(array.room, piece.box)) {
      const auto first = static_cast<size_t>(first_element(array.room, piece.box));
      messages.out.push_back({rank, {held + first * array.element_bytes(), bytes}});
      return;
    }
    Bytes own;
    Bytes& target = bytes >= direct_bytes ? own : joined;
    const size_t at = target.size();
    target.resize(at + bytes);
    copy_box(target.data() + at, piece.box, held, array.room, piece.box, array.element_bytes());
    if (own.empty()) return;
    messages.packed.push_back(std::move(own));
    messages.out.push_back({rank, messages.packed.back()});
  });
  if (joined.empty()) return;
  messages.packed.push_back(std::move(joined));
  messages.out.push_back({rank, messages.packed.back()});
}

void Exchange::receive_from(int rank, Messages& messages) const {
  Messages::Unpacked joined;
  size_t joined_bytes = 0;
  for_each_piece(needed_, rank, [&](size_t i, const Piece& piece, size_t bytes) {
    const SplitArray& array = *leaves_[i].array;
    const Target& target = targets_[i];
    // In target coordinates, where a piece may be beyond the axis.
    const Box there = moved_by(piece.box, array.layout.axis, piece.shift);
    if (bytes >= direct_bytes && is_contiguous(target.box, there)) {
      const auto first = static_cast<size_t>(first_element(target.box, there));
      messages.in.push_back(
          {rank, {writable_host_bytes(target.buffer) + first * array.element_bytes(), bytes}});
    } else if (bytes >= direct_bytes) {
      messages.copies.push_back({Bytes(bytes), {{i, there}}});
      messages.in.push_back({rank, messages.copies.back().bytes});
    } else {
      joined_bytes += bytes;
      joined.places.push_back({i, there});
    }
  });
  if (joined_bytes == 0) return;
  joined.bytes.resize(joined_bytes);
  messages.copies.push_back(std::move(joined));
  messages.in.push_back({rank, messages.copies.back().bytes});
}

void Exchange::unpack(const Messages& messages) const {
  for (const Messages::Unpacked& copy : messages.copies) {
    size_t at = 0;
    for (const Messages::Unpacked::Place& place : copy.places) {
      const SplitArray& array = *leaves_[place.leaf].array;
      const Target& target = targets_[place.leaf];
      copy_box(writable_host_bytes(target.buffer), target.box, copy.bytes.data() + at, place.there,
               place.there, array.element_bytes());
      at += bytes_of(place.there, array);
    }
  }
}

void Exchange::run(const std::vector<Bytes>& needs, LocalGraph& graph) {
  Messages messages;
  try {
    for (int r = 0; r < session_.size(); ++r) {
      if (r == session_.rank()) continue;
      send_to(r, boxes_of(needs[static_cast<size_t>(r)]), messages);
      receive_from(r, messages);
    }
  } catch (const std::exception& e) {  // the others already wait for its messages
    session_.abort(std::string("no memory for messages: ") + e.what());
    throw;
  }
  if (!messages.out.empty() || !messages.in.empty()) session_.all_to_all(messages.out, messages.in);
  unpack(messages);
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].needed.size() == 0) continue;
    const SplitArray& array = *leaves_[i].array;
    graph.give(
        leaves_[i],
        ir::make_leaf(array.type, targets_[i].box.extents(), targets_[i].buffer, array.where),
        targets_[i].box);
  }
}

}  // namespace tutti::ranks
