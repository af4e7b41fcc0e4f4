#include "support/graph_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>
#include <tuple>

#include "core/elements/convert.hpp"
#include "graph/node.hpp"
#include "program/recurrence.hpp"
#include "support/library_steps.hpp"

namespace tutti::test {
namespace {

constexpr std::source_location nowhere{};

Extents extents_of(const std::vector<int64_t>& numbers) {
  Extents shape;
  for (int64_t n : numbers) shape.push_back(n);
  return shape;
}

Boundary boundary_of(const Step& step) {
  if (step.rule == Boundary::Kind::constant) return Boundary::constant(step.fill);
  return step.rule == Boundary::Kind::clamp ? Boundary::clamp() : Boundary::wrap();
}

NodeRef source(const Step& step) {
  const Extents shape = extents_of(step.numbers);
  const std::vector<std::byte> bytes = test_elements(step.type, shape.size(), step.seed);
  return detail::from_host(step.type, shape, bytes.data(), static_cast<size_t>(shape.size()),
                           nowhere);
}

// Segments of all lengths, many of them empty.
NodeRef offsets(const Step& step) {
  const int64_t segments = step.numbers[0], elements = step.numbers[1];
  std::mt19937_64 random(step.seed);
  std::vector<int32_t> result;
  for (int64_t i = 1; i < segments; ++i)
    result.push_back(static_cast<int32_t>(random() % static_cast<uint64_t>(elements + 1)));
  std::sort(result.begin(), result.end());
  result.insert(result.begin(), 0);
  result.push_back(static_cast<int32_t>(elements));
  Extents shape;
  shape.push_back(static_cast<int64_t>(result.size()));
  return detail::from_host(ElementType::i32, shape, result.data(), result.size(), nowhere);
}

std::vector<Range> ranges_of(const Step& step) {
  std::vector<Range> ranges;
  for (size_t i = 0; i + 2 < step.numbers.size(); i += 3)
    ranges.push_back({step.numbers[i], step.numbers[i + 1], step.numbers[i + 2]});
  return ranges;
}

NodeRef expand(const Step& step, const NodeRef& input) {
  std::vector<Margin> margins;
  for (size_t i = 0; i + 1 < step.numbers.size(); i += 2)
    margins.push_back({step.numbers[i], step.numbers[i + 1]});
  return detail::expand(input, margins, boundary_of(step), 0, "expand", nowhere);
}

// y' = op(y, x); of two states: y0' = op(y1, x), y1' = max(y0, x).
NodeRef recurrence(const Step& step, const std::vector<NodeRef>& inputs) {
  const ElementType type = inputs.at(0)->type;
  const auto states = static_cast<size_t>(step.numbers.at(0));
  ir::Function function;
  for (size_t k = 0; k < states + 1; ++k)
    function.parameters.push_back(ir::make_parameter(type, 0, nowhere));
  const NodeRef x = function.parameters.back();
  const auto apply = [&](Op op, const NodeRef& y) {
    const NodeRef operands[] = {y, x};
    return detail::cast(detail::elementwise(op, operands, nowhere), type, nowhere);
  };
  function.results.push_back(apply(step.op, function.parameters[states - 1]));
  if (states > 1) function.results.push_back(apply(Op::max, function.parameters[0]));
  const NodeRef first = inputs.size() > 1 ? inputs[1]
                                          : detail::constant(convert(scalar_value(step.fill), type),
                                                             Extents{}, nowhere);
  const std::vector<NodeRef> initial(states, first);
  return ir::make_recurrence(function, initial, {&inputs[0], 1},
                             {step.axis, step.numbers.at(2) != 0},
                             nowhere)[static_cast<size_t>(step.numbers.at(1))];
}

double special_number(std::mt19937_64& random) {
  static constexpr double numbers[] = {0.0,
                                       -0.0,
                                       1,
                                       -1,
                                       1e30,
                                       -1e30,
                                       1e-40,
                                       -1e-45,
                                       1e-310,
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN(),
                                       65504,
                                       2147483648.0,
                                       -2147483649.0,
                                       1.8446744073709552e19};
  return numbers[random() % std::size(numbers)];
}

template <class T>
T special_integer(std::mt19937_64& random) {
  static constexpr T numbers[] = {std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max(),
                                  static_cast<T>(std::numeric_limits<T>::min() + 1),
                                  static_cast<T>(std::numeric_limits<T>::max() - 1),
                                  static_cast<T>(-1),
                                  0,
                                  1};
  return numbers[random() % std::size(numbers)];
}

// Order, and what users define.
NodeRef build_further_step(const Step& step, const std::vector<NodeRef>& inputs) {
  const auto optional = [&](size_t i) { return inputs.size() > i ? inputs[i] : NodeRef(); };
  const auto operation = [&] {
    return user_operator(inputs.at(0)->type, static_cast<int>(step.numbers.at(0)));
  };
  using Kind = Step::Kind;
  switch (step.kind) {
    case Kind::sort_permutation:
      return detail::sort_permutation(inputs.at(0), optional(1), step.axis != 0, nowhere);
    case Kind::element_segments:
      return detail::element_segments(inputs.at(0), step.numbers.at(0), nowhere);
    case Kind::search:
      return detail::search_sorted(inputs.at(0), inputs.at(1), step.axis != 0, nowhere);
    case Kind::top_k:
      return detail::top_k(inputs.at(0), step.numbers.at(0), step.axis != 0, nowhere);
    case Kind::view:
      return view_step(step);
    case Kind::fold: {
      const std::vector<int> axes(step.numbers.begin() + 1, step.numbers.end());
      return detail::reduce_with(operation(), {inputs.at(0)}, axes, nowhere).at(0);
    }
    case Kind::user_scan:
      return detail::scan_with(operation(), {inputs.at(0)}, optional(1), false, {}, nowhere).at(0);
    case Kind::user_segments: {
      const ScalarValue neutral[] = {convert(scalar_value(step.fill), inputs.at(0)->type)};
      return detail::reduce_segments_with(operation(), {inputs.at(0)}, inputs.at(1), neutral,
                                          nowhere)
          .at(0);
    }
    case Kind::program:
      return program_step(step, inputs);
    case Kind::deposit:
      return deposit_step(step, inputs);
    case Kind::library:
      return library_step(step, inputs);
    default:
      throw InternalError("build_step: an unknown step");
  }
}

}  // namespace

ScalarValue test_value(std::mt19937_64& random, ElementType type) {
  const uint64_t choice = random() % 16;
  const double small = static_cast<double>(static_cast<int64_t>(random() % 2001) - 1000) / 16.0;
  if (choice > 3 || type == ElementType::b8) return convert(scalar_value(small), type);
  return visit_type(type, [&](auto tag) -> ScalarValue {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (choice < 2) return scalar_value(special_integer<T>(random));
      return scalar_value(static_cast<T>(random()));
    } else {
      if (choice < 2) return convert(scalar_value(special_number(random)), type);
      return convert(scalar_value(std::ldexp(small, static_cast<int>(random() % 80) - 40)), type);
    }
  });
}

