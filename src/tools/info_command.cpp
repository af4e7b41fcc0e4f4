#include "tools/info_command.hpp"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "runtime/cpu/blas.hpp"
#include "tools/machine_peaks.hpp"
#include "tools/options.hpp"
#include "tools/progress.hpp"
#include "tutti/device.hpp"
#include "tutti/runtime.hpp"

namespace tutti::tools {
namespace {

struct CacheContent {
  int kernels = 0;
  double megabytes = 0;
};

CacheContent look_into(const std::string& folder) {
  CacheContent content;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".kernel") continue;
    ++content.kernels;
    content.megabytes += static_cast<double>(entry.file_size(error)) * 1e-6;
  }
  return content;
}

void print_peaks() {
  Peaks peaks;
  {
    const Progress progress("measuring");
    peaks = measure_peaks();
  }
  std::printf("peak     %.1f GB/s of memory, %.1f Gflop/s (f32) on %s\n",
              peaks.bytes_per_second * 1e-9, peaks.flops_per_second * 1e-9, device().name.c_str());
  if (!keep_peaks(device().description, peaks))
    std::fprintf(stderr, "tutti info: these could not be kept in %s\n",
                 settings().cache_dir.c_str());
}

}  // namespace

int info_command(int argc, char** argv) {
  bool measure = false;
  const Command command{"info", "[options]",
                        "Prints the version, the devices, the vector width and the disk cache."};
  const OptionTable table{{"--measure", "", "measure the peak speeds of the device in use",
                           [&](std::string_view) { measure = true; }}};
  const auto refuse = [](std::string_view) { throw UsageError("it takes no operands"); };
  if (const std::optional<int> status = read_command(command, argc, argv, table, refuse))
    return *status;
  const Settings s = settings();
  const CacheContent cache = look_into(s.cache_dir);
  std::printf("tutti    %s\n", version());
  for (const DeviceInfo& d : devices())
    std::printf("device   %s: %s%s\n", d.name.c_str(), d.description.c_str(),
                d.name == device().name ? " (in use)" : "");
  std::printf("blas     %s%s\n", runtime::blas_name(),
              s.reproducible ? " (not used: TUTTI_REPRODUCIBLE is set)" : "");
  if (s.disk_cache)
    std::printf("cache    %s: %d kernels, %.1f MB of at most %.0f MB\n", s.cache_dir.c_str(),
                cache.kernels, cache.megabytes, static_cast<double>(s.cache_bytes) * 1e-6);
  else
    std::printf("cache    off (TUTTI_CACHE=0)\n");
  if (measure) print_peaks();
  return 0;
}

}  // namespace tutti::tools
