// Which evaluator runs an expression. Small programs are finished by the plain one, within a
// trial; what proves to be larger is started again on the flattening one.
#pragma once
#include <string>

#include "nesl/core.hpp"
#include "nesl/machine.hpp"

namespace tutti::nesl {

class Evaluation {
 public:
  explicit Evaluation(Machine& machine) : machine_(machine) {}

  enum class Mode { automatic, plain, flat };
  Mode mode = Mode::automatic;

  Value run(const CoreFunction& function);

 private:
  Machine& machine_;
};

}  // namespace tutti::nesl
