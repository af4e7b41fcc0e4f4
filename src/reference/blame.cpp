#include "reference/blame.hpp"

#include <cmath>

#include "core/elements/convert.hpp"
#include "core/settings/checks.hpp"
#include "program/fault_checks.hpp"
#include "program/program.hpp"
#include "reference/elements.hpp"
#include "reference/statement_blame.hpp"

namespace tutti::ir {
namespace {

// Classifies a number: nan, inf or 0.
int fault_of(const ScalarValue& value) {
  if (!is_floating(value.type)) return 0;
  const double x = from_bits<double>(convert(value, ElementType::f64).bits);
  return std::isnan(x) ? Faults::nan : std::isinf(x) ? Faults::inf : 0;
}

const char* words_for(int fault) {
  switch (fault) {
    case Faults::nan:
      return "NaN";
    case Faults::inf:
      return "an infinity";
    case Faults::overflow:
      return "an integer that does not fit its type";
    default:
      return "an index out of range";
  }
}

std::string name_of(const Node& node) {
  if (node.buffer) return "array";
  if (node.kind == Kind::elementwise) return op_name(node.op);
  if (node.kind == Kind::affine) return node.map->name;
  if (node.kind == Kind::reduce) return reduction_name(node.reduction);
  if (is_combining_primitive(node.kind))
    return std::string(kind_name(node.kind)) + " " + reduction_name(node.reduction);
  return kind_name(node.kind);
}

std::string line_of(const Node& node) {
  if (node.where.line() == 0 && node.buffer)
    if (const auto origin = node.buffer->origin()) return detail::at(origin->where);
  return detail::at(node.where);
}

// The origin of a fault.
struct Culprit {
  ElementRef at;
  int fault = 0;
  std::string operation;
  std::string what;                  // "log(-1) = nan"
  bool is_statement = false;         // in a captured program: its operands are not elements
  std::vector<std::string> through;  // operations from the fault to the result, in order
};

class Blame {
 public:
  // Looks for the origin of one fault. A NaN computed from an infinity is blamed on the infinity,
  // if infinities are among the `wanted` faults.
  Blame(int fault, int wanted, Interpretation& interpretation)
      : fault_(fault),
        is_bad_([wanted](const ScalarValue& value) { return (fault_of(value) & wanted) != 0; }),
        in_(interpretation) {}

  std::optional<std::string> run(const FaultCheck& check) {
    const View flags = in_.elements(*check.bad);
    for (int64_t i = 0; i < check.bad->shape.size(); ++i)
      if (load<bool>(flags, i)) return text(culprit_of(check, {check.node.get(), i}));
    return std::nullopt;
  }

 private:
  Culprit culprit_of(const FaultCheck& check, const ElementRef& at) {
    if (fault_ == Faults::nan || fault_ == Faults::inf) return origin_of(at);
    if (check.statement) {
      const auto number = static_cast<int>(value_of({check.statement.get(), at.element}, in_).bits);
      const ProgramOrigin origin = describe_fault(at, number, fault_, in_);
      return {at, fault_, origin.operation, origin.statement, true, {}};
    }
    const std::string what = fault_ == Faults::bounds ? outside_text(at) : computation(at);
    return {at, fault_, name_of(*at.node), what, false, {}};
  }

  // Goes backwards from a bad element of a result to the operation whose operands are not bad.
  Culprit origin_of(ElementRef at) {
    Culprit culprit;
    culprit.fault = fault_;
    while (true) {
      ElementRef source;
      if (at.node->kind == Kind::program && !at.node->buffer) {
        const ProgramOrigin origin = trace_program(at, in_, is_bad_);
        if (!origin.outside.node) {
          culprit.fault = fault_of(origin.value);
          culprit.operation = origin.operation;
          culprit.what = origin.statement;
          culprit.is_statement = true;
          break;
        }
        source = origin.outside;
      } else if (!at.node->buffer) {
        visit_sources(at, in_, [&](const ElementRef& candidate) {
          if (!is_bad_(value_of(candidate, in_))) return true;
          source = candidate;
          return false;
        });
      }
      if (!source.node) {
        culprit.fault = fault_of(value_of(at, in_));
        culprit.operation = name_of(*at.node);
        culprit.what = computation(at);
        break;
      }
      culprit.through.insert(culprit.through.begin(), name_of(*at.node) + line_of(*at.node));
      at = source;
    }
    culprit.at = at;
    return culprit;
  }

