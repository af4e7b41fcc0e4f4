#include "target/this_cpu.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "target/avx512.hpp"

namespace tutti::target {
namespace {

template <class T>
std::optional<T> read_file(const std::string& path) {
  std::ifstream file(path);
  T value;
  return file >> value ? std::optional(value) : std::nullopt;
}

// Converts "2048K" to bytes; returns 0 if the text is not a size.
int64_t bytes_of(const std::string& text) {
  size_t digits = 0;
  int64_t number = 0;
  for (; digits < text.size() && digits < 9 && text[digits] >= '0' && text[digits] <= '9'; ++digits)
    number = 10 * number + (text[digits] - '0');
  const std::string unit = text.substr(digits);
  if (unit == "K") return number << 10;
  if (unit == "M") return number << 20;
  return unit.empty() ? number : 0;
}

// Returns the size of the first core's data cache of a level, or 0 if the system reports none.
int64_t cache_bytes(int level) {
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    if (read_file<int>(folder + "level") == level &&
        read_file<std::string>(folder + "type") != "Instruction")
      return bytes_of(read_file<std::string>(folder + "size").value_or(""));
  }
  return 0;
}

Target describe_this_cpu() {
  Target target = avx512;
  target.name = "this CPU";
  CpuTuning tuning = avx512_tuning;
  tuning.cores = available_cores();
  if (const int64_t bytes = cache_bytes(2); bytes > 0) tuning.private_bytes = bytes;
  // The last level is shared, also with other processes.
  tuning.streaming_bytes = std::max(
      {avx512_tuning.streaming_bytes, tuning.cores * tuning.private_bytes, cache_bytes(3) / 4});
  target.tuning = tuning;
  return target;
}

}  // namespace

int available_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const Target& this_cpu() {
  static const Target* target = new Target(describe_this_cpu());
  return *target;
}

}  // namespace tutti::target
