// Random captured programs: a seed in, a program of nested statements over variables of several
// element types out. Most are small, so that each combination of a few operations recurs often;
// some have dozens of statements. Every loop counts its iterations and ends. Indices are any
// numbers: tables and local arrays are read and assigned outside too.
#pragma once
#include <tutti/tutti.hpp>

#include <complex>
#include <deque>
#include <functional>
#include <memory>
#include <tuple>

#include "programs/random_outside.hpp"

namespace tutti::test {

// The type of an input or output: elements are numbers, or tuples of 2 or 3 of them.
struct Port {
  ElementType type;
  int components = 1;
};
struct Ports {
  std::vector<Port> inputs, outputs;
};

// What a program writes at computed places, instead of outputs: `count` objects Write<rank, T>.
struct Writes {
  ElementType type{};
  int rank = 1, count = 0;
};

// How large a program is.
struct ProgramSize {
  int statements;  // of the program itself, at most
  int nesting;     // of branches and loops
  int total;       // statements, inner ones included
  int expression;  // the depth of expressions
  int inputs;      // at most, unless they are given

  static ProgramSize draw(Random& random) {
    const int kind = random.pick(100);
    if (kind < 45) return {2, 1, 3, 1 + random.pick(3), 2};
    if (kind < 75) return {3, 2, 6, 1 + random.pick(2), 2};
    if (kind < 94) return {5, 2, 12, 2, 3};
    return {8, 3, 1000, 2, 4};
  }
  static ProgramSize called(Random& random) { return {2, 1, 3, 1 + random.pick(2), 2}; }
};

class RandomProgram {
 public:
  // Of these inputs and outputs; without outputs, all variables are.
  RandomProgram(uint64_t seed, const ProgramSize* size = nullptr, Ports ports = {},
                Writes writes = {})
      : random_(seed),
        writes_(writes),
        size_(size ? *size : ProgramSize::draw(random_)),
        ports_(std::move(ports)),
        outside_(random_) {
    if (ports_.inputs.empty()) draw_ports();
    for (const Port& port : ports_.inputs) types_.push_back(port.type);
    if (random_.chance(25)) types_.push_back(random_.type());
    // Programs that are called by this one; they call none.
    if (!size && random_.chance(30)) {
      const ProgramSize small = ProgramSize::called(random_);
      callee_ = std::make_unique<RandomProgram>(random_.bits(), &small);
      called_ = callee_->capture();
    }
  }

  const Ports& ports() const { return ports_; }
  Random& random() { return random_; }

  Program capture() {
    rest_ = size_.total;
    const Program result = detail::capture_program(here, [&] {
      for (const Port& port : ports_.inputs) declare(port);
      for (Memory& memory : memories_) {
        memory = {random_.one_of(types_), 0};
        const int64_t elements =
            random_.chance(5) ? random_.between(10, 200) : random_.between(1, 9);
        memory.array = detail::declare_local_array(memory.type, elements, here);
      }
      Value3f tuple(Value1f(detail::FromNodes{}, {read(ElementType::f32)}), 0.5f, outside_.gain());
      tuple_ = &tuple;
      declare_writes();
      statements(0, 1 + random_.pick(static_cast<size_t>(size_.statements)));
      tuple_ = nullptr;
      if (writes_.count == 0) declare_outputs(tuple);
    });
    variables_ = {};
    write_.clear();
    outputs_.clear();
    return result;
  }

  // Other values of everything that the program reads besides its inputs.
  void change_outside(Random& random) {
    outside_.change(random);
    if (callee_) callee_->change_outside(random);
  }

 private:
  using NodeRef = detail::NodeRef;
  static constexpr std::source_location here{};
  template <class... T>
  struct VariablesOf {
    std::tuple<std::deque<Value<1, T>>...> lists;  // a deque: variables keep their addresses
  };
  struct Memory {
    ElementType type;
    int array;
  };

  // ---- inputs and outputs

  void draw_ports() {
    const int inputs = 1 + random_.pick(static_cast<size_t>(size_.inputs));
    for (int i = 0; i < inputs; ++i)
      ports_.inputs.push_back({random_.type(), random_.chance(80) ? 1 : 2 + random_.pick(2)});
    if (random_.chance(40)) return;  // all variables are outputs
    const int outputs = 1 + random_.pick(3);
    for (int i = 0; i < outputs; ++i)
      ports_.outputs.push_back({random_.type(), random_.chance(80) ? 1 : 2 + random_.pick(2)});
  }

