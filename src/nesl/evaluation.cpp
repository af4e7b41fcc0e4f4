#include "nesl/evaluation.hpp"

#include "nesl/plain_evaluator.hpp"

namespace tutti::nesl {

Value Evaluation::run(const CoreFunction& function) {
  machine_.begin_form();
  return PlainEvaluator(machine_).run(function);
}

}  // namespace tutti::nesl
