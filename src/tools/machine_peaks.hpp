// How fast a device moves and computes: measured by `tutti info --measure`, kept beside the disk
// cache, and compared with by `tutti profile`.
#pragma once
#include <optional>
#include <string>

namespace tutti::tools {

struct Peaks {
  double bytes_per_second = 0;
  double flops_per_second = 0;  // 32-bit floating-point operations
};

Peaks measure_peaks();  // of the device in use
// Under the description of the device. False: the folder of the cache cannot be written.
bool keep_peaks(const std::string& device, const Peaks& peaks);
std::optional<Peaks> kept_peaks(const std::string& device);

}  // namespace tutti::tools
