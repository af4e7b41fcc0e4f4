// Evaluates the core language where it is serial, on the host, and hands what is parallel to the
// flattening evaluator. Values that are small live on the host, others where they were computed.
// An apply-to-each over one element is serial. Others are first tried on the host, for a limited
// number of steps; then they are flattened while the host goes on by the side (host_contender.hpp).
// So a scalar loop costs no kernels, and a large sequence never visits the host.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/evaluator.hpp"
#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/eval/race/host_contender.hpp"
#include "nesl/eval/race/patience.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class FormRace;

class MixedEvaluator {
 public:
  // With a form race, the plain evaluator works on the same form.
  MixedEvaluator(Machine& machine, const Patience& patience, EachRecords& records,
                 FormRace* form_race = nullptr)
      : machine_(machine),
        patience_(patience),
        records_(records),
        form_race_(form_race),
        plain_(machine),
        tails_(machine),
        flat_(machine, patience.settled ? nullptr : &tails_) {}

  StoredValue run(const CoreFunction& function);

 private:
  struct Frame {
    const CoreFunction& function;
    std::vector<Value> slots;
    std::vector<bool> known;  // of the slots of `once` expressions
  };
  using Clock = std::chrono::steady_clock;
  using Record = EachRecord;

  Value call(const CoreFunction& function, std::vector<Value> arguments);
  // Serial code whose arguments are on the host.
  bool is_for_the_host(const CoreFunction& function, const std::vector<Value>& arguments);
  Value evaluate(const CoreExpr& expr, Frame& frame);
  const CoreExpr& last_of(const CoreExpr& expr, Frame& frame);
  std::vector<Value> arguments_of(const CoreExpr& call, Frame& frame);
  Value part(const Value& pair, const CoreExpr& expr) const;
  Value sequence(const CoreExpr& expr, Frame& frame);
  template <std::size_t most>
  Value primitive(const CoreExpr& expr, Frame& frame);
  Value flat_primitive(const CoreExpr& expr, const CoreFunction& function,
                       std::span<const Value> operands);
  Value each(const CoreExpr& expr, Frame& frame);
  Value source(const CoreExpr& expr, Frame& frame);
  Value serial_each(const CoreExpr& expr, Frame& frame, const std::vector<Value>& sources);
  Value only_element(const CoreExpr& expr, Frame& frame, const std::vector<Value>& sources);
  Value once(const CoreExpr& expr, Frame& frame);
  Value flat_each(const CoreExpr& expr, Frame& frame, std::vector<Value> sources);
  bool is_few(const CoreExpr& expr, Frame& frame, std::vector<Value>& sources);
  std::optional<HostEach> on_host(const CoreExpr& expr, Frame& frame,
                                  const std::vector<Value>& sources, const Record& record);
  bool try_on_host(HostEach& each, Record& record, Clock::duration& spent);
  std::int64_t steps_to_try(const HostEach& each, const Record& record) const;
  Value race(const CoreExpr& expr, Frame& frame, std::vector<Value> sources, HostEach each,
             Record& record, Clock::duration spent);
  void check_sources(const CoreExpr& expr, const Frame& frame, const std::vector<Value>& sources);
  bool fits(const Value& value, Mono type, std::int64_t& left, flat::Sizes sizes) const;
  bool all_fits(const CoreExpr& expr, Frame& frame, const std::vector<Value>& sources,
                std::int64_t& left);
  Value time(const CoreExpr& expr, Frame& frame);

  Value made_flat(nested::Value value, Mono type) const;
  Value to_host(const Value& value, Mono type) const;
  nested::Value to_flat(const Value& value, Mono type) const;
  // Those that the body of an apply-to-each uses, but for its own.
  const std::vector<std::pair<int, Mono>>& variables_of(const CoreExpr& each);

  static void drop(const std::vector<int>& slots, Frame& frame);
  const std::vector<int>& last_used(const CoreExpr& expr);

  Machine& machine_;
  const Patience patience_;
  EachRecords& records_;
  FormRace* const form_race_;
  PlainEvaluator plain_;
  flat::HostTails tails_;
  flat::Evaluator flat_;
  std::unordered_map<const CoreExpr*, std::vector<std::pair<int, Mono>>> variables_;
  std::unordered_map<const CoreExpr*, std::vector<int>> last_used_;
  std::unordered_map<const CoreFunction*, bool> serial_;
  struct Source {
    std::vector<std::pair<int, Mono>> variables;
    bool calls_the_program = false;
  };
  std::unordered_map<const CoreExpr*, Source> sources_;
  HostContender contender_;  // the last member: its thread ends first
};

}  // namespace tutti::nesl
