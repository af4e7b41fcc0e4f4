// Which evaluator runs an expression. Serial and small programs are finished by the plain one,
// within a trial; what proves to be larger is started again on the mixed one, which flattens what
// is parallel. The others can be asked for, to compare.
#pragma once
#include "nesl/core/core.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/eval/race/patience.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class MixedContender;

class Evaluation {
 public:
  explicit Evaluation(Machine& machine) : machine_(machine) {}

  enum class Mode { automatic, plain, mixed, flat };
  Mode mode = Mode::automatic;
  Patience patience;

  StoredValue run(const CoreFunction& function);
  // Functions that have been run are gone.
  void forget_records() { records_.clear(); }

 private:
  StoredValue run_form(const CoreFunction& function);
  StoredValue run_in_trial(const CoreFunction& function);
  void end_trial(bool keep_output);
  StoredValue run_flattened(MixedContender& other, const CoreFunction& function);
  StoredValue run_with(Mode evaluator, const CoreFunction& function);
  void report_first_error(const CoreFunction& function);
  template <class Work>
  StoredValue reported(const Work& work);

  Machine& machine_;
  EachRecords records_;
};

}  // namespace tutti::nesl
