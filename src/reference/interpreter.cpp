#include "reference/interpreter.hpp"

#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/elements/convert.hpp"
#include "numerics/product_order.hpp"
#include "numerics/scalar_apply.hpp"
#include "reference/elements.hpp"
#include "reference/primitives.hpp"
#include "reference/program_interpreter.hpp"

namespace tutti::ir {
class Interpretation::Interpreter {
 public:
  explicit Interpreter(int64_t most_statements) : statements_left_(most_statements) {}

  View run(const Node& node) {
    if (is_known(node)) return elements_of(node);
    // Producers first, without recursion: graphs may be deep.
    std::vector<const Node*> stack{&node};
    while (!stack.empty()) {
      const Node* top = stack.back();
      if (is_known(*top)) {
        stack.pop_back();
        continue;
      }
      bool ready = true;
      for (const NodeRef& input : top->inputs())
        if (!is_known(*input)) {
          stack.push_back(input.get());
          ready = false;
        }
      if (!ready) continue;
      results_.emplace(top, compute(*top));
      stack.pop_back();
    }
    return elements_of(node);
  }

 private:
  bool is_known(const Node& node) const { return node.buffer || results_.count(&node); }
  View elements_of(const Node& node) const {
    if (!node.buffer) return results_.at(&node);
    return {static_cast<const std::byte*>(node.buffer->data()), node.buffer->bytes()};
  }

  Bytes compute(const Node& node) {
    Bytes out(static_cast<size_t>(node.shape.size() * size_of(node.type)));
    switch (node.kind) {
      case Kind::leaf:
        break;
      case Kind::constant:
        constant(node, out);
        break;
      case Kind::index:
        index(node, out);
        break;
      case Kind::elementwise:
        elementwise(node, out);
        break;
      case Kind::cast:
        cast(node, out);
        break;
      case Kind::affine:
        affine(node, out);
        break;
      case Kind::gather:
        gather(node, out);
        break;
      case Kind::reduce:
        reduce(node, out);
        break;
      case Kind::inner_product:
        inner_product(node, out);
        break;
      case Kind::reshape:
        out.assign(input(node, 0).begin(), input(node, 0).end());
        break;
      case Kind::program:
        program(node, out);
        break;
      case Kind::recurrence:
        recurrence(node, out);
        break;
      case Kind::parameter:
        throw InternalError("the interpreter met a parameter outside of its function");
      default: {
        std::vector<View> inputs;
        for (const NodeRef& input : node.inputs()) inputs.push_back(elements_of(*input));
        interpret_primitive(node, inputs, out);
      }
    }
    return out;
  }

  View input(const Node& node, int i) const { return elements_of(*node.inputs()[i]); }
  // An input of rank 0 is the same for every element.
  static int64_t step(const Node& node, int i) { return node.inputs()[i]->shape.rank == 0 ? 0 : 1; }

  void constant(const Node& node, Bytes& out) {
    const auto size = static_cast<size_t>(size_of(node.type));
    for (size_t i = 0; i < out.size(); i += size)
      std::memcpy(out.data() + i, &node.value.bits, size);
  }

  void index(const Node& node, Bytes& out) {
    const bool wide = node.type == ElementType::i64;
    for (int64_t i = 0; i < node.shape.size(); ++i) {
      const int64_t coordinate = coordinates_of(i, node.shape)[node.get<IndexAxis>().axis];
      wide ? store(out, i, coordinate) : store(out, i, static_cast<int32_t>(coordinate));
    }
  }

