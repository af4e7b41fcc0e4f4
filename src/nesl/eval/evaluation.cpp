#include "nesl/eval/evaluation.hpp"

#include <algorithm>

#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/flat/evaluator.hpp"
#include "nesl/eval/flat/place_notes.hpp"
#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/eval/mixed_evaluator.hpp"
#include "nesl/eval/race/kernel_count.hpp"
#include "nesl/eval/race/mixed_contender.hpp"
#include "nested/too_many_elements.hpp"

namespace tutti::nesl {
namespace {

// What contexts call an operation, and what the language does.
constexpr std::pair<std::string_view, std::string_view> names[] = {
    {"index", "elt"}, {"gather", "->"}, {"put", "<-"}, {"slice", "subseq"}, {"distribute", "dist"}};

// As the plain evaluator says it. Which instance it was is left out: that evaluator would not know
// where operands that are alike in several instances were computed.
template <class Error>
std::string in_words_of_the_language(const Error& error) {
  if (error.operation.empty()) return error.problem;
  std::string operation = error.operation;
  for (const auto& [ours, theirs] : names)
    if (operation == ours) operation = theirs;
  return operation + ": " + error.problem;
}

}  // namespace

// Errors in the language's words, with their places.
template <class Work>
StoredValue Evaluation::reported(const Work& work) {
  try {
    return work();
  } catch (const TooDeep& error) {
    nested::abandon();
    throw TooDeep(error.what() + to_text(error.place));
  } catch (const RuntimeError& error) {
    nested::abandon();
    throw RuntimeError(error.what() + to_text(error.place));
  } catch (const nested::InstanceError& error) {  // an error of the program
    nested::abandon();
    throw RuntimeError(in_words_of_the_language(error) + to_text(flat::place_of(error.origin)));
  } catch (const nested::TooManyElements& error) {
    nested::abandon();
    throw EvaluatorLimit(in_words_of_the_language(error) + to_text(flat::place_of(error.origin)));
  } catch (const ShapeError& error) {  // a vector of more elements than it may have
    nested::abandon();
    throw EvaluatorLimit(error.what());
  } catch (...) {
    nested::abandon();
    throw;
  }
}

StoredValue Evaluation::run(const CoreFunction& function) {
  machine_.begin_form();
  nested::set_origin({});  // functions of earlier forms may be gone
  const InterruptionScope stops_kernels([this] {
    machine_.look_at_the_clock();  // throws what the program is to end with
    return false;
  });
  try {
    StoredValue result = run_form(function);
    machine_.print(machine_.pictures.close_all());
    return result;
  } catch (...) {
    machine_.print(machine_.pictures.close_all());  // what was drawn before an error is seen
    throw;
  }
}

StoredValue Evaluation::run_form(const CoreFunction& function) {
  // Calls are observed one by one.
  if (machine_.observer.is_on()) return run_with(Mode::plain, function);
  if (mode != Mode::automatic) return run_with(mode, function);
  if (flat::is_serial(function)) return run_with(Mode::plain, function);
  return patience.settled ? run_with(Mode::mixed, function) : run_in_trial(function);
}

StoredValue Evaluation::run_in_trial(const CoreFunction& function) {
  const std::int64_t steps = flat::expressions_in(function) * patience.steps_an_expression;
  MixedContender other(patience, records_);
  machine_.begin_trial(std::clamp(steps, patience.form_steps, patience.most_form_steps), true);
  if (patience.form_goes_on && MixedContender::may_race(function)) {
    machine_.at_trial_end = [&] { return other.start(machine_, function); };
    other.watch(machine_);
  }
  try {
    StoredValue result = run_with(Mode::plain, function);
    end_trial(true);
    return result;
  } catch (const TrialOver&) {
    end_trial(false);
  } catch (const Overtaken&) {
    end_trial(false);
  } catch (...) {
    end_trial(true);  // what was printed before an error is seen
    throw;
  }
  return run_flattened(other, function);
}

// Memory, stack or vectors may not suffice for all elements at once. The plain evaluator computes
// them one after the other, unless something has been printed.
StoredValue Evaluation::run_flattened(MixedContender& other, const CoreFunction& function) {
  try {
    if (other.is_started()) return reported([&] { return other.result(machine_); });
    return run_with(Mode::mixed, function);
  } catch (const EvaluatorLimit&) {
    if (function.prints) throw;
  } catch (const OutOfMemory&) {
    if (function.prints) throw;
  } catch (const std::bad_alloc&) {
    if (function.prints) throw;
  }
  machine_.begin_form();
  return run_with(Mode::plain, function);
}

void Evaluation::end_trial(bool keep_output) {
  machine_.at_looks = nullptr;
  machine_.at_each_end = nullptr;
  machine_.overtaken = nullptr;
  machine_.end_trial(keep_output);
}

StoredValue Evaluation::run_with(Mode evaluator, const CoreFunction& function) {
  // What no function asked for is computed when the result is stored.
  static const std::string result_name = "the result";
  const KernelCount kernels(machine_, result_name);
  if (evaluator == Mode::plain)
    return reported(
        [&] { return StoredValue(function.result, PlainEvaluator(machine_).run(function)); });
  try {
    return reported([&] {
      if (evaluator == Mode::flat)
        return StoredValue(function.result, flat::Evaluator(machine_).run(function));
      return MixedEvaluator(machine_, patience, records_).run(function);
    });
  } catch (const RuntimeError&) {
    report_first_error(function);
    throw;
  }
}

// Of several errors, the one that the plain evaluator finds first is reported, so that it does not
// depend on the evaluator. Without an effect but its own exception.
void Evaluation::report_first_error(const CoreFunction& function) {
  machine_.begin_form();
  machine_.begin_trial(patience.error_steps);
  try {
    reported([&] { return StoredValue(function.result, PlainEvaluator(machine_).run(function)); });
  } catch (const TooDeep&) {
    // ignored: the stack of one evaluator is not that of another
  } catch (const TrialOver&) {
    // ignored: the error of the other evaluator is reported
  } catch (...) {
    machine_.end_trial(false);
    throw;
  }
  machine_.end_trial(false);
}

}  // namespace tutti::nesl
