// Random captured programs: a seed in, a program of nested statements over variables of several
// element types out, and arrays of any values to run it on. Every loop counts its iterations and
// ends. Indices are any numbers: tables and local arrays are read and assigned outside too.
#pragma once
#include <tutti/tutti.hpp>

#include <deque>
#include <tuple>

#include "support/random_values.hpp"

namespace tutti::test {

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {
    types_ = {ElementType::i32, random_.floating_type(), random_.type(), random_.type()};
    table_ = Array<1, float>(random_.array(ElementType::f32, vector_of(6)));
    grid_ = Array<2, half>(random_.array(ElementType::f16, matrix_of(3, 5)));
    numbers_ = Array<1, int64_t>(random_.array(ElementType::i64, vector_of(7)));
    change_modes();
  }

  const std::vector<ElementType>& types() const { return types_; }

  Program capture() {
    return detail::capture_program(here, [&] {
      for (const ElementType type : types_) declare(type);
      for (Memory& memory : memories_) {
        memory = {random_.one_of(types_), 0};
        memory.array = detail::declare_local_array(memory.type, random_.between(1, 9), here);
      }
      Value3f tuple(Value1f(detail::FromNodes{}, {read(ElementType::f32)}), 0.5f, gain_);
      tuple_ = &tuple;
      statements(0, random_.pick(5) + 3);
      tuple_ = nullptr;
      output(sum(tuple));
    });
  }

  // Modes are those of the run: whatever they were in the capture.
  void change_modes() {
    table_.boundary(boundary());
    table_.interpolation(random_.chance(50) ? Interpolation::linear : Interpolation::nearest);
    grid_.boundary(boundary());
    numbers_.boundary(boundary());
  }

  // An array for each input, all of one shape: in memory as a whole, a part of a larger one, or one
  // number for all elements. The first is an array as a whole.
  std::vector<detail::Argument> arguments(const detail::Extents& shape) {
    std::vector<detail::Argument> result;
    for (const ElementType type : types_) {
      detail::Argument& argument = result.emplace_back();
      argument.nodes = {argument_node(type, shape, result.size() > 1)};
      argument.where = here;
    }
    return result;
  }