  template <class F>
  decltype(auto) variables(ElementType type, F f) {
    return visit_type(type, [&](auto tag) -> decltype(auto) {
      using T = typename decltype(tag)::type;
      return f(std::get<std::deque<Value<1, T>>>(variables_.lists));
    });
  }

  // The components of an input and a constant.
  void declare(const Port& port) {
    const std::vector<ElementType> types(static_cast<size_t>(port.components), port.type);
    std::vector<NodeRef> nodes =
        detail::declare_input(random_.chance(50) ? "In" : "InOut", types, here);
    if (random_.chance(50)) nodes.push_back(detail::record_constant(random_.value(port.type)));
    variables(port.type, [&](auto& list) {
      for (const NodeRef& node : nodes) list.emplace_back(detail::FromNodes{}, std::array{node});
    });
  }

  void declare_outputs(const Value3f& tuple) {
    if (!ports_.outputs.empty()) {
      for (const Port& port : ports_.outputs) declare_output(port);
      return;
    }
    for (const ElementType type : all_types)
      variables(type, [&](auto& list) {
        for (const auto& variable : list) output(variable);
      });
    output_of<Value1f>({sum(tuple).node(0)});
  }

  void declare_writes() {
    for (int i = 0; i < writes_.count; ++i)
      visit_type(writes_.type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        writes_.rank == 1 ? declare_write<1, T>() : declare_write<2, T>();
      });
    for (const auto& write : write_)
      if (random_.chance(60)) write();
  }
  template <int D, class T>
  void declare_write() {
    const auto target = std::make_shared<Write<D, T>>(here);
    write_.push_back([this, target] {
      Value<D, int32_t> place;
      for (int axis = 0; axis < D; ++axis) place(axis) = index();
      (*target)(place, value<T>());
    });
  }

