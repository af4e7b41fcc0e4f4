// The image pipelines against Halide: the workloads of bench/pipelines with other baselines, which
// Halide compiled when the benchmarks were built.
#include <HalideRuntime.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "bench/pipelines/image.hpp"

#define TUTTI_HALIDE_BASELINE(pipeline, schedule) \
  extern "C" int pipeline##_##schedule##_argv(void** buffers);
#include "bench/halide/baselines.def"
#undef TUTTI_HALIDE_BASELINE

namespace tutti::bench {

Comparison blur16_benchmark();
Comparison unsharp_benchmark();
Comparison harris_benchmark();
Comparison stencil_chain_benchmark();
Comparison bilateral_grid_benchmark();

namespace {

using Compiled = int (*)(void** buffers);

// Memory as a buffer of Halide: planes of rows of elements.
class Image {
 public:
  Image(const HostArray& array, int rows, int columns) {
    const auto pixels = static_cast<size_t>(rows) * static_cast<size_t>(columns);
    const size_t bytes = array.bytes / pixels;  // of a pixel, over all planes
    const bool wide = bytes % sizeof(float) == 0;
    const int planes = static_cast<int>(wide ? bytes / sizeof(float) : 1);
    axes_[0] = {0, columns, 1};
    axes_[1] = {0, rows, columns};
    axes_[2] = {0, planes, rows * columns};
    buffer_.host = static_cast<uint8_t*>(array.data);
    buffer_.dim = axes_;
    buffer_.dimensions = planes > 1 ? 3 : 2;
    buffer_.type = wide ? halide_type_of<float>() : halide_type_of<uint16_t>();
  }
  halide_buffer_t* get() { return &buffer_; }

  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

 private:
  halide_buffer_t buffer_{};
  halide_dimension_t axes_[3];
};

void call(Compiled pipeline, const HostArray& input, const HostArray& output, ImageSize size) {
  Image in(input, size.rows, size.columns), out(output, size.rows, size.columns);
  void* arguments[]{in.get(), out.get()};
  if (const int error = pipeline(arguments))
    throw std::runtime_error("Halide's pipeline returned error " + std::to_string(error));
}

// Halide takes as many threads as Tutti.
Workload against(Compiled pipeline, Workload workload, ImageSize size) {
  halide_set_num_threads(settings().threads);
  const HostArray in = workload.inputs.at(0).array, out = workload.outputs.at(0).array;
  workload.baseline = [=] { call(pipeline, in, out, size); };
  return workload;
}

Comparison against(Compiled pipeline, const std::string& schedule, Comparison comparison) {
  comparison.name += "_halide" + (schedule == "hand" ? "" : "_" + schedule);
  comparison.description += schedule == "hand" ? "; baseline Halide, scheduled by hand"
                                               : "; baseline Halide, scheduled by " + schedule;
  if (comparison.tolerance < 1e-5) {
    comparison.tolerance = 1e-5;
    comparison.reason = "Halide contracts and reorders operations on floats";
  }
  for (size_t i = 0; i < std::size(image_extents); ++i)
    comparison.sizes[i].prepare = [=, prepare = comparison.sizes[i].prepare] {
      return against(pipeline, prepare(), image_extents[i]);
    };
  return comparison;
}

}  // namespace

std::vector<Comparison> halide_benchmarks() {
  return {
#define TUTTI_HALIDE_BASELINE(pipeline, schedule) \
  against(pipeline##_##schedule##_argv, #schedule, pipeline##_benchmark()),
#include "bench/halide/baselines.def"
#undef TUTTI_HALIDE_BASELINE
  };
}

}  // namespace tutti::bench
