#include "nesl/evaluation.hpp"

#include "nesl/flat/evaluator.hpp"
#include "nesl/plain_evaluator.hpp"

namespace tutti::nesl {
namespace {

// About ten milliseconds of the plain evaluator: as long as compiling three small kernels takes.
constexpr std::int64_t trial_steps = 200'000;

}  // namespace

StoredValue Evaluation::run(const CoreFunction& function) {
  machine_.begin_form();
  if (mode == Mode::flat) return run_flat(function);
  // Calls are observed one by one.
  if (mode == Mode::plain || machine_.observer.is_on()) return run_plain(function);
  machine_.begin_trial(trial_steps);
  try {
    StoredValue result = run_plain(function);
    machine_.end_trial(true);
    return result;
  } catch (const TrialOver&) {
    machine_.end_trial(false);
    machine_.begin_form();
    return run_flat(function);
  } catch (...) {
    machine_.end_trial(true);  // what was printed before an error is seen
    throw;
  }
}

StoredValue Evaluation::run_plain(const CoreFunction& function) {
  return StoredValue(function.result, PlainEvaluator(machine_).run(function));
}

// What contexts find wrong are errors of the program.
StoredValue Evaluation::run_flat(const CoreFunction& function) {
  try {
    return StoredValue(function.result, flat::Evaluator(machine_).run(function));
  } catch (const ShapeError& error) {
    nested::abandon();
    throw RuntimeError(error.what());
  } catch (...) {
    nested::abandon();
    throw;
  }
}

}  // namespace tutti::nesl
