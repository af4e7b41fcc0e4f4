// Tutti on the device in use against hand-written CUDA: the benchmarks of bench/ at sizes that fill
// a GPU, one line each, with the largest difference of the results.
//   gpu_compare [--small] [--unfused] [--baselines FILE] [filter...]
// A filter is a part of "name size". --small takes small sizes, some of them odd ones: a quick look
// at the results. Without baselines the times of Tutti alone are shown; --unfused: beside those of
// Tutti with every operation stored.
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cuda/baseline_library.hpp"
#include "bench/cuda/timing.hpp"
#include "bench/harness/registry.hpp"
#include "bench/vectors/unfused.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench::cuda {
namespace {

struct Arguments {
  bool small = false, unfused = false;
  std::string baselines;
  std::vector<std::string> filters;

  bool selects(const std::string& name) const {
    for (const std::string& filter : filters)
      if (name.find(filter) != std::string::npos) return true;
    return filters.empty();
  }
};

Arguments read_arguments(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--small")
      result.small = true;
    else if (argument == "--unfused")
      result.unfused = true;
    else if (argument == "--baselines" && i + 1 < argc)
      result.baselines = argv[++i];
    else if (argument.starts_with("-"))
      throw std::runtime_error(
          "usage: gpu_compare [--small] [--unfused] [--baselines FILE] [filter...]");
    else
      result.filters.push_back(argument);
  }
  return result;
}

void print_row(const std::string& name, const std::string& size, const std::string& cuda,
               const std::string& tutti, const std::string& ratio, const std::string& bandwidth,
               const std::string& difference) {
  std::printf("%-27s %-12s %9s %9s %6s %7s  %s\n", name.c_str(), size.c_str(), cuda.c_str(),
              tutti.c_str(), ratio.c_str(), bandwidth.c_str(), difference.c_str());
  std::fflush(stdout);
}

std::string format(const char* pattern, double value) {
  char text[32];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

// Runs benchmarks and prints a line for each; remembers whether all went well.
class Comparer {
 public:
  explicit Comparer(const std::string& file) {
    if (!file.empty()) library_.emplace(file);
  }
  bool failed() const { return failed_; }

  void compare(const Comparison& benchmark, const Size& size) {
    const Workload workload = size.prepare();
    std::vector<std::string> names;
    if (library_) names = library_->names_for(benchmark.name);
    if (names.empty()) {
      const double tutti = median_milliseconds({tutti_side(workload)})[0];
      print_row(benchmark.name, size.name, "-", milliseconds(tutti), "-",
                bandwidth(workload, tutti), "-");
    }
    for (const std::string& name : names) compare(benchmark, size, workload, name);
  }

  void compare_unfused(const Comparison& benchmark, const Size& size) {
    const Workload workload = size.prepare();
    const auto wait = [] { synchronize(); };
    const auto times = median_milliseconds({{workload.baseline, wait}, tutti_side(workload)});
    print_row(benchmark.name + "/unfused", size.name, milliseconds(times[0]),
              milliseconds(times[1]), format("%.2f", times[0] / times[1]),
              bandwidth(workload, times[1]), "-");
  }

  void fail(const std::string& name, const std::string& size, const std::string& why) {
    failed_ = true;
    print_row(name, size, "-", "-", "-", "-", "FAILED: " + why);
  }

 private:
  static std::string milliseconds(double time) { return format("%.4f", time); }
  static std::string bandwidth(const Workload& workload, double time) {
    return workload.bytes > 0 ? format("%.0f", workload.bytes / time * 1e-6) : "-";
  }
  static Side tutti_side(const Workload& workload) {
    return {workload.tutti, [] { synchronize(); }};
  }

  void compare(const Comparison& benchmark, const Size& size, const Workload& workload,
               const std::string& name) {
    const std::unique_ptr<Baseline> baseline = library_->make(name, workload);
    baseline->launch();
    baseline->fetch();
    if (const char* error = baseline->error()) return fail(name, size.name, error);
    const double difference = workload.disagreement();
    const auto times = median_milliseconds(
        {{[&] { baseline->launch(); }, [&] { baseline->wait(); }}, tutti_side(workload)});
    const bool agree = difference <= benchmark.tolerance;
    failed_ |= !agree;
    print_row(name, size.name, milliseconds(times[0]), milliseconds(times[1]),
              format("%.2f", times[0] / times[1]), bandwidth(workload, times[1]),
              format("%.1e", difference) + (agree ? "" : " DIFFERS"));
  }

  std::optional<BaselineLibrary> library_;
  bool failed_ = false;
};

int run(const Arguments& arguments) {
  Settings steady = settings();  // what is timed runs on the GPU, from the first call on
  steady.wait_for_compiler = true;
  set_settings(steady);
  Comparer comparer(arguments.baselines);
  std::printf("%s: %s\n", device().name.c_str(), device().description.c_str());
  print_row("benchmark", "size", "CUDA ms", "Tutti ms", "ratio", "GB/s", "largest difference");
  for (const Comparison& benchmark :
       arguments.unfused ? against_unfused(comparisons()) : comparisons())
    for (const Size& size : arguments.small ? benchmark.sizes : benchmark.gpu_sizes) {
      if (arguments.small && !size.small) continue;
      if (!arguments.selects(benchmark.name + " " + size.name)) continue;
      try {
        if (arguments.unfused)
          comparer.compare_unfused(benchmark, size);
        else
          comparer.compare(benchmark, size);
      } catch (const std::exception& error) {
        comparer.fail(benchmark.name, size.name, error.what());
      }
      trim_pool();  // the next benchmark finds the memory as this one did
    }
  return comparer.failed() ? 1 : 0;
}

}  // namespace
}  // namespace tutti::bench::cuda

int main(int argc, char** argv) {
  try {
    return tutti::bench::cuda::run(tutti::bench::cuda::read_arguments(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_compare: %s\n", error.what());
    return 2;
  }
}