  detail::Extents shape() {
    if (random_.chance(25)) return matrix_of(random_.between(1, 9), random_.between(1, 70));
    if (random_.chance(4)) return vector_of(random_.between(16'000, 40'000));
    return vector_of(random_.one_of({1, 7, 16, 17, 100, 1037, 1037}));
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

  static detail::Extents vector_of(int64_t n) { return Shape<1>(n).extents(); }
  static detail::Extents matrix_of(int64_t m, int64_t n) { return Shape<2>(m, n).extents(); }

  Boundary boundary() {
    const ScalarValue value = random_.value(ElementType::f32);
    switch (random_.pick(3)) {
      case 0:
        return Boundary::wrap();
      case 1:
        return Boundary::clamp();
      default:
        return Boundary::constant(detail::number<float>(value));
    }
  }

  NodeRef argument_node(ElementType type, const detail::Extents& shape, bool any_kind) {
    const int kind = any_kind ? random_.pick(8) : 7;
    if (kind == 0) return detail::constant(random_.value(type), {}, here);
    if (kind > 2) return random_.array(type, shape);
    // A part that begins at an odd place, every element or every other.
    const int64_t stride = kind;
    std::vector<Range> part;
    detail::Extents whole;
    for (const int64_t n : shape) {
      part.push_back({random_.between(0, 5), n, stride});
      whole.push_back(part.back().begin + n * stride + random_.pick(3));
    }
    return detail::section(random_.array(type, whole), part, here);
  }

  // ---- variables

  template <class F>
  decltype(auto) variables(ElementType type, F f) {
    return visit_type(type, [&](auto tag) -> decltype(auto) {
      using T = typename decltype(tag)::type;
      return f(std::get<std::deque<Value<1, T>>>(variables_.lists));
    });
  }

  // An input and a constant; both are outputs as well.
  void declare(ElementType type) {
    const NodeRef input = detail::declare_input("In", {&type, 1}, here)[0];
    const NodeRef constant = detail::record_constant(random_.value(type));
    variables(type, [&](auto& list) {
      for (const NodeRef& node : {input, constant})
        output(list.emplace_back(detail::FromNodes{}, std::array{node}));
    });
  }

  template <class T>
  void output(const Value<1, T>& variable) {
    const ElementType type = element_type<T>;
    detail::declare_output(variable.link(), {&type, 1}, true, here);
  }
  // Of a value that is no variable yet: one that lives as long as the capture.
  void output(Value<1, float>&& value) {
    auto& list = std::get<std::deque<Value<1, float>>>(variables_.lists);
    output(static_cast<const Value<1, float>&>(list.emplace_back(value)));
  }

  // A variable of the type, or what a variable of another type becomes.
  NodeRef read(ElementType type) {
    const auto is = [&](ElementType t) { return t == type; };
    const ElementType from =
        std::any_of(types_.begin(), types_.end(), is) ? type : random_.one_of(types_);
    const NodeRef node = variables(from, [&](auto& list) {
      return list[static_cast<size_t>(random_.pick(list.size()))].node(0);
    });
    return detail::record_cast(node, type, here);
  }

  void assign() {
    const ElementType type = random_.one_of(types_);
    const NodeRef value = expression(type, 2);
    variables(type, [&](auto& list) {
      using V = typename std::decay_t<decltype(list)>::value_type;
      list[static_cast<size_t>(random_.pick(list.size()))] =
          V(detail::FromNodes{}, std::array{value});
    });
  }

  // ---- expressions

  template <class T>
  Value<1, T> value(int depth = 1) {
    return {detail::FromNodes{}, std::array{expression(element_type<T>, depth)}};
  }
  NodeRef as(ElementType type, const NodeRef& node) {
    return detail::record_cast(node, type, here);
  }

  // Small mostly, so that tables are hit; now and then any number.
  Value1i index() {
    Value1i any = value<int32_t>();
    return random_.chance(70) ? Value1i(any & 15) - 4 : any;
  }

  NodeRef expression(ElementType type, int depth) {
    switch (depth > 0 ? random_.pick(14) : random_.pick(2)) {
      case 0:
        return detail::record_constant(random_.value(type));
      case 1:
      case 2:
        return read(type);
      case 3:
        return as(type, expression(random_.one_of(types_), depth - 1));
      case 4:
        return as(type, element(depth - 1));
      case 5: {
        const Memory memory = random_.one_of(memories_);
        return as(type, detail::read_local(memory.array, index().node(0)));
      }
      case 6:
        return as(type, outside());
      default:
        return operation(type, depth - 1);
    }
  }

  // Of an array from outside, at an index or between elements.
  NodeRef element(int depth) {
    switch (random_.pick(4)) {
      case 0:
        return table_[index()].node(0);
      case 1:
        return table_(value<float>(depth)).node(0);
      case 2: {
        const Value1i row = index();
        return grid_[Value2i(row, index())].node(0);
      }
      default:
        return numbers_[index()].node(0);
    }
  }

  // A variable from outside, a component of the tuple, or what another program computes.
  NodeRef outside() {
    switch (random_.pick(4)) {
      case 0:
        return gain_.node(0);
      case 1:
        return step_.node(0);
      case 2: {
        const Value1f x = value<float>();
        return Value1f(halved_(x, value<float>())).node(0);
      }
      default:
        return (*tuple_)(random_.pick(3)).node(0);
    }
  }

  NodeRef operation(ElementType type, int depth) {
    for (;;) {
      const Operation& operation = random_.one_of(all_operations);
      const ElementType in = random_.chance(50) ? type : random_.one_of(types_);
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
        return gain_ > 1.0f;  // the same for all elements
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
    for (int k = 0; k < count; ++k) statement(depth);
  }

  void statement(int depth) {
    const int kind = random_.pick(depth < 3 ? 14 : 7) - 1;
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
      TUTTI_ELSE { statements(depth + 1, 1 + random_.pick(3)); }
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
    switch (random_.pick(4)) {
      case 0:  // as often for all elements
        TUTTI_FOR(Value1i k = 0, k < limit, k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 1:
        TUTTI_FOR(Value1i k = 0, k < limit && condition(), k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 2: {
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
  std::vector<ElementType> types_;
  VariablesOf<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, half,
              float, double>
      variables_;
  Memory memories_[2] = {};
  Value1f gain_ = 1.25f;
  Value1l step_ = INT64_MIN + 3;
  Array<1, float> table_;
  Array<2, half> grid_;
  Array<1, int64_t> numbers_;
  const Program halved_ = program([](Value1f x, Value1f limit) {
    Value1f y = abs(x);
    Value1i steps = 0;
    TUTTI_WHILE(y > 1.0f + abs(limit) && steps < 12) {
      y *= 0.5f;
      steps += 1;
    }
    TUTTI_ENDWHILE;
    return y;
  });
  Value3f* tuple_ = nullptr;
  int loops_ = 0;
};

}  // namespace tutti::test
