#include "runtime/gpu/sort.hpp"

namespace tutti::runtime::gpu {

using ir::Kind;

int bytes_needed(uint64_t greatest) {
  int bytes = 1;
  while (bytes < 8 && greatest >> (8 * bytes)) ++bytes;
  return bytes;
}

kernels::KeyKind key_kind(ElementType type) {
  if (is_floating(type)) return kernels::floating_key;
  return is_integer(type) && is_signed(type) ? kernels::signed_key : kernels::unsigned_key;
}

// The last pass writes to the requested addresses; the others alternate between two buffers.
void SortLaunches::radix_sort(const SortCall& s) {
  const int64_t tile = kernels::sort_tile(std::max(s.key_bytes, s.value_bytes));
  const int64_t tiles = parts(s.count, tile), count_bytes = 8 * kernels::digits * s.key_bytes;
  const bool narrow = s.count <= kernels::most_narrow_elements;
  const int64_t state_bytes = (narrow ? 4 : 8) * kernels::digits * tiles;
  const Temporary counters(memory(), count_bytes + s.passes * state_bytes);
  const Temporary other_keys(memory(), s.count * s.key_bytes),
      more_keys(memory(), s.sorted_keys ? 0 : s.count * s.key_bytes),
      other_values(memory(), s.count * s.value_bytes);
  const int64_t key_end = s.sorted_keys ? s.sorted_keys : more_keys.address();
  kernels::SortArguments a{};
  a.elements = s.count;
  a.counts = counters.address();
  a.keys = s.keys;
  a.values = s.values;
  fill(counters.address(), count_bytes + s.passes * state_bytes, 0);
  const std::string key = unsigned_name(s.key_bytes);
  codegen::GpuPrimitive count = primitive("sort_count_" + key, Uses::nothing);
  codegen::GpuPrimitive pass = primitive(
      (narrow ? "sort_pass_" : "sort_many_") + key +
          (s.value_bytes ? "_" + unsigned_name(s.value_bytes) : ""),
      Uses::nothing, s.value_bytes ? kernels::sort_pairs_resident : kernels::sort_resident,
      kernels::sort_threads);
  for (codegen::GpuPrimitive* of_keys : {&count, &pass}) {
    of_keys->key_kind = s.kind;
    of_keys->descending = s.descending;
  }
  launch(count, std::min(parts(s.count, 16 * kernels::block_threads), filling_blocks), a);
  launch(primitive("sort_starts", Uses::nothing), s.key_bytes, a);
  for (int i = 0; i < s.passes; ++i) {
    const bool to_end = (s.passes - i) % 2 == 1;
    a.key_target = to_end ? key_end : other_keys.address();
    a.value_target = to_end ? s.out : other_values.address();
    a.byte = i;
    a.states = counters.address() + count_bytes + i * state_bytes;
    launch(pass, tiles, a);
    a.keys = a.key_target;
    a.values = a.value_target;
  }
}

void SortLaunches::sort() {
  const bool gives_values = step_.kind == Kind::sort_values;
  const size_t offsets_input = gives_values ? 2 : 1;
  if (step_.inputs.size() > offsets_input) return sort_segments(offsets_input);
  const int64_t n = elements(0);
  const int key_bytes = size_of(step_.inputs[0].type);
  SortCall s{n, key_bytes, key_kind(step_.inputs[0].type),
             step_.get<ir::SortOrder>() == ir::SortOrder::descending, key_bytes};
  s.keys = call_.inputs[0];
  if (gives_values && step_.inputs[0] == step_.inputs[1]) {
    s.sorted_keys = call_.output;
    return radix_sort(s);
  }
  if (size_ >= 4) {
    s.value_bytes = size_;
    s.values = gives_values ? call_.inputs[1] : 0;
    s.out = call_.output;
    return radix_sort(s);
  }
  const Temporary order(memory(), 8 * n);
  s.value_bytes = 8;
  s.out = order.address();
  radix_sort(s);
  gather_values(order.address());
}

void SortLaunches::gather_values(int64_t order) {
  launch_for_each("gather_" + unsigned_name(size_), elements(0),
                  kernels::GatherArguments{elements(0), call_.inputs[1], order, 1, call_.output});
}

// Sorts all keys first, then, stably, by their segments.
void SortLaunches::sort_segments(size_t offsets_input) {
  const int64_t n = elements(0);
  check_offsets(offsets_input, n);
  const int key_bytes = size_of(step_.inputs[0].type);
  const Temporary order(memory(), 8 * n), segments(memory(), 4 * n), ids(memory(), 4 * n),
      final_order(memory(), 8 * n);
  SortCall by_key{n, key_bytes, key_kind(step_.inputs[0].type),
                  step_.get<ir::SortOrder>() == ir::SortOrder::descending, key_bytes};
  by_key.keys = call_.inputs[0];
  by_key.value_bytes = 8;
  by_key.out = order.address();
  radix_sort(by_key);
  segments_of_elements(offsets_input, segments.address(), n);
  launch_for_each(
      "gather_u32", n,
      kernels::GatherArguments{n, segments.address(), order.address(), 1, ids.address()});
  SortCall by_segment{n, 4, kernels::unsigned_key, false,
                      std::min(4, bytes_needed(static_cast<uint64_t>(elements(offsets_input))))};
  by_segment.keys = ids.address();
  by_segment.value_bytes = 8;
  by_segment.values = order.address();
  by_segment.out = final_order.address();
  radix_sort(by_segment);
  if (step_.kind == Kind::sort_values)
    gather_values(final_order.address());
  else
    launch_for_each("narrow", n,
                    kernels::NarrowArguments{n, final_order.address(), call_.output, size_ == 8});
}

}  // namespace tutti::runtime::gpu
