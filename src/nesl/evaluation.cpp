#include "nesl/evaluation.hpp"

#include "nesl/flat/evaluator.hpp"
#include "nesl/kernel_count.hpp"
#include "nesl/mixed_evaluator.hpp"
#include "nesl/plain_evaluator.hpp"

namespace tutti::nesl {
namespace {

// About ten milliseconds of the plain evaluator: as long as compiling three small kernels takes.
constexpr std::int64_t trial_steps = 200'000;

}  // namespace

StoredValue Evaluation::run(const CoreFunction& function) {
  machine_.begin_form();
  // Calls are observed one by one.
  if (machine_.observer.is_on()) return run_with(Mode::plain, function);
  return mode == Mode::automatic ? run_in_trial(function) : run_with(mode, function);
}

StoredValue Evaluation::run_in_trial(const CoreFunction& function) {
  machine_.begin_trial(trial_steps);
  try {
    StoredValue result = run_with(Mode::plain, function);
    machine_.end_trial(true);
    return result;
  } catch (const TrialOver&) {
    machine_.end_trial(false);
  } catch (...) {
    machine_.end_trial(true);  // what was printed before an error is seen
    throw;
  }
  return run_with(Mode::mixed, function);
}

StoredValue Evaluation::run_with(Mode evaluator, const CoreFunction& function) {
  // What no function asked for is computed when the result is stored.
  static const std::string result_name = "the result";
  const KernelCount kernels(machine_, result_name);
  try {
    switch (evaluator) {
      case Mode::plain:
        return StoredValue(function.result, PlainEvaluator(machine_).run(function));
      case Mode::flat:
        return StoredValue(function.result, flat::Evaluator(machine_).run(function));
      default:
        return MixedEvaluator(machine_).run(function);
    }
  } catch (const ShapeError& error) {  // what contexts find wrong are errors of the program
    nested::abandon();
    throw RuntimeError(error.what());
  } catch (...) {
    nested::abandon();
    throw;
  }
}

}  // namespace tutti::nesl
