// The peak memory bandwidth and arithmetic rate of a device: measured by `tutti info --measure`,
// stored beside the disk cache, and used by `tutti profile`.
#pragma once
#include <optional>
#include <string>

namespace tutti::tools {

struct Peaks {
  double bytes_per_second = 0;
  double flops_per_second = 0;  // 32-bit floating-point operations
};

Peaks measure_peaks();  // of the current device
// Stores the peaks under the device's description. Returns false if the folder cannot be written.
bool keep_peaks(const std::string& device, const Peaks& peaks);
std::optional<Peaks> kept_peaks(const std::string& device);

}  // namespace tutti::tools
