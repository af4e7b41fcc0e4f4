#include "runtime/gpu/launches.hpp"

#include <array>

#include "graph/build_primitives.hpp"

namespace tutti::runtime::gpu {

void Launches::check_offsets(size_t input, int64_t count) {
  if (call_.buffers[input]->are_offsets_of(count)) return;
  const Temporary found(memory(), 16);
  fill(found.address(), 16, static_cast<uint32_t>(no_wrong_offset));
  kernels::SegmentArguments a{};
  set_offsets(a, input);
  a.elements = count;
  a.out = found.address();
  launch_for_each("check_offsets", a.offset_count, a);
  std::array<int64_t, 2> answer{};
  memory().to_host(answer.data(), static_cast<uint64_t>(found.address()), sizeof answer);
  const int64_t wrong = answer[0];
  if (wrong == no_wrong_offset) return call_.buffers[input]->note_offsets_of(count, -answer[1]);
  const int64_t bytes = a.wide_offsets ? 8 : 4, first = std::max<int64_t>(wrong - 1, 0);
  std::vector<char> host(static_cast<size_t>(a.offset_count * bytes));
  if (step_.kind == ir::Kind::checked_offsets &&
      step_.get<ir::OffsetRule>() == ir::OffsetRule::ascend) {
    // The last offset was taken as the number of elements, so the host finds the descending offset.
    memory().to_host(host.data(), static_cast<uint64_t>(a.offsets), host.size());
    ir::Offsets(host.data(), step_.inputs[input].type, a.offset_count)
        .check(ir::Offsets::any_number, ir::kind_name(step_.kind), call_.where);
  }
  memory().to_host(host.data() + first * bytes, static_cast<uint64_t>(a.offsets + first * bytes),
                   static_cast<size_t>((wrong - first + 1) * bytes));
  ir::Offsets(host.data(), step_.inputs[input].type, a.offset_count)
      .refuse(wrong, count, ir::kind_name(step_.kind), call_.where);
}

ArrayBuffer::MappedSegments Launches::mapped_segments(size_t input, int64_t count) {
  auto& offsets = array_of(*call_.buffers[input]);
  if (auto known = offsets.mapped_segments(); known.buffer) return known;
  kernels::SegmentMapArguments a{};
  set_offsets(a, input);
  a.elements = count;
  a.window = segment_window(count, offsets.longest_segment());
  ArrayBuffer::MappedSegments made{nullptr, parts(count, a.window)};
  made.buffer = ArrayBuffer::on_device(memory(), SegmentMap::bytes_for(made.windows, count));
  const ZeroedMemory::Piece state(launcher_.zeros(), 16);
  const SegmentMap map(memory(), made);
  a.state = state.address();
  a.windows = map.windows();
  a.long_count = map.long_count();
  a.long_tiles = map.long_tiles();
  launch_for_each("map_segments", a.offset_count - 1, a);
  offsets.note_mapped(made);
  return made;
}

// Returns the size of windows: large, if there are several for each block that the device holds.
int64_t Launches::segment_window(int64_t elements, int64_t longest) const {
  constexpr int64_t several = 8;
  if (longest > kernels::longest_staged) return kernels::small_window;
  const int64_t window = kernels::large_window(longest),
                blocks = launcher_.multiprocessors() * kernels::reduce_resident;
  return elements / window >= several * blocks ? window : kernels::small_window;
}

void Launches::segments_of_elements(size_t input, int64_t out, int64_t count) {
  kernels::SegmentArguments a{};
  set_offsets(a, input);
  a.elements = count;
  a.out = out;
  launch_for_each("element_segments", a.elements, a);
}

}  // namespace tutti::runtime::gpu
