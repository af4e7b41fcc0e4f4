#include "tools/doctor_command.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/cpu/blas.hpp"
#include "tools/options.hpp"
#include "tutti/array.hpp"
#include "tutti/device.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/reduce.hpp"
#include "tutti/runtime.hpp"
#include "tutti/transform.hpp"

namespace tutti::tools {
namespace {

// Prints one line for each check; a fault has a second line with advice.
class Report {
 public:
  void good(const char* subject, const std::string& text) { print("ok   ", subject, text); }
  void hint(const char* subject, const std::string& text) { print("hint ", subject, text); }
  void fault(const char* subject, const std::string& text, const std::string& advice) {
    print("FAULT", subject, text);
    std::printf("                what to do: %s\n", advice.c_str());
    ++faults_;
  }
  int faults() const { return faults_; }

 private:
  static void print(const char* verdict, const char* subject, const std::string& text) {
    std::printf("%s  %-8s %s\n", verdict, subject, text.c_str());
  }
  int faults_ = 0;
};

void look_at_library(Report& report) {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<void*>(&version), &info) != 0 && info.dli_fname;
  report.good("tutti", std::string(version()) + (found ? ", " + std::string(info.dli_fname) : ""));
}

// Compiles and runs a map and a sum on the device, and compares with known numbers.
void compute_on(Report& report, const DeviceInfo& device) {
  try {
    const ScopedDevice scope(device.name);
    const int64_t n = 100'000;
    const Array<1, double> x = cast<double>(index(Shape<1>(n), 0));
    const double total = sum(x * 2.0 + 1.0);
    if (total == static_cast<double>(n) * static_cast<double>(n))
      report.good("compute", device.name + ": a kernel was compiled and its result is right");
    else
      report.fault("compute", device.name + ": the sum is " + std::to_string(total),
                   "please report this, with the output of `tutti info`");
  } catch (const std::exception& error) {
    report.fault("compute", device.name + ": " + error.what(),
                 device.name == "cpu" ? "see the message; TUTTI_LOG=1 shows every step"
                                      : "set TUTTI_DEVICE=cpu until the driver works");
  }
}

void look_at_gpu(Report& report, bool has_gpu) {
  if (has_gpu) return;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  const bool card = std::filesystem::exists("/dev/nvidiactl");
  if (driver && card)
    report.fault("gpu", "there is a driver and a card, but no usable device",
                 "run nvidia-smi; a card needs compute capability 7.0 or newer");
  else if (card)
    report.fault("gpu", "there is an NVIDIA card, but libcuda.so.1 was not found",
                 "install the driver's libraries, or put their folder into LD_LIBRARY_PATH");
  else
    report.hint("gpu", "no NVIDIA card was found: the CPU computes");
  if (driver) dlclose(driver);
}

void look_at_blas(Report& report) {
  const std::string name = runtime::blas_name();
  if (name.find("none") == std::string::npos && !name.empty())
    report.good("blas", name);
  else
    report.hint("blas", "OpenBLAS was not found: Tutti's own kernels compute matrix products");
}

void look_at_cache(Report& report) {
  const Settings s = settings();
  if (!s.disk_cache) return report.hint("cache", "off: every process compiles its kernels anew");
  if (s.cache_dir.empty())
    return report.fault("cache", "there is no folder for kernels",
                        "set HOME, or TUTTI_CACHE_DIR to a folder of your own");
  std::error_code error;
  std::filesystem::create_directories(s.cache_dir, error);
  const std::string probe = s.cache_dir + "/doctor." + std::to_string(getpid());
  std::ofstream file(probe);
  file << "probe";
  file.close();
  const bool written = file.good();
  std::filesystem::remove(probe, error);
  if (!written)
    return report.fault("cache", s.cache_dir + " cannot be written: " + std::strerror(errno),
                        "give yourself the right to write there, or set TUTTI_CACHE_DIR");
  const std::filesystem::space_info space = std::filesystem::space(s.cache_dir, error);
  if (!error && space.available < static_cast<uintmax_t>(s.cache_bytes))
    return report.hint("cache", s.cache_dir + ": less space is left than TUTTI_CACHE_BYTES");
  report.good("cache", s.cache_dir);
}

}  // namespace

int doctor_command(int argc, char** argv) {
  const Command command{"doctor", "",
                        "Looks for problems of this machine and prints how to solve them."};
  const auto refuse = [](std::string_view) { throw UsageError("it takes no arguments"); };
  if (const std::optional<int> status = read_command(command, argc, argv, {}, refuse))
    return *status;
  Report report;
  look_at_library(report);
  bool has_gpu = false;
  for (const DeviceInfo& device : devices()) {
    report.good("device", device.name + ": " + device.description);
    has_gpu = has_gpu || device.name != "cpu";
  }
  look_at_gpu(report, has_gpu);
  look_at_blas(report);
  look_at_cache(report);
  for (const DeviceInfo& device : devices()) compute_on(report, device);
  if (report.faults() == 0)
    std::printf("all is well\n");
  else
    std::printf("%d fault%s found\n", report.faults(), report.faults() == 1 ? " was" : "s were");
  return report.faults() == 0 ? 0 : 1;
}

}  // namespace tutti::tools