  void elementwise(const Node& node, Bytes& out) {
    const size_t arity = node.inputs().size();
    const ElementType type = node.inputs()[arity - 1]->type;
    std::array<View, 3> inputs;
    std::array<int64_t, 3> steps{};
    for (size_t k = 0; k < arity; ++k) {
      inputs[k] = input(node, static_cast<int>(k));
      steps[k] = step(node, static_cast<int>(k));
    }
    visit_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t i = 0; i < node.shape.size(); ++i) {
        T x[3] = {};
        for (size_t k = node.op == Op::choose ? 1 : 0; k < arity; ++k)
          x[k] = load<T>(inputs[k], i * steps[k]);
        if constexpr (detail::kind<T> == 2)
          if (node.op == Op::ordinal) {
            store(out, i, ordinal(x[0]));
            continue;
          }
        if (node.op == Op::choose)
          store(out, i, load<bool>(inputs[0], i * steps[0]) ? x[1] : x[2]);
        else if (node.type == ElementType::b8 && type != ElementType::b8)
          store(out, i, test(node.op, x[0], x[1]));
        else if (node.op >= Op::equal && node.op <= Op::greater_equal)
          store(out, i, test(node.op, x[0], x[1]));
        else
          store(out, i, apply<T>(node.op, x[0], x[1], x[2]));
      }
    });
  }

  void cast(const Node& node, Bytes& out) {
    visit_type(node.inputs()[0]->type, [&](auto from) {
      visit_type(node.type, [&](auto to) {
        using From = typename decltype(from)::type;
        using To = typename decltype(to)::type;
        const View elements = input(node, 0);
        for (int64_t i = 0; i < node.shape.size(); ++i)
          store(out, i, convert_element<To>(load<From>(elements, i)));
      });
    });
  }

  void affine(const Node& node, Bytes& out) {
    const Extents& from = node.inputs()[0]->shape;
    copy_elements(node, out, from, [&](int64_t i, Coordinates& source) {
      const Coordinates at = coordinates_of(i, node.shape);
      for (int axis = 0; axis < from.rank; ++axis) {
        const AxisMap& m = node.map->axes[axis];
        source[axis] = m.offset + (m.axis < 0 ? 0 : m.stride * at[m.axis]);
      }
    });
  }

  void gather(const Node& node, Bytes& out) {
    const Extents& from = node.inputs()[0]->shape;
    std::array<View, max_rank> indices;
    std::array<bool, max_rank> wide{};
    for (int axis = 0; axis < from.rank; ++axis) {
      indices[axis] = input(node, axis + 1);
      wide[axis] = node.inputs()[static_cast<size_t>(axis) + 1]->type == ElementType::i64;
    }
    copy_elements(node, out, from, [&](int64_t i, Coordinates& source) {
      for (int axis = 0; axis < from.rank; ++axis)
        source[axis] =
            wide[axis] ? load<int64_t>(indices[axis], i) : load<int32_t>(indices[axis], i);
    });
  }

  template <class Locate>
  void copy_elements(const Node& node, Bytes& out, const Extents& from, Locate locate) {
    const auto size = static_cast<size_t>(size_of(node.type));
    const View elements = input(node, 0);
    for (int64_t i = 0; i < node.shape.size(); ++i) {
      Coordinates source{};
      locate(i, source);
      bool inside = true;
      for (int axis = 0; axis < from.rank; ++axis)
        inside &= bring_inside(source[axis], from[axis], node.map->boundary);
      const void* element =
          inside ? static_cast<const void*>(elements.data() +
                                            static_cast<size_t>(position_of(source, from)) * size)
                 : &node.map->fill.bits;
      std::memcpy(out.data() + static_cast<size_t>(i) * size, element, size);
    }
  }

  void reduce(const Node& node, Bytes& out) {
    const Extents& from = node.inputs()[0]->shape;
    const auto axes = node.get<ReducedAxes>();
    const bool wide = is_wide(from, axes.mask);
    visit_type(node.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      std::vector<std::vector<T>> groups(static_cast<size_t>(node.shape.size()));
      const View elements = input(node, 0);
      for (int64_t i = 0; i < from.size(); ++i) {
        const Coordinates at = coordinates_of(i, from);
        Coordinates kept{};
        for (int axis = 0, k = 0; axis < from.rank; ++axis)
          if (!axes.has(axis)) kept[k++] = at[axis];
        groups[static_cast<size_t>(position_of(kept, node.shape))].push_back(load<T>(elements, i));
      }
      for (size_t i = 0; i < groups.size(); ++i)
        store(out, static_cast<int64_t>(i),
              reduce_tree<T>(node.reduction, std::move(groups[i]), wide));
    });
  }

  // All outputs of a program applied to the same inputs are computed together.
  void program(const Node& node, Bytes& out) {
    std::vector<const Node*> inputs;
    for (const NodeRef& input : node.inputs()) inputs.push_back(input.get());
    const auto [found, fresh] =
        programs_.emplace(std::pair(node.program.get(), inputs), std::vector<Bytes>());
    if (fresh) found->second = run_program(node);
    out = found->second[static_cast<size_t>(node.get<ProgramOutput>().number)];
  }

  ProgramInterpreter interpreter_for(const Node& node) {
    std::vector<ProgramInterpreter::Table> tables;
    for (size_t i = static_cast<size_t>(node.program->inputs); i < node.inputs().size(); ++i)
      tables.push_back({input(node, static_cast<int>(i)).data(), node.inputs()[i]->shape});
    ProgramInterpreter interpreter(*node.program, std::move(tables));
    interpreter.limit_statements(statements_left_);
    return interpreter;
  }
  static std::vector<Bytes> program_outputs(const Node& node) {
    const ScalarProgram& program = *node.program;
    std::vector<Bytes> outputs;
    for (int slot : program.outputs)
      outputs.emplace_back(static_cast<size_t>(node.shape.size() *
                                               size_of(program.slots[static_cast<size_t>(slot)])));
    return outputs;
  }
  // Returns element i of input k of a node.
  ScalarValue element(const Node& node, int k, int64_t i) {
    ScalarValue result{node.inputs()[static_cast<size_t>(k)]->type, 0};
    const auto size = static_cast<size_t>(size_of(result.type));
    std::memcpy(&result.bits, input(node, k).data() + static_cast<size_t>(i * step(node, k)) * size,
                size);
    return result;
  }
  static void set_elements(std::vector<Bytes>& outputs, int64_t i,
                           const std::vector<ScalarValue>& values) {
    for (size_t o = 0; o < values.size(); ++o) {
      const auto size = static_cast<size_t>(size_of(values[o].type));
      std::memcpy(outputs[o].data() + static_cast<size_t>(i) * size, &values[o].bits, size);
    }
  }

  std::vector<Bytes> run_program(const Node& node) {
    ProgramInterpreter interpreter = interpreter_for(node);
    std::vector<Bytes> outputs = program_outputs(node);
    std::vector<ScalarValue> arguments(static_cast<size_t>(node.program->inputs));
    for (int64_t i = 0; i < node.shape.size(); ++i) {
      for (int k = 0; k < node.program->inputs; ++k)
        arguments[static_cast<size_t>(k)] = element(node, k, i);
      set_elements(outputs, i, interpreter.run(arguments, i));
    }
    return outputs;
  }

  // All states of a recurrence along an axis are computed together, line by line.
  void recurrence(const Node& node, Bytes& out) {
    const auto form = node.get<RecurrenceStep>();
    std::vector<const Node*> inputs;
    for (const NodeRef& input : node.inputs()) inputs.push_back(input.get());
    const auto [found, fresh] = recurrences_.emplace(
        std::tuple(node.program.get(), inputs, form.axis, form.backward), std::vector<Bytes>());
    if (fresh) found->second = run_recurrence(node);
    out = found->second[static_cast<size_t>(form.output)];
  }

  std::vector<Bytes> run_recurrence(const Node& node) {
    const auto form = node.get<RecurrenceStep>();
    ProgramInterpreter interpreter = interpreter_for(node);
    std::vector<Bytes> outputs = program_outputs(node);
    const int64_t length = node.shape[form.axis];
    int64_t inner = 1;  // adjacent lines
    for (int axis = form.axis + 1; axis < node.shape.rank; ++axis) inner *= node.shape[axis];
    const int states = static_cast<int>(outputs.size());
    std::vector<ScalarValue> arguments(static_cast<size_t>(node.program->inputs));
    for (int64_t line = 0; line < node.shape.size() / length; ++line) {
      for (int k = 0; k < states; ++k) arguments[static_cast<size_t>(k)] = element(node, k, line);
      for (int64_t n = 0; n < length; ++n) {
        const int64_t along = form.backward ? length - 1 - n : n;
        const int64_t i = (line / inner * length + along) * inner + line % inner;
        for (int k = states; k < node.program->inputs; ++k)
          arguments[static_cast<size_t>(k)] = element(node, k, i);
        const std::vector<ScalarValue> results = interpreter.run(arguments, i);
        set_elements(outputs, i, results);
        std::copy(results.begin(), results.end(), arguments.begin());
      }
    }
    return outputs;
  }

  // See numerics/product_order.hpp.
  void inner_product(const Node& node, Bytes& out) {
    const Extents &left = node.inputs()[0]->shape, &right = node.inputs()[1]->shape;
    const int64_t inner = right[0];
    const int64_t rows = inner ? left.size() / inner : node.shape.size(),
                  columns = inner ? right.size() / inner : 1;
    visit_type(node.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, half>)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j) {
            T total{};
            for (int64_t begin = 0; begin < inner; begin += product_chain) {
              T block{};
              for (int64_t k = begin; k < std::min(begin + product_chain, inner); ++k)
                block = arithmetic(Op::fma, load<T>(input(node, 0), i * inner + k),
                                   load<T>(input(node, 1), k * columns + j), block);
              total = arithmetic(Op::add, total, block, T{});
            }
            store(out, i * columns + j, total);
          }
    });
  }

  int64_t statements_left_;
  std::unordered_map<const Node*, Bytes> results_;
  std::map<std::pair<const ScalarProgram*, std::vector<const Node*>>, std::vector<Bytes>> programs_;
  std::map<std::tuple<const ScalarProgram*, std::vector<const Node*>, int, bool>,
           std::vector<Bytes>>
      recurrences_;
};

Interpretation::Interpretation() : Interpretation(std::numeric_limits<int64_t>::max()) {}
Interpretation::Interpretation(int64_t most_statements)
    : interpreter_(std::make_unique<Interpreter>(most_statements)) {}
Interpretation::~Interpretation() = default;

View Interpretation::elements(const Node& node) { return interpreter_->run(node); }

std::vector<Bytes> interpret(std::span<const NodeRef> nodes, int64_t most_statements) {
  Interpretation interpretation(most_statements);
  std::vector<Bytes> results;
  for (const NodeRef& node : nodes) {
    const View elements = interpretation.elements(*node);
    results.emplace_back(elements.begin(), elements.end());
  }
  return results;
}

}  // namespace tutti::ir
