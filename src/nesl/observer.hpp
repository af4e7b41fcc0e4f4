// What the user wants to see of the calls while a program runs: traces and profiles.
#pragma once
#include <map>
#include <string>

namespace tutti::nesl {

struct Observer {
  // 1: entry and exit; 2: also the results; 3 and 4: also the arguments.
  std::map<std::string, int> trace;
  struct Cost {
    long calls = 0;
    double seconds = 0;
  };
  std::map<std::string, Cost> profile;

  // For `tutti explain`: the kernels that ran while a function was being evaluated and none that it
  // calls was. Evaluation is lazy: a kernel counts where its result was needed.
  struct Kernels {
    long calls = 0, launches = 0, compiled = 0;
    double compile_seconds = 0;
  };
  bool count_kernels = false;
  std::map<std::string, Kernels> kernels;

  bool is_on() const { return !trace.empty() || !profile.empty(); }
};

}  // namespace tutti::nesl
