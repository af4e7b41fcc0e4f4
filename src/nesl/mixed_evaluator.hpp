// Evaluates the core language where it is serial, on the host, and hands what is parallel to the
// flattening evaluator. Values that are small live on the host, others where they were computed;
// an apply-to-each over few elements is first tried on the host, for a limited number of steps.
// So a scalar loop costs no kernels, and a large sequence never visits the host.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "nesl/core.hpp"
#include "nesl/flat/evaluator.hpp"
#include "nesl/machine.hpp"
#include "nesl/plain_evaluator.hpp"
#include "nesl/stored_value.hpp"

namespace tutti::nesl {

class MixedEvaluator {
 public:
  explicit MixedEvaluator(Machine& machine)
      : machine_(machine), plain_(machine), tails_(machine), flat_(machine, &tails_) {}

  StoredValue run(const CoreFunction& function);

 private:
  // On the host, unless `flat` is set. Pairs are kept apart, so that a part may be elsewhere.
  struct Mixed {
    Value plain;
    std::shared_ptr<const nested::Value> flat;
    std::shared_ptr<const std::pair<Mixed, Mixed>> parts;
    bool is_plain() const { return !flat && !parts; }
  };
  struct Frame {
    const CoreFunction& function;
    std::vector<Mixed> slots;
  };

  Mixed call(const CoreFunction& function, std::vector<Mixed> arguments);
  Mixed evaluate(const CoreExpr& expr, Frame& frame);
  const CoreExpr& last_of(const CoreExpr& expr, Frame& frame);
  std::vector<Mixed> arguments_of(const CoreExpr& call, Frame& frame);
  Mixed pair(Mixed first, Mixed second) const;
  Mixed part(const Mixed& pair, bool first) const;
  Mixed sequence(const CoreExpr& expr, Frame& frame);
  Mixed primitive(const CoreExpr& expr, Frame& frame);
  Mixed apply_primitive(const CoreExpr& expr, const std::vector<Mixed>& operands,
                        const std::vector<Mono>& types, bool plain);
  Mixed each(const CoreExpr& expr, Frame& frame);
  Mixed serial_each(const CoreExpr& expr, Frame& frame, const std::vector<Mixed>& sources);
  Mixed flat_each(const CoreExpr& expr, Frame& frame);
  bool try_each_on_host(const CoreExpr& expr, Frame& frame, Mixed& result);
  Mixed time(const CoreExpr& expr, Frame& frame);

  Mixed made_flat(nested::Value value, Mono type) const;
  Value to_host(const Mixed& value, Mono type) const;
  nested::Value to_flat(const Mixed& value, Mono type) const;
  const std::vector<std::pair<int, Mono>>& variables_of(const CoreExpr& expr);

  Machine& machine_;
  PlainEvaluator plain_;
  flat::HostTails tails_;
  flat::Evaluator flat_;
  std::unordered_map<const CoreExpr*, std::vector<std::pair<int, Mono>>> variables_;
};

}  // namespace tutti::nesl
