#include "nesl/eval/flat/loop_shape.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/flat/primitives.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::flat {
namespace {

// A kernel of more would take long to compile. Functions that are called count wherever they are.
constexpr int most_expressions = 300;

bool holds_scalars(Mono type) {
  const Mono its = mono::representation(type);
  if (its->kind == MonoType::Kind::pair) return holds_scalars(its->a) && holds_scalars(its->b);
  return its->is_scalar();
}

bool is_table(Mono type) {
  const Mono its = mono::representation(type);
  return its->kind == MonoType::Kind::sequence && holds_scalars(its->a);
}

// Adds the leaves of a type; false where one is a sequence of sequences.
bool add_leaves(Mono type, std::vector<LoopShape::Leaf>& leaves) {
  const Mono its = mono::representation(type);
  if (its->kind == MonoType::Kind::pair)
    return add_leaves(its->a, leaves) && add_leaves(its->b, leaves);
  leaves.push_back({its});
  return its->is_scalar() || is_table(its);
}

std::size_t leaves_of(Mono type) {
  const Mono its = mono::representation(type);
  return its->kind == MonoType::Kind::pair ? leaves_of(its->a) + leaves_of(its->b) : 1;
}

class Analysis {
 public:
  explicit Analysis(const CoreFunction& function) : function_(function) {}

  std::optional<LoopShape> run() {
    if (function_.prints || function_.draws > 0 || !holds_scalars(function_.result)) return {};
    if (!find_arguments(*function_.body) || !is_loop_body(*function_.body)) return {};
    for (const LoopShape::Leaf& leaf : shape_.leaves)
      if (leaf.changes && !leaf.type->is_scalar()) return {};
    return shape_;
  }

 private:
  using Origins =
      std::vector<int>;  // of each leaf of a value the leaf of the arguments it is, or -1

  // Takes the types of the arguments from the first call of the function itself at its end.
  bool find_arguments(const CoreExpr& expr) {
    if (expr.kind == CoreExpr::Kind::call && expr.function == &function_) {
      origins_.resize(static_cast<std::size_t>(function_.slots));
      for (std::size_t slot = 0; slot < expr.operands.size(); ++slot) {
        const std::size_t first = shape_.leaves.size();
        shape_.arguments.push_back(expr.operands[slot]->type);
        if (!add_leaves(expr.operands[slot]->type, shape_.leaves)) return false;
        origins_[slot].resize(shape_.leaves.size() - first);
        std::iota(origins_[slot].begin(), origins_[slot].end(), static_cast<int>(first));
      }
      return true;
    }
    if (expr.kind == CoreExpr::Kind::let) return find_arguments(*expr.operands.back());
    if (expr.kind != CoreExpr::Kind::condition) return false;
    return find_arguments(*expr.operands[1]) ||
           (shape_.leaves.empty() && find_arguments(*expr.operands[2]));
  }

  // What the function gives: through lets and conditions to values and calls of itself.
  bool is_loop_body(const CoreExpr& expr) {
    switch (expr.kind) {
      case CoreExpr::Kind::let:
        return bind(expr) && is_loop_body(*expr.operands.back());
      case CoreExpr::Kind::condition:
        return is_simple(*expr.operands[0]) && is_loop_body(*expr.operands[1]) &&
               is_loop_body(*expr.operands[2]);
      case CoreExpr::Kind::call:
        if (expr.function == &function_) return next_call(expr);
        break;
      default:
        break;
    }
    return is_simple(expr);
  }

  bool bind(const CoreExpr& let) {
    for (std::size_t i = 0; i < let.slots.size(); ++i) {
      if (!is_simple(*let.operands[i])) return false;
      origins_[static_cast<std::size_t>(let.slots[i])] = origins(*let.operands[i]);
    }
    return true;
  }

  bool next_call(const CoreExpr& call) {
    std::size_t at = 0;
    for (const CoreRef& operand : call.operands) {
      if (!is_simple(*operand)) return false;
      for (int origin : origins(*operand)) {
        if (origin != static_cast<int>(at)) shape_.leaves[at].changes = true;
        ++at;
      }
    }
    return true;
  }

  Origins origins(const CoreExpr& expr) const {
    const std::size_t count = leaves_of(expr.type);
    switch (expr.kind) {
      case CoreExpr::Kind::variable:
        if (const Origins& its = origins_[static_cast<std::size_t>(expr.slots[0])]; !its.empty())
          return its;
        break;
      case CoreExpr::Kind::pair: {
        Origins both = origins(*expr.operands[0]);
        const Origins rest = origins(*expr.operands[1]);
        both.insert(both.end(), rest.begin(), rest.end());
        return both;
      }
      case CoreExpr::Kind::first:
      case CoreExpr::Kind::rest: {
        const Origins all = origins(*expr.operands[0]);
        const auto skipped = expr.kind == CoreExpr::Kind::first ? 0 : all.size() - count;
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(skipped);
        return {begin, begin + static_cast<std::ptrdiff_t>(count)};
      }
      default:
        break;
    }
    return Origins(count, -1);
  }

  bool all_simple(const std::vector<CoreRef>& operands) {
    return std::all_of(operands.begin(), operands.end(),
                       [&](const CoreRef& operand) { return is_simple(*operand); });
  }

  // Whether a kernel can compute it for one element.
  bool is_simple(const CoreExpr& expr) {
    if (++expressions_ > most_expressions) return false;
    switch (expr.kind) {
      case CoreExpr::Kind::constant:
        return holds_scalars(expr.type);
      case CoreExpr::Kind::global: {
        std::vector<LoopShape::Leaf> leaves;
        return add_leaves(expr.type, leaves);
      }
      case CoreExpr::Kind::variable:
        return true;
      case CoreExpr::Kind::condition:
        return holds_scalars(expr.type) && all_simple(expr.operands);
      case CoreExpr::Kind::let:
      case CoreExpr::Kind::pair:
      case CoreExpr::Kind::first:
      case CoreExpr::Kind::rest:
        return all_simple(expr.operands);
      case CoreExpr::Kind::primitive:
        return is_simple_primitive(expr) && all_simple(expr.operands);
      case CoreExpr::Kind::call:
        return !reaches(*expr.function, *expr.function) && !reaches(*expr.function, function_) &&
               expr.function != &function_ && all_simple(expr.operands) &&
               is_simple(*expr.function->body);
      default:
        return false;
    }
  }

  static bool is_simple_primitive(const CoreExpr& expr) {
    const std::string_view name = expr.primitive->name;
    if (name == "elt" || name == "length") return is_table(expr.operands[0]->type);
    if (name == "rand" || name == "hash" || expr.primitive->effect != Effect::none) return false;
    return holds_scalars(expr.type) &&
           std::all_of(expr.operands.begin(), expr.operands.end(),
                       [](const CoreRef& operand) { return holds_scalars(operand->type); }) &&
           find(*expr.primitive, expr.operands[0]->type);
  }

  const CoreFunction& function_;
  LoopShape shape_;
  std::vector<Origins> origins_;  // by slot; empty: not known
  int expressions_ = 0;
};

}  // namespace

std::optional<LoopShape> loop_shape(const CoreFunction& function) {
  return Analysis(function).run();
}

}  // namespace tutti::nesl::flat
