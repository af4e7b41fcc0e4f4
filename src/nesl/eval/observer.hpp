// What the user wants to see of the calls while a program runs.
#pragma once
#include <chrono>
#include <map>
#include <string>

namespace tutti::nesl {

struct Observer {
  // By the name of a function; see trace.hpp for the levels.
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

  bool is_on() const { return !profile.empty(); }  // calls are observed one by one
};

// Counts a call of a function while it lasts, if the function is profiled.
class ProfiledCall {
 public:
  ProfiledCall(Observer& observer, const std::string& function) {
    if (!observer.is_on()) return;
    const auto at = observer.profile.find(function);
    if (at == observer.profile.end()) return;
    cost_ = &at->second;
    begin_ = std::chrono::steady_clock::now();
  }
  ~ProfiledCall() {
    if (!cost_) return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
    ++cost_->calls;
    cost_->seconds += took.count();
  }
  ProfiledCall(const ProfiledCall&) = delete;
  ProfiledCall& operator=(const ProfiledCall&) = delete;

 private:
  Observer::Cost* cost_ = nullptr;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tutti::nesl
