// Evaluates the core language by flattening: an expression is evaluated for all instances of a
// context at once. A scalar is a vector with an entry for each instance, a sequence flat data and
// segments, at any depth of nesting. Vector operations are nodes of a lazy graph, so that runs of
// them are compiled into few kernels, for the CPU or the GPU.
#pragma once
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/flat/host_tails.hpp"
#include "nesl/eval/flat/loop_shape.hpp"
#include "nesl/eval/machine.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl::flat {

class Evaluator {
 public:
  // With `tails`, recursions that have become small are finished on the host.
  explicit Evaluator(Machine& machine, HostTails* tails = nullptr)
      : machine_(machine), tails_(tails) {}

  // In the top context. Errors found so far have been thrown when it returns.
  nested::Value run(const CoreFunction& function);
  // An expression of a function whose variables have these values of the top context.
  nested::Value run_part(const CoreFunction& function, const CoreExpr& expr,
                         std::vector<nested::Value> slots);

  // An apply-to-each of a function over sequences of the top context.
  nested::Value run_each(const CoreFunction& function, const CoreExpr& expr,
                         std::vector<nested::Value> slots, std::vector<nested::Value> sequences);

 private:
  struct Frame {
    const CoreFunction& function;
    std::vector<nested::Value> slots;
    std::vector<bool> known;   // of the slots of `once` expressions
    nested::ContextRef entry;  // the context of the call
  };
  // What a body comes to for the instances of a context: a value, or a call whose value it is.
  struct Leaf {
    nested::ContextRef at;
    const CoreExpr* call;               // null for a value
    std::vector<nested::Value> values;  // the arguments, or the value alone
  };
  nested::Value call(const CoreFunction& function, std::vector<nested::Value> arguments,
                     const nested::ContextRef& at);
  nested::Value loop(const CoreFunction& function, std::vector<nested::Value> arguments,
                     const nested::ContextRef& at);
  bool may_loop(const CoreFunction& function);
  // How the function is captured; null where it is not, or calls are observed one by one.
  const LoopShape* captured_shape(const CoreFunction& function);
  std::vector<Leaf> leaves_of(const CoreFunction& function, std::vector<nested::Value> arguments,
                              const nested::ContextRef& at);
  void add_leaves(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at,
                  std::vector<Leaf>& leaves);
  std::vector<nested::Value> arguments_of(const CoreExpr& call, Frame& frame,
                                          const nested::ContextRef& at);
  bool is_recursive(const CoreFunction& caller, const CoreFunction& callee);
  const std::vector<int>& last_used(const CoreExpr& expr);
  bool may_recur(const CoreExpr& expr, const CoreFunction& function);
  nested::Value inner_call(const CoreExpr& call, Frame& frame, const nested::ContextRef& at);
  nested::Value call_now(const CoreFunction& caller, const CoreExpr& call,
                         std::vector<nested::Value> arguments, const nested::ContextRef& at);
  nested::Value evaluate(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at);
  void bind(const CoreExpr& let, Frame& frame, const nested::ContextRef& at);
  static void drop(const std::vector<int>& slots, Frame& frame);
  template <class Side>
  void take_sides(const CoreExpr& condition, Frame& frame, const nested::Branches& branches,
                  const Side& side);
  nested::Value condition(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at);
  nested::Value each(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at);
  nested::Value each_of(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at,
                        std::vector<nested::Value> sequences);
  nested::Value serial_each(const CoreExpr& expr, Frame& frame,
                            std::vector<nested::Value> sequences);
  nested::Value primitive(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at);
  nested::Value once(const CoreExpr& expr, Frame& frame);
  nested::Value time(const CoreExpr& expr, Frame& frame, const nested::ContextRef& at);

  Machine& machine_;
  HostTails* tails_;
  std::unordered_map<const CoreFunction*, bool> loops_;
  std::unordered_map<const CoreFunction*, std::optional<LoopShape>> shapes_;
  // Whether an expression of a function may lead to a call of the function.
  std::unordered_map<const CoreExpr*, bool> recurring_;
  std::unordered_map<const CoreExpr*, std::vector<int>> last_used_;
  // Whether a function may call the other one, directly or through others.
  std::map<std::pair<const CoreFunction*, const CoreFunction*>, bool> reaches_;
};

}  // namespace tutti::nesl::flat