  template <int N, class T>
  void output(const Value<N, T>& variable) {
    detail::declare_output(variable.link(), detail::component_types<Value<N, T>>(), true, here);
  }
  // Of values that are no variable: one that lives as long as the capture.
  template <class V>
  void output_of(const typename V::Nodes& nodes) {
    const auto variable = std::make_shared<V>(detail::FromNodes{}, nodes);
    output(*variable);
    outputs_.push_back(variable);
  }
  void declare_output(const Port& port) {
    visit_type(port.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto next = [&] {
        return random_.chance(70) ? read(port.type) : expression(port.type, 1);
      };
      if (port.components == 1) return output_of<Value<1, T>>({next()});
      const NodeRef first = next(), second = next();
      if (port.components == 2) return output_of<Value<2, T>>({first, second});
      output_of<Value<3, T>>({first, second, next()});
    });
  }

  // ---- expressions

  // A variable of the type, or what a variable of another type becomes.
  NodeRef read(ElementType type) {
    const bool exists = variables(type, [](auto& list) { return !list.empty(); });
    const ElementType from = exists ? type : random_.one_of(ports_.inputs).type;
    const NodeRef node = variables(from, [&](auto& list) {
      return list[static_cast<size_t>(random_.pick(list.size()))].node(0);
    });
    return as(type, node);
  }

  template <class T>
  Value<1, T> value(int depth = 1) {
    return {detail::FromNodes{}, std::array{expression(element_type<T>, depth)}};
  }
  template <int N, class T>
  Value<N, T> tuple(int depth = 0) {
    typename Value<N, T>::Nodes nodes;
    for (NodeRef& node : nodes) node = expression(element_type<T>, depth);
    return {detail::FromNodes{}, nodes};
  }
  NodeRef as(ElementType type, const NodeRef& node) {
    return detail::record_cast(node, type, here);
  }

  // Small mostly, so that tables are hit; now and then any number.
  Value1i index() {
    Value1i any = value<int32_t>(random_.pick(2));
    return random_.chance(70) ? Value1i(any & 15) - 4 : any;
  }

  NodeRef expression(ElementType type, int depth) {
    switch (depth > 0 ? random_.pick(18) : random_.pick(2)) {
      case 0:
        return detail::record_constant(random_.value(type));
      case 1:
      case 2:
        return read(type);
      case 3:
        return as(type, expression(random_.one_of(types_), depth - 1));
      case 4:
        return as(type, outside_.element(
                            random_, [&] { return index(); },
                            [&] { return value<float>(random_.pick(2)); }));
      case 5: {
        const Memory memory = random_.one_of(memories_);
        return as(type, detail::read_local(memory.array, index().node(0)));
      }
      case 6:
        return as(type, outside());
      case 7:
        return as(type, geometry());
      case 8:
        return as(type, library());
      default:
        return operation(type, depth - 1);
    }
  }

  // A variable from outside, a component of the tuple, or what another program computes.
  NodeRef outside() {
    switch (random_.pick(5)) {
      case 0:
        return outside_.gain().node(0);
      case 1:
        return outside_.step().node(0);
      case 2:
      case 3:
        if (callee_) return call();
        [[fallthrough]];
      default:
        return tuple_ ? (*tuple_)(random_.pick(3)).node(0) : outside_.gain().node(0);
    }
  }

  NodeRef call() {
    std::vector<detail::Argument> arguments;
    for (const Port& port : callee_->ports().inputs) {
      detail::Argument& argument = arguments.emplace_back();
      for (int c = 0; c < port.components; ++c) argument.nodes.push_back(expression(port.type, 0));
      argument.where = here;
    }
    const std::vector<NodeRef> results = detail::run(detail::bind(called_.handle(), arguments));
    return random_.one_of(results);
  }

  // Functions on tuples.
  NodeRef geometry() {
    return random_.chance(60)   ? geometry_of<float>()
           : random_.chance(50) ? geometry_of<double>()
                                : geometry_of<half>();
  }
  template <class T>
  NodeRef geometry_of() {
    const Value<3, T> a = tuple<3, T>(), b = tuple<3, T>();
    const int component = random_.pick(3);
    switch (random_.pick(12)) {
      case 0:
        return dot(a, b).node(0);
      case 1:
        return cross(a, b).node(component);
      case 2:
        return distance(a, b).node(0);
      case 3:
        return Value<3, T>(normalize(a)).node(component);
      case 4:
        return Value<3, T>(mirror(a, b)).node(component);
      case 5:
        return Value<3, T>(lerp(a, b, value<T>(0))).node(component);
      case 6:
        return Value<3, T>(clamp(a, T(-1), b)).node(component);
      case 7:
        return Value<3, T>(fract(a(2, 0, 1))).node(component);
      case 8:
        return cond(a < b, a(1, 2, 0), b).node(component);
      case 9:
        return any(a < b).node(0);
      case 10:
        return (random_.chance(50) ? product(a) : max_val(a) - min_val(b)).node(0);
      default:
        return all(a <= b).node(0);
    }
  }

  // Functions that are composed of operations.
  NodeRef library() {
    const Value1f x = value<float>(0);
    switch (random_.pick(8)) {
      case 0:
        return smoothstep(0.25f, outside_.gain(), x).node(0);
      case 1:
        return step(0.5f, x).node(0);
      case 2:
        return hash(x).node(0);
      case 3:
        return hash(tuple<2, int32_t>()).node(random_.pick(2));
      case 4:
        return uniform(tutti::Random(7), value<uint32_t>(0)).node(0);
      case 5: {
        const std::complex<Value1f> z(x, value<float>(0)), w = z * z + z;
        return (random_.chance(50) ? w.real() : w.imag()).node(0);
      }
      case 6:
        return tutti::abs(std::complex<Value1f>(x, value<float>(0))).node(0);
      default:
        return Value1f(sum(tuple<4, float>())).node(0);
    }
  }

  NodeRef operation(ElementType type, int depth) {
    for (;;) {
      const Operation& operation = random_.one_of(all_operations);
      const ElementType in = random_.chance(50)   ? type
                             : random_.chance(50) ? random_.one_of(types_)
                                                  : random_.type();
      if (!takes(operation, in) || gives(operation, in) != type) continue;
      std::vector<NodeRef> inputs;
      for (int i = 0; i < operation.arity; ++i) {
        const bool is_condition = operation.rule == detail::Rule::choose && i == 0;
        inputs.push_back(expression(is_condition ? ElementType::b8 : in, depth));
      }
      return detail::record(operation.op, inputs, here);
    }
  }

  Value1bool condition() {
    switch (random_.pick(5)) {
      case 0:
        return outside_.gain() > 1.0f;  // the same for all elements
      case 1:
        return (value<int32_t>() & 1) == 0;
      case 2:
        return value<float>() < value<float>(0) || value<int32_t>(0) != 2;
      default:
        return value<bool>(2);
    }
  }

  // ---- statements

  void statements(int depth, int count) {
    for (int k = 0; k < count && rest_ > 0; ++k) statement(depth);
  }

  void statement(int depth) {
    --rest_;
    if (!write_.empty() && random_.chance(30)) return random_.one_of(write_)();
    const int kind = random_.pick(depth < size_.nesting ? 14 : 7) - 1;
    if (kind < 0) {
      write_mask();
    } else if (kind < 5) {
      assign();
    } else if (kind < 6) {
      const Memory memory = random_.one_of(memories_);
      const NodeRef at = index().node(0);
      detail::assign_local(memory.array, at, expression(memory.type, 1));
    } else if (kind < 9) {
      branch(depth);
    } else {
      loop(depth);
    }
  }

  void assign() {
    const ElementType type = random_.one_of(ports_.inputs).type;
    const NodeRef value = expression(type, size_.expression);
    variables(type, [&](auto& list) {
      using V = typename std::decay_t<decltype(list)>::value_type;
      list[static_cast<size_t>(random_.pick(list.size()))] =
          V(detail::FromNodes{}, std::array{value});
    });
  }

  void write_mask() {
    const int first = random_.pick(3), second = (first + 1 + random_.pick(2)) % 3;
    const Value1f x = value<float>();
    if (random_.chance(50))
      (*tuple_)(first, second) = Value2f(x, value<float>());
    else
      (*tuple_)(second, first)(random_.pick(2)) += x;
  }

  void branch(int depth) {
    TUTTI_IF(condition()) {
      statements(depth + 1, 1 + random_.pick(3));
      jump();
    }
    if (random_.chance(30)) {
      TUTTI_ELSEIF(condition()) { statements(depth + 1, 1 + random_.pick(2)); }
    }
    if (random_.chance(50)) {
      TUTTI_ELSE {
        statements(depth + 1, 1 + random_.pick(3));
        jump();
      }
    }
    TUTTI_ENDIF;
  }

  void jump() {
    if (loops_ == 0 || !random_.chance(30)) return;
    if (random_.chance(50))
      TUTTI_BREAK;
    else
      TUTTI_CONTINUE;
  }

  void loop(int depth) {
    const int limit = 1 + random_.pick(6);
    ++loops_;
    switch (random_.pick(5)) {
      case 0:  // as often for all elements
        TUTTI_FOR(Value1i k = 0, k < limit, k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 1:
        TUTTI_FOR(Value1i k = 0, k < limit && condition(), k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 2: {  // by a counter that the body reads
        auto& list = std::get<std::deque<Value1l>>(variables_.lists);
        Value1l& counter = list.emplace_back(limit);
        TUTTI_FOR(Value1i k = 0, k < limit, k += 1) {
          counter -= 1;
          body(depth);
        }
        TUTTI_ENDFOR;
        list.pop_back();
        break;
      }
      case 3: {
        Value1i rest = (value<int32_t>() & 7) + 1;
        TUTTI_WHILE(rest > 0) {
          rest -= 1;
          body(depth);
        }
        TUTTI_ENDWHILE;
        break;
      }
      default: {
        Value1i count = 0;
        TUTTI_DO {
          count += 1;
          body(depth);
        }
        TUTTI_UNTIL(count >= limit || condition());
        break;
      }
    }
    --loops_;
  }

  void body(int depth) {
    statements(depth + 1, 1 + random_.pick(3));
    if (random_.chance(20)) {
      TUTTI_IF(condition()) { jump(); }
      TUTTI_ENDIF;
      statements(depth + 1, 1);
    }
  }

  Random random_;
  Writes writes_;
  ProgramSize size_;
  Ports ports_;
  std::vector<ElementType> types_;  // that expressions compute in
  VariablesOf<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, half,
              float, double>
      variables_;
  Memory memories_[2] = {};
  RandomOutside outside_;
  std::unique_ptr<RandomProgram> callee_;
  Program called_;
  std::vector<std::shared_ptr<void>> outputs_;
  std::vector<std::function<void()>> write_;  // an element by one of the writes
  Value3f* tuple_ = nullptr;
  int loops_ = 0;
  int rest_ = 0;
};

}  // namespace tutti::test
