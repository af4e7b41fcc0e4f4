#include "tools/machine_peaks.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/json.hpp"
#include "core/timeline/event_text.hpp"
#include "tutti/array.hpp"
#include "tutti/device.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/runtime.hpp"

namespace tutti::tools {
namespace {

constexpr int repetitions = 7;

// Returns the seconds of the fastest of several runs; the first compiles.
template <class Work>
double fastest(const Work& work) {
  double best = 1e9;
  for (int i = 0; i <= repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::min(best, took.count());
  }
  return best;
}

// More than the caches hold: two arrays are read, one is written.
double measure_memory() {
  constexpr int64_t elements = int64_t{32} << 20;
  Array<1, float> a(Shape<1>(elements), 1.0f), b(Shape<1>(elements), 2.0f);
  a = a + 0.5f;
  b = b + 0.5f;
  a.evaluate();
  b.evaluate();
  const double seconds = fastest([&] { (a + b).evaluate(); });
  return 3.0 * sizeof(float) * static_cast<double>(elements) / seconds;
}

// Many operations on elements that stay in registers.
double measure_arithmetic() {
  constexpr int64_t elements = int64_t{1} << 20;
  constexpr int steps = 256;
  Array<1, float> a(Shape<1>(elements), 0.5f);
  a = a + 0.25f;
  a.evaluate();
  const double seconds = fastest([&] {
    // Several chains, so that the processor does not wait for the latency of each result.
    Array<1, float> x = a, y = a + 1.0f, z = a + 2.0f, w = a + 3.0f;
    for (int i = 0; i < steps / 4; ++i) {
      x = x * 0.75f + 0.125f;
      y = y * 0.75f + 0.125f;
      z = z * 0.75f + 0.125f;
      w = w * 0.75f + 0.125f;
    }
    (x + y + z + w).evaluate();
  });
  return 2.0 * steps * static_cast<double>(elements) / seconds;
}

std::filesystem::path file_of_peaks() {
  return std::filesystem::path(settings().cache_dir) / "peaks.json";
}

json::Value read_file() {
  std::ifstream file(file_of_peaks());
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return json::read(text.str());
  } catch (const Error&) {  // missing or invalid: counts as absent
    return {};
  }
}

}  // namespace

Peaks measure_peaks() { return {measure_memory(), measure_arithmetic()}; }

bool keep_peaks(const std::string& device, const Peaks& peaks) {
  json::Value all = read_file();
  std::ostringstream text;
  text << "{";
  for (const auto& [name, value] : all.members)
    if (name != device)
      text << timeline::quoted(name) << ": {\"bytes\": " << value["bytes"].number
           << ", \"flops\": " << value["flops"].number << "},\n";
  text << timeline::quoted(device) << ": {\"bytes\": " << peaks.bytes_per_second
       << ", \"flops\": " << peaks.flops_per_second << "}}\n";
  std::error_code error;
  std::filesystem::create_directories(file_of_peaks().parent_path(), error);
  std::ofstream file(file_of_peaks());
  file << text.str() << std::flush;
  return static_cast<bool>(file);
}

std::optional<Peaks> kept_peaks(const std::string& device) {
  const json::Value all = read_file();
  const json::Value& found = all[device];
  if (found.kind != json::Value::Kind::object) return std::nullopt;
  return Peaks{found["bytes"].number, found["flops"].number};
}

}  // namespace tutti::tools
