#include "ranks/split_array.hpp"

#include "core/hash.hpp"

namespace tutti::ranks {
namespace {

uint64_t hash_of(const SplitArray& array) {
  std::vector<uint64_t> words{static_cast<uint64_t>(array.type)};
  for (int64_t extent : array.shape) words.push_back(static_cast<uint64_t>(extent));
  return hash_words(words);
}

// The elements of the part alone, without the room around it.
Bytes packed_part(const SplitArray& array) {
  const Box own = array.own();
  Bytes bytes(static_cast<size_t>(own.size()) * array.element_bytes());
  copy_box(bytes.data(), own, host_bytes(array.buffer), array.room, own, array.element_bytes());
  return bytes;
}

// Which ranks get the elements: all of them (-1), or one.
void gather_parts(SplitArray& array, int receiver, void* target) {
  Session& session = array.session;
  session.agree("read an array of shape " + tutti::detail::to_string(array.shape), hash_of(array),
                array.where, {});
  Bytes mine;
  std::vector<Bytes> parts(static_cast<size_t>(session.size()));
  const bool receives = receiver < 0 || receiver == session.rank();
  session.together([&] {
    mine = packed_part(array);
    for (int r = 0; r < session.size() && receives; ++r)
      parts[static_cast<size_t>(r)].resize(
          static_cast<size_t>(array.layout.part(array.shape, r).size()) * array.element_bytes());
  });
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < session.size(); ++r) {
    if (receiver < 0 || receiver == r) out.push_back({r, mine});
    if (receives) in.push_back({r, parts[static_cast<size_t>(r)]});
  }
  session.transport().all_to_all(out, in);
  for (int r = 0; r < session.size() && receives; ++r) {
    const Box part = array.layout.part(array.shape, r);
    copy_box(static_cast<std::byte*>(target), whole(array.shape),
             parts[static_cast<size_t>(r)].data(), part, part, array.element_bytes());
  }
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