namespace {

std::vector<std::byte> drawn_elements(ElementType type, int64_t count, uint64_t seed) {
  const auto size = static_cast<size_t>(size_of(type));
  std::vector<std::byte> bytes(static_cast<size_t>(count) * size);
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < bytes.size(); i += size) {
    const ScalarValue value = test_value(random, type);
    std::memcpy(bytes.data() + i, &value.bits, size);
  }
  return bytes;
}

}  // namespace

// A graph is built three times, when it is drawn, interpreted and compiled. Its elements are kept
// meanwhile.
std::vector<std::byte> test_elements(ElementType type, int64_t count, uint64_t seed) {
  constexpr size_t most_bytes = size_t{64} << 20;
  thread_local std::map<std::tuple<ElementType, int64_t, uint64_t>, std::vector<std::byte>> kept;
  thread_local size_t kept_bytes = 0;
  if (kept_bytes > most_bytes) {
    kept.clear();
    kept_bytes = 0;
  }
  const auto [place, fresh] = kept.try_emplace({type, count, seed});
  if (fresh) {
    place->second = drawn_elements(type, count, seed);
    kept_bytes += place->second.size();
  }
  return place->second;
}

NodeRef build_step(const Step& step, const std::vector<NodeRef>& nodes) {
  const auto input = [&](size_t i) { return nodes.at(static_cast<size_t>(step.inputs.at(i))); };
  std::vector<NodeRef> inputs;
  for (size_t i = 0; i < step.inputs.size(); ++i) inputs.push_back(input(i));
  const auto rest = [&](size_t first) { return std::span(inputs).subspan(first); };
  const std::vector<int> axes(step.numbers.begin(), step.numbers.end());
  using Kind = Step::Kind;
  switch (step.kind) {
    case Kind::source:
      return source(step);
    case Kind::offsets:
      return offsets(step);
    case Kind::constant:
      return detail::constant(convert(scalar_value(step.fill), step.type), extents_of(step.numbers),
                              nowhere);
    case Kind::index:
      return detail::index(extents_of(step.numbers), step.axis, nowhere);
    case Kind::op:
      return detail::elementwise(step.op, inputs, nowhere);
    case Kind::cast:
      return detail::cast(input(0), step.type, nowhere);
    case Kind::shift:
      return detail::shift(input(0), step.numbers, boundary_of(step), 0, nowhere);
    case Kind::section:
      return detail::section(input(0), ranges_of(step), nowhere);
    case Kind::replicate:
      return detail::replicate(input(0), extents_of(step.numbers), nowhere);
    case Kind::expand:
      return expand(step, input(0));
    case Kind::transpose:
      return detail::transpose(input(0), step.numbers, nowhere);
    case Kind::drop_dimension:
      return detail::drop_dimension(input(0), step.axis, nowhere);
    case Kind::add_dimension:
      return detail::add_dimension(input(0), step.axis, step.numbers.at(0), nowhere);
    case Kind::reshape:
      return detail::reshape(input(0), extents_of(step.numbers), nowhere);
    case Kind::gather:
      return detail::gather(input(0), rest(1), boundary_of(step), 0, nowhere);
    case Kind::reduce:
      return detail::reduce(step.reduction, input(0), axes, nowhere);
    case Kind::inner_product:
      return detail::inner_product(input(0), input(1), nowhere);
    case Kind::scan:
      return detail::scan(step.reduction, input(0), inputs.size() > 1 ? input(1) : NodeRef(),
                          step.axis != 0, nowhere);
    case Kind::segmented_reduce:
      return detail::segmented_reduce(step.reduction, input(0), input(1), nowhere);
    case Kind::scatter:
      return detail::scatter(input(0), rest(2), input(1), static_cast<Collision>(step.axis),
                             nowhere);
    case Kind::sort:
      return detail::sort_values(input(0), input(1), inputs.size() > 2 ? input(2) : NodeRef(),
                                 step.axis != 0, nowhere);
    case Kind::write_section:
      return detail::write_section(input(0), ranges_of(step), input(1), nowhere);
    case Kind::concat:
      return detail::concat(rest(0), step.axis, nowhere);
    case Kind::recurrence:
      return recurrence(step, inputs);
    case Kind::pack:
      return detail::pack(input(0), input(1), step.numbers.at(0), nowhere);
    case Kind::broadcast:
      return detail::broadcast(input(0), extents_of(step.numbers), nowhere);
    default:
      return build_further_step(step, inputs);
  }
}

