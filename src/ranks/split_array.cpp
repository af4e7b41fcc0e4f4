#include "ranks/split_array.hpp"

#include "core/caching/hash.hpp"

namespace tutti::ranks {
namespace {

uint64_t hash_of(const SplitArray& array) {
  std::vector<uint64_t> words{static_cast<uint64_t>(array.type)};
  for (int64_t extent : array.shape) words.push_back(static_cast<uint64_t>(extent));
  return hash_words(words);
}

// Returns the contiguous bytes of a box: those in memory if they are contiguous, otherwise a copy.
std::span<const std::byte> in_a_row(const std::byte* held, const Box& box, const Box& part,
                                    size_t each, Bytes& copy) {
  const size_t bytes = static_cast<size_t>(part.size()) * each;
  if (is_contiguous(box, part))
    return {held + static_cast<size_t>(first_element(box, part)) * each, bytes};
  copy.resize(bytes);
  copy_box(copy.data(), part, held, box, part, each);
  return copy;
}

// Gathers the parts on one rank, or on all of them (-1).
void gather_parts(SplitArray& array, int receiver, void* to) {
  Session& session = array.session;
  const auto target = static_cast<std::byte*>(to);
  const size_t each = array.element_bytes();
  const Box all = whole(array.shape), own = array.own();
  const bool receives = receiver < 0 || receiver == session.rank();
  Bytes copy;
  std::span<const std::byte> mine;
  std::vector<Bytes> parts(static_cast<size_t>(session.size()));  // that are rows in pieces
  const auto part_of = [&](int rank) { return array.layout.part(array.shape, rank); };
  session.agree_after(
      "read an array of shape " + tutti::detail::to_string(array.shape), hash_of(array),
      array.where, [&] {
        mine = in_a_row(host_bytes(array.buffer), array.room, own, each, copy);
        for (int r = 0; r < session.size() && receives; ++r)
          if (const Box part = part_of(r); !is_contiguous(all, part))
            parts[static_cast<size_t>(r)].resize(static_cast<size_t>(part.size()) * each);
        return Bytes();
      });
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < session.size(); ++r) {
    if (r != session.rank() && (receiver < 0 || receiver == r) && !mine.empty())
      out.push_back({r, mine});
    const Box part = part_of(r);
    if (r == session.rank() || !receives || part.size() == 0) continue;
    Bytes& pieces = parts[static_cast<size_t>(r)];
    const std::span<std::byte> row{target + static_cast<size_t>(first_element(all, part)) * each,
                                   static_cast<size_t>(part.size()) * each};
    in.push_back({r, pieces.empty() ? row : std::span<std::byte>(pieces)});
  }
  session.all_to_all(out, in);
  if (!receives) return;
  copy_box(target, all, mine.data(), own, own, each);
  for (int r = 0; r < session.size(); ++r)
    if (const Bytes& pieces = parts[static_cast<size_t>(r)]; !pieces.empty() && r != session.rank())
      copy_box(target, all, pieces.data(), part_of(r), part_of(r), each);
}

}  // namespace

void SplitArray::fill(void* target) { gather_parts(*this, -1, target); }
void SplitArray::fill_on(int rank, void* target) { gather_parts(*this, rank, target); }

std::shared_ptr<SplitArray> split_array_of(const Node& leaf) {
  if (!leaf.buffer) return nullptr;
  return std::dynamic_pointer_cast<SplitArray>(runtime::array_of(*leaf.buffer).missing_source());
}

BufferRef buffer_of(std::shared_ptr<SplitArray> array) {
  const size_t bytes = static_cast<size_t>(array->shape.size()) * array->element_bytes();
  return runtime::ArrayBuffer::from_source(bytes, std::move(array));
}

std::byte* host_bytes(const BufferRef& buffer) { return static_cast<std::byte*>(buffer->data()); }

std::byte* writable_host_bytes(const BufferRef& buffer) {
  buffer->data();
  return static_cast<std::byte*>(runtime::array_of(*buffer).overwrite_on_host());
}

}  // namespace tutti::ranks