  // "log(-1) = nan", "sum of 12 elements = inf", "element [3] of an array of shape {10} is nan"
  std::string computation(const ElementRef& at) {
    const ScalarValue value = value_of(at, in_);
    if (at.node->buffer)
      return "element " + index_text(at.element, at.node->shape) + " of an array of shape " +
             detail::to_string(at.node->shape) + " is " + number_text(value);
    if (at.node->kind == Kind::constant) return "the constant " + number_text(value);
    constexpr size_t most_operands = 4;
    std::vector<ScalarValue> operands;
    size_t count = 0;
    visit_sources(at, in_, [&](const ElementRef& source) {
      if (++count <= most_operands) operands.push_back(value_of(source, in_));
      return true;
    });
    if (at.node->kind == Kind::elementwise && at.node->op == Op::choose)
      return name_of(*at.node) + " gave " + number_text(value);
    if (count <= most_operands) return call_text(name_of(*at.node), operands, value);
    return name_of(*at.node) + " of " + std::to_string(count) + " elements = " + number_text(value);
  }

  std::string outside_text(const ElementRef& at) {
    const Node& node = *at.node;
    const Node& from = *node.inputs()[0];
    std::string text = "there is no element ";
    if (node.kind == Kind::gather)
      for (const NodeRef& index : node.inputs().subspan(1))
        text += "[" + number_text(value_of({index.get(), at.element}, in_)) + "]";
    else
      text += coordinates_text(at);
    return text + " in an array of shape " + detail::to_string(from.shape);
  }
  std::string coordinates_text(const ElementRef& at) const {
    const Node& node = *at.node;
    std::string text;
    for (int axis = 0; axis < node.inputs()[0]->shape.rank; ++axis) {
      const AxisMap& map = node.map->axes[static_cast<size_t>(axis)];
      int64_t before = at.element, coordinate = 0;
      for (int k = node.shape.rank - 1; k >= 0; --k) {
        if (k == map.axis) coordinate = before % node.shape[k];
        before /= node.shape[k];
      }
      text += "[" + std::to_string(map.stride * coordinate + map.offset) + "]";
    }
    return text;
  }

  std::string text(const Culprit& culprit) {
    const Node& node = *culprit.at.node;
    const std::string index = index_text(culprit.at.element, node.shape);
    std::string result = std::string(words_for(culprit.fault)) + ", made by " + culprit.operation +
                         (index.empty() ? "" : " for element " + index) + line_of(node) + "\n  " +
                         culprit.what;
    if (!culprit.is_statement) result += chain(culprit.at);
    if (!culprit.through.empty()) {
      constexpr size_t most = 4;
      result += "\n  it went on through " + culprit.through[0];
      for (size_t i = 1; i < std::min(most, culprit.through.size()); ++i)
        result += ", " + culprit.through[i];
      if (culprit.through.size() > most) result += ", ...";
    }
    return result;
  }

  // Describes how the operands were computed, nearest first.
  std::string chain(const ElementRef& of) {
    constexpr size_t most_lines = 8;
    std::vector<ElementRef> queue;
    const auto add_sources = [&](const ElementRef& at) {
      constexpr size_t most_sources = 4;
      size_t count = 0;
      const size_t before = queue.size();
      if (at.node->buffer) return;
      visit_sources(at, in_, [&](const ElementRef& source) {
        queue.push_back(source);
        return ++count <= most_sources;
      });
      if (count > most_sources) queue.resize(before);
    };
    if (fault_ == Faults::bounds && of.node->kind == Kind::gather)
      for (const NodeRef& index : of.node->inputs().subspan(1))
        queue.push_back({index.get(), of.element});
    else if (fault_ != Faults::bounds)
      add_sources(of);
    std::string text;
    for (size_t i = 0, lines = 0; i < queue.size() && lines < most_lines; ++i) {
      const ElementRef at = queue[i];
      if (at.node->kind == Kind::constant) continue;
      text += "\n  " + number_text(value_of(at, in_)) + ": " + computation(at) + line_of(*at.node);
      ++lines;
      add_sources(at);
    }
    return text;
  }

  const int fault_;
  const IsBad is_bad_;
  Interpretation& in_;
};

}  // namespace

std::optional<std::string> blame(std::span<const NodeRef> roots, int faults) {
  Interpretation interpretation;
  const std::vector<FaultCheck> checks = fault_checks(roots, faults);
  for (const FaultCheck& check : checks)
    if (auto found = Blame(check.fault, faults, interpretation).run(check)) return found;
  return std::nullopt;
}

}  // namespace tutti::ir