std::vector<NodeRef> build_all(const Recipe& recipe) {
  std::vector<NodeRef> nodes;
  for (const Step& step : recipe.steps) nodes.push_back(build_step(step, nodes));
  return nodes;
}

std::vector<NodeRef> build(const Recipe& recipe) {
  const std::vector<NodeRef> nodes = build_all(recipe);
  std::vector<NodeRef> roots;
  for (int root : recipe.roots) roots.push_back(nodes.at(static_cast<size_t>(root)));
  return roots;
}

// ---- as C++

namespace {

const char* const kind_names[] = {"source",
                                  "offsets",
                                  "constant",
                                  "index",
                                  "op",
                                  "cast",
                                  "shift",
                                  "section",
                                  "replicate",
                                  "expand",
                                  "transpose",
                                  "drop_dimension",
                                  "add_dimension",
                                  "reshape",
                                  "gather",
                                  "reduce",
                                  "inner_product",
                                  "scan",
                                  "segmented_reduce",
                                  "scatter",
                                  "sort",
                                  "pack",
                                  "write_section",
                                  "concat",
                                  "recurrence",
                                  "sort_permutation",
                                  "element_segments",
                                  "search",
                                  "top_k",
                                  "broadcast",
                                  "view",
                                  "fold",
                                  "user_scan",
                                  "user_segments",
                                  "program",
                                  "deposit",
                                  "library"};

template <class T>
std::string list(const std::vector<T>& items) {
  std::ostringstream out;
  out << '{';
  for (size_t i = 0; i < items.size(); ++i) out << (i ? ", " : "") << items[i];
  out << '}';
  return out.str();
}

std::string number_text(double number) {
  if (std::isnan(number)) return "NAN";
  if (std::isinf(number)) return number > 0 ? "INFINITY" : "-INFINITY";
  std::ostringstream out;
  out.precision(17);
  out << number;
  return out.str();
}

const char* rule_name(Boundary::Kind rule) {
  switch (rule) {
    case Boundary::Kind::constant:
      return "constant";
    case Boundary::Kind::clamp:
      return "clamp";
    default:
      return "wrap";
  }
}

// Only the fields that differ from their defaults, as designated initialisers.
std::string step_text(const Step& step) {
  const Step plain;
  std::string text = ".kind = Step::Kind::" + std::string(kind_names[static_cast<int>(step.kind)]);
  const auto add = [&](const char* name, const std::string& value) {
    text += std::string(", .") + name + " = " + value;
  };
  if (!step.inputs.empty()) add("inputs", list(step.inputs));
  if (!step.numbers.empty()) add("numbers", list(step.numbers));
  if (step.type != plain.type) add("type", "ElementType(" + std::to_string(int(step.type)) + ")");
  if (step.kind == Step::Kind::op || step.kind == Step::Kind::recurrence)
    add("op", std::string("Op::") + ir::op_name(step.op));
  if (step.reduction != plain.reduction)
    add("reduction", "Reduction(" + std::to_string(static_cast<int>(step.reduction)) + ")");
  if (step.axis) add("axis", std::to_string(step.axis));
  if (step.rule != plain.rule) add("rule", std::string("Boundary::Kind::") + rule_name(step.rule));
  if (step.fill != 0 || std::signbit(step.fill)) add("fill", number_text(step.fill));
  if (step.seed) add("seed", std::to_string(step.seed));
  return "{" + text + "}";
}

}  // namespace

std::string to_cpp(const Recipe& recipe) {
  std::string text = "  const Recipe recipe{\n      {\n";
  for (size_t i = 0; i < recipe.steps.size(); ++i)
    text += "          " + step_text(recipe.steps[i]) + ",  // " + std::to_string(i) + "\n";
  text += "      },\n      " + list(recipe.roots);
  if (!recipe.early.empty()) text += ",\n      " + list(recipe.early);
  text += "};\n";
  text += "  expect_interpreted_bits(recipe);\n";
  return text;
}

}  // namespace tutti::test
