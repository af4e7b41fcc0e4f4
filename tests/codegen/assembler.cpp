#include "codegen/assembler.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace tutti::testing {
namespace {

bool ptxas_found() {
  static const bool found = std::system("ptxas --version > /dev/null 2>&1") == 0;
  return found;
}

// Registers and spills by generation of devices.
class Usage : public ::testing::Environment {
 public:
  void add(int sm, const std::string& told) {
    static const std::regex registers("Used ([0-9]+) registers"), spills("([0-9]+) bytes spill");
    Figures& f = figures_[sm];
    ++f.kernels;
    std::smatch match;
    if (std::regex_search(told, match, registers))
      f.most_registers = std::max(f.most_registers, std::stoi(match[1]));
    if (std::regex_search(told, match, spills)) f.spilling += std::stoi(match[1]) > 0;
  }
  void TearDown() override {
    if (!ptxas_found()) std::puts("ptxas was not found: PTX was generated, not assembled");
    for (const auto& [sm, f] : figures_)
      std::printf("sm_%d: %d kernels assembled, at most %d registers, %d spill\n", sm, f.kernels,
                  f.most_registers, f.spilling);
  }

 private:
  struct Figures {
    int kernels = 0, most_registers = 0, spilling = 0;
  };
  std::map<int, Figures> figures_;
};

Usage& usage = *static_cast<Usage*>(::testing::AddGlobalTestEnvironment(new Usage));

}  // namespace

bool assembles(const std::string& ptx, const codegen::PtxTarget& target) {
  if (!ptxas_found()) return true;
  // Several processes may run these tests at once.
  const std::string path = ::testing::TempDir() + "tutti_" + std::to_string(::getpid()) + ".ptx";
  std::ofstream(path) << ptx;
  const std::string command = "ptxas -v -arch=sm_" + std::to_string(target.sm) + " -o /dev/null " +
                              path + " > " + path + ".told 2>&1";
  const bool taken = std::system(command.c_str()) == 0;
  std::stringstream told;
  told << std::ifstream(path + ".told").rdbuf();
  usage.add(target.sm, told.str());
  if (!taken) std::puts(told.str().c_str());
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".told");
  return taken;
}

}  // namespace tutti::testing
