// A background assignment, `name &= exp`: evaluated by a thread of its own, on a machine of its
// own, while the session goes on. What it prints and how it fails is kept until it is asked for.
#pragma once
#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/evaluation.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/types/types.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class Background {
 public:
  // `used` keeps the functions alive that the expression calls. No limit: 0 seconds.
  Background(TypeRef type, CoreFunctionRef expression, std::vector<CoreFunctionRef> used,
             const Machine& settings, Evaluation::Mode mode, double seconds);
  ~Background();  // gives up what is not finished
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  const TypeRef& type() const { return type_; }
  const std::string& output() const { return output_; }  // after take()
  // Waits for the value; throws what the evaluation threw.
  StoredValue take();

 private:
  void run();

  TypeRef type_;
  CoreFunctionRef expression_;
  std::vector<CoreFunctionRef> used_;
  Machine machine_;
  Evaluation evaluation_;
  std::atomic<bool> stop_ = false;
  std::string output_;
  std::optional<StoredValue> value_;
  std::exception_ptr failure_;
  std::thread thread_;  // the last: it uses all of the above
};

}  // namespace tutti::nesl
