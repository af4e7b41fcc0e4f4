// Random nested programs over values of any structure: numbers of all types, tuples, and sequences
// of them to a depth of two. A program is drawn while it runs, and the draws depend on no data: the
// same seed gives the same program for every evaluator. No operation fails: indices are reduced to
// the length, and lengths are bounded.
#pragma once
#include <tutti/tutti.hpp>

#include <utility>

#include "programs/random_program.hpp"

namespace tutti::test {

class RandomNested {
 public:
  // Runs the program of a seed and returns its result.
  static nested::HostData run(uint64_t seed) {
    Random random(seed);
    RandomNested program(random.one_of({1, 2, 2, 3}));
    const int inputs = 1 + random.pick(3);
    for (int i = 0; i < inputs; ++i) program.add_input(random);
    const nested::Type type = random_type(random, 2);
    const nested::Value result = program.block(random.bits(), type, program.depth_);
    return nested::to_host(result, "random program", here);
  }

 private:
  using Type = nested::Type;
  using Kind = nested::Kind;
  using Value = nested::Value;
  struct Known {
    Type type;
    Value value;
  };
  static constexpr std::source_location here{};
  static constexpr int longest = 24;  // of a sequence, after each step

  explicit RandomNested(int depth) : depth_(depth) {}

  // ---- types and inputs

  static Type scalar(ElementType type) { return {Kind::scalar, type, {}}; }
  static Type sequence_of(const Type& element) {
    return {Kind::sequence, ElementType::i32, {element}};
  }
  static Type random_type(Random& random, int depth) {
    if (depth > 0 && random.chance(60)) return sequence_of(random_type(random, depth - 1));
    if (random.chance(80)) return scalar(random.type());
    return {Kind::tuple, ElementType::i32, {scalar(random.type()), scalar(random.type())}};
  }

  static nested::HostData rows(Random& random, const Type& type, int64_t count) {
    nested::HostData data;
    data.type = type;
    data.rows = count;
    if (type.kind == Kind::scalar) {
      data.numbers = random.values(type.element, count);
    } else if (type.kind == Kind::tuple) {
      for (const Type& part : type.parts) data.parts.push_back(rows(random, part, count));
    } else {
      const int shape = random.pick(4);
      data.offsets.push_back(0);
      for (int64_t i = 0; i < count; ++i) {
        const int length = shape == 0 ? random.pick(3) : random.chance(20) ? 0 : random.pick(20);
        data.offsets.push_back(data.offsets.back() + length);
      }
      data.parts.push_back(rows(random, type.parts[0], data.offsets.back()));
    }
    return data;
  }

  void add_input(Random& random) {
    const Type type = sequence_of(random_type(random, 1));
    known_.push_back({type, nested::from_host(rows(random, type, 1), here)});
  }

  // ---- blocks

  static const nested::ContextRef& at() { return nested::current(); }

  // Some values with names, then the result. What the block knows is forgotten after it.
  Value block(uint64_t seed, const Type& type, int depth) {
    Random random(seed);
    const size_t before = known_.size();
    const int named = depth > 0 ? random.pick(3) : 0;
    for (int i = 0; i < named; ++i) {
      const Type more = random_type(random, 2);
      known_.push_back({more, make(random, more, depth)});
    }
    const Value result = make(random, type, depth);
    known_.resize(before);
    return result;
  }

  Value make(Random& random, const Type& type, int depth) {
    const Value result = type.kind == Kind::scalar  ? number(random, type, depth)
                         : type.kind == Kind::tuple ? tuple(random, type, depth)
                                                    : bounded(sequence(random, type, depth));
    if (!(nested::type_of(result.data) == type))
      throw InternalError("random nested program: a value of another type");
    return result;
  }

  // A value of the type that is known, the newest more often; null if there is none.
  const Value* find(Random& random, const Type& type) const {
    std::vector<const Value*> found;
    for (const Known& known : known_)
      if (known.type == type) found.push_back(&known.value);
    if (found.empty()) return nullptr;
    return random.chance(40) ? found.back() : random.one_of(found);
  }

  Value constant(Random& random, ElementType type) const {
    return nested::constant(random.value(type), here);
  }
  static Value whole(int number) { return nested::constant(scalar_value(number), here); }
  static Value apply(Op op, std::initializer_list<Value> operands) {
    return nested::elementwise(at(), op, {operands.begin(), operands.size()}, here);
  }
  static Value cast(const Value& value, ElementType type) {
    return nested::cast(at(), value, type, here);
  }
  static Value bounded(const Value& sequence, const Value& length) {
    return nested::slice(at(), sequence, whole(0), length, here);
  }
  static Value bounded(const Value& sequence) {
    return bounded(sequence, apply(Op::min, {nested::length(sequence), whole(longest)}));
  }

  // ---- values of any type

  Value choice(Random& random, const Type& type, int depth) {
    const Value condition = make(random, scalar(ElementType::b8), depth);
    const uint64_t first = random.bits(), second = random.bits();
    const nested::Branches sides = nested::branch(at(), condition, here);
    const auto side = [&](const nested::ContextRef& context, uint64_t seed) {
      const nested::ScopedContext inside(context);
      return block(seed, type, depth);
    };
    if (!sides.else_side) return side(sides.then_side, first);
    if (!sides.then_side) return side(sides.else_side, second);
    const Value yes = side(sides.then_side, first), no = side(sides.else_side, second);
    return nested::merge(sides, yes, no, here);
  }

  Value selection(Random& random, const Type& type, int depth) {
    const Value condition = make(random, scalar(ElementType::b8), depth);
    const Value yes = make(random, type, depth), no = make(random, type, depth);
    return nested::select(at(), condition, yes, no, here);
  }

  // An element of a sequence where there is one.
  Value element(Random& random, const Type& type, int depth) {
    const Value from = make(random, sequence_of(type), depth);
    const Value length = nested::length(from);
    const Value extended =
        nested::concat(at(), std::array{from, one(make(random, type, depth))}, here);
    const Value place = apply(Op::min, {whole(random.pick(9)), length});
    return nested::index(at(), extended, place, here);
  }
  static Value one(const Value& element) { return nested::literal(at(), {&element, 1}, here); }

  // The same block again and again, as often as a number of the instance says.
  Value loop(Random& random, const Type& type, int depth) {
    const Value rounds =
        apply(Op::bit_and, {make(random, scalar(ElementType::i32), depth), whole(3)});
    const Value start = make(random, type, depth);
    return repeated(random.bits(), type, depth, start, rounds);
  }
  Value repeated(uint64_t seed, const Type& type, int depth, const Value& state,
                 const Value& rounds) {
    const nested::Branches sides = nested::branch(at(), apply(Op::less, {whole(0), rounds}), here);
    if (!sides.then_side) return state;
    Value next;
    {
      const nested::ScopedContext inside(sides.then_side);
      known_.push_back({type, state});
      next = block(seed, type, depth);
      known_.pop_back();
      next = repeated(seed, type, depth, next, apply(Op::subtract, {rounds, whole(1)}));
    }
    if (!sides.else_side) return next;
    return nested::merge(sides, next, state, here);
  }

  // ---- numbers

  Value number(Random& random, const Type& type, int depth) {
    if (depth <= 0) return simple_number(random, type);
    switch (random.pick(14)) {
      case 0:
        return choice(random, type, depth - 1);
      case 1:
        return selection(random, type, depth - 1);
      case 2:
        return element(random, type, depth - 1);
      case 3:
        return loop(random, type, depth - 1);
      case 4:
      case 5:
        return reduction(random, type, depth - 1);
      case 6:
        return cast(fact(random, depth - 1), type.element);
      case 7:
        return program(random, type, depth - 1);
      case 8: {
        const Type pair{Kind::tuple, ElementType::i32, {type, scalar(random.type())}};
        return nested::part(make(random, pair, depth - 1), 0);
      }
      default:
        return operation(random, type, [&](const Type& in) { return make(random, in, depth - 1); });
    }
  }

  Value simple_number(Random& random, const Type& type) {
    if (const Value* known = random.chance(80) ? find(random, type) : nullptr) return *known;
    for (size_t i = known_.size(); i-- > 0 && random.chance(80);)
      if (known_[i].type.kind == Kind::scalar) return cast(known_[i].value, type.element);
    return constant(random, type.element);
  }

  // An operation of the table with operands that `operand` makes.
  template <class Operand>
  static Value operation(Random& random, const Type& type, const Operand& operand) {
    for (;;) {
      const Operation& operation = random.one_of(all_operations);
      const ElementType in = random.chance(60) ? type.element : random.type();
      if (!takes(operation, in) || gives(operation, in) != type.element) continue;
      std::vector<Value> operands;
      for (int i = 0; i < operation.arity; ++i) {
        const bool is_condition = operation.rule == detail::Rule::choose && i == 0;
        operands.push_back(operand(scalar(is_condition ? ElementType::b8 : in)));
      }
      return nested::elementwise(at(), operation.op, operands, here);
    }
  }

  // The length of a sequence, the index of its greatest element, whether two values are equal.
  Value fact(Random& random, int depth) {
    switch (random.pick(3)) {
      case 0:
        return nested::length(make(random, sequence_of(random_type(random, 1)), depth));
      case 1:
        return nested::extreme_index(at(), random.one_of({Reduction::max, Reduction::min}),
                                     make(random, sequence_of(scalar(random.number_type())), depth),
                                     here);
      default: {
        const Type type = random_type(random, 2);
        const Value a = make(random, type, depth), b = make(random, type, depth);
        return nested::equal(at(), a, b, here);
      }
    }
  }

  static Reduction named_reduction(Random& random, ElementType type) {
    if (type == ElementType::b8) return random.one_of({Reduction::all, Reduction::any});
    if (is_floating(type) || random.chance(70))
      return random.one_of({Reduction::sum, Reduction::product, Reduction::max, Reduction::min});
    return random.one_of({Reduction::bit_and, Reduction::bit_or, Reduction::bit_xor});
  }

  // With an operator of the table, or one that is drawn.
  Value reduction(Random& random, const Type& type, int depth) {
    const Value from = make(random, sequence_of(type), depth);
    if (random.chance(70))
      return nested::reduce(at(), named_reduction(random, type.element), from, here);
    const Value neutral = constant(random, type.element);
    const nested::OperatorRef combine = drawn_operator(random, type);
    return combine ? nested::reduce(at(), *combine, from, neutral, here) : neutral;
  }

  static nested::OperatorRef drawn_operator(Random& random, const Type& type) {
    const uint64_t seed = random.bits();
    return nested::capture_operator(type, [&](const Value& a, const Value& b) {
      Random inner(seed);
      return operation(inner, type, [&](const Type& in) {
        const Value& chosen = inner.chance(50) ? a : b;
        return in == type ? chosen : nested::cast(at(), chosen, in.element, here);
      });
    });
  }

  // A function on Values with loops and branches, which is captured.
  Value program(Random& random, const Type& type, int depth) {
    const ElementType in[] = {random.type(), random.type()};
    const ProgramSize size = ProgramSize::called(random);
    RandomProgram body(random.bits(), &size, {{{in[0]}, {in[1]}}, {{type.element}}});
    const detail::ProgramHandle captured = body.capture().handle();
    const Value operands[] = {make(random, scalar(in[0]), depth),
                              make(random, scalar(in[1]), depth)};
    return nested::run(at(), captured, operands, here);
  }

  // ---- tuples

  Value tuple(Random& random, const Type& type, int depth) {
    if (const Value* known = random.chance(30) ? find(random, type) : nullptr) return *known;
    const int kind = depth > 0 ? random.pick(6) : 5;
    if (kind == 0) return choice(random, type, depth - 1);
    if (kind == 1) return selection(random, type, depth - 1);
    if (kind == 2) return element(random, type, depth - 1);
    if (kind == 3) return loop(random, type, depth - 1);
    const Value first = make(random, type.parts[0], depth - 1);
    const Value second = make(random, type.parts[1], depth - 1);
    return nested::tuple(at(), std::array{first, second});
  }

  // ---- sequences

  Value sequence(Random& random, const Type& type, int depth) {
    const Type& element_type = type.parts[0];
    if (depth <= 0) {
      if (const Value* known = find(random, type)) return *known;
      if (element_type.kind != Kind::scalar) return nested::zero(type);
      return any_sequence(random, element_type.element);
    }
    switch (random.pick(12)) {
      case 0:
        return choice(random, type, depth - 1);
      case 1:
        return selection(random, type, depth - 1);
      case 2:
        return loop(random, type, depth - 1);
      case 3:
      case 4:
        return each(random, element_type, depth - 1);
      case 5: {
        const Value one = make(random, element_type, depth - 1),
                    other = make(random, element_type, depth - 1);
        return nested::literal(at(), std::array{one, other, one}, here);
      }
      case 6:
        return nested::flatten(at(), make(random, sequence_of(type), depth - 1), here);
      case 7:
        return structured(random, type, depth - 1);
      case 8:
        return element_type.kind == Kind::scalar ? numbers(random, type, depth - 1)
                                                 : reordered(random, type, depth - 1);
      default:
        return reordered(random, type, depth - 1);
    }
  }

  // A known sequence of numbers of another type, or numbers from 0 on.
  Value any_sequence(Random& random, ElementType type) {
    for (size_t i = known_.size(); i-- > 0;)
      if (known_[i].type.kind == Kind::sequence && known_[i].type.parts[0].kind == Kind::scalar &&
          random.chance(60))
        return cast(known_[i].value, type);
    return cast(nested::iota(at(), whole(random.pick(9)), here), type);
  }

  // The body for each element of a sequence, or of two of one length.
  Value each(Random& random, const Type& type, int depth) {
    const Type first = random_type(random, 1), second = random_type(random, 0);
    std::vector<Value> over = {make(random, sequence_of(first), depth)};
    if (random.chance(40)) over.push_back(make(random, sequence_of(second), depth));
    if (over.size() > 1) {
      const Value length = apply(Op::min, {nested::length(over[0]), nested::length(over[1])});
      for (Value& value : over) value = bounded(value, length);
    }
    const uint64_t seed = random.bits();
    const nested::Elements elements = nested::enter(at(), over, "each", here);
    if (nested::instances(elements.context) == 0)
      return nested::leave(elements, nested::zero(type));
    const nested::ScopedContext inside(elements.context);
    const size_t before = known_.size();
    known_.push_back({first, elements.values[0]});
    if (over.size() > 1) known_.push_back({second, elements.values[1]});
    const Value result = block(seed, type, depth);
    known_.resize(before);
    return nested::leave(elements, result);
  }

  // Sequences that are made of structure: equal elements, cut pieces, zipped tuples.
  Value structured(Random& random, const Type& type, int depth) {
    const Type& element_type = type.parts[0];
    if (element_type.kind == Kind::sequence && random.chance(70)) {
      const Value all = make(random, element_type, depth);
      const Value length = nested::length(all);
      const Value first = apply(Op::divide, {length, whole(1 + random.pick(3))});
      const Value rest = apply(Op::subtract, {length, first});
      const Value counts = nested::literal(at(), std::array{first, whole(0), rest}, here);
      return nested::partition(at(), all, counts, here);
    }
    if (element_type.kind == Kind::tuple && random.chance(70)) {
      Value parts[2];
      for (int i = 0; i < 2; ++i)
        parts[i] = make(random, sequence_of(element_type.parts[static_cast<size_t>(i)]), depth);
      const Value length = apply(Op::min, {nested::length(parts[0]), nested::length(parts[1])});
      for (Value& part : parts) part = bounded(part, length);
      return nested::zip(at(), parts, here);
    }
    const Value count = apply(Op::bit_and, {make(random, scalar(ElementType::i32), depth),
                                            whole(random.one_of({1, 3, 7}))});
    return nested::distribute(at(), make(random, element_type, depth), count, here);
  }

  // Sequences of numbers: element-wise operations, scans, searches, parts of tuples.
  Value numbers(Random& random, const Type& type, int depth) {
    const ElementType element = type.parts[0].element;
    switch (random.pick(6)) {
      case 0: {
        const Value from = make(random, type, depth);
        return nested::scan(at(), named_reduction(random, element), from, random.chance(50), here);
      }
      case 1: {
        const Value from = make(random, type, depth), neutral = constant(random, element);
        const nested::OperatorRef combine = drawn_operator(random, type.parts[0]);
        return combine ? nested::scan(at(), *combine, from, neutral, here) : from;
      }
      case 2: {
        const Type keys = sequence_of(scalar(random.number_type()));
        const Value sorted = make(random, keys, depth), queries = make(random, keys, depth);
        const Value found = nested::search(at(), nested::sort(at(), sorted, sorted, false, here),
                                           queries, random.chance(50), here);
        return cast(found, element);
      }
      case 3: {
        const Type pair{Kind::tuple, ElementType::i32, {scalar(random.type()), type.parts[0]}};
        return nested::unzip(make(random, sequence_of(pair), depth), 1);
      }
      case 4: {
        const Type rows = sequence_of(sequence_of(random_type(random, 0)));
        return cast(nested::lengths(at(), make(random, rows, depth), here), element);
      }
      default: {  // operands of one length, or numbers; the first is a sequence
        const Value like = make(random, type, depth);
        bool is_first = true;
        return operation(random, type.parts[0], [&](const Type& in) {
          const bool may_be_number = !std::exchange(is_first, false);
          if (may_be_number && random.chance(20)) return make(random, in, depth - 1);
          return cast(random.chance(50) ? like : nested::reverse(at(), like, here), in.element);
        });
      }
    }
  }

  // The elements of a sequence of any type, in another order or not all.
  Value reordered(Random& random, const Type& type, int depth) {
    const Value from = make(random, type, depth);
    const Value length = nested::length(from);
    const Value places = nested::iota(at(), length, here);
    const auto keys = [&] {  // one for each element
      const ElementType key = random.number_type();
      const Value step = make(random, scalar(key), depth);
      return apply(Op::multiply, {cast(places, key), step});
    };
    const auto kept = [&] {
      const ElementType key = random.number_type();
      const Value step = make(random, scalar(key), depth);
      return apply(Op::less, {apply(Op::multiply, {cast(places, key), step}), step});
    };
    const auto indices = [&](int step) {  // any in range
      const Value scaled = apply(Op::multiply, {places, whole(step)});
      return apply(Op::remainder, {scaled, apply(Op::max, {length, whole(1)})});
    };
    switch (random.pick(10)) {
      case 0:
        return nested::reverse(at(), from, here);
      case 1:
        return nested::rotate(at(), from, make(random, scalar(ElementType::i32), depth), here);
      case 2:
        return nested::filter(at(), from, kept(), here);
      case 3:
        return nested::sort(at(), keys(), from, random.chance(50), here);
      case 4:
        return nested::gather(at(), from, indices(random.pick(9)), here);
      case 5:
        return nested::permute(at(), from, nested::rank(at(), keys(), random.chance(50), here),
                               here);
      case 6: {
        const Value begin = apply(Op::divide, {length, whole(2 + random.pick(3))});
        return nested::slice(at(), from, begin, apply(Op::subtract, {length, begin}), here);
      }
      case 7:
        return put(random, type, from, indices(random.pick(4)));
      default:
        return nested::concat(at(), std::array{from, make(random, type, depth)}, here);
    }
  }
  Value put(Random& random, const Type& type, const Value& into, const Value& indices) {
    const Value values = nested::reverse(at(), into, here);
    const Type& element_type = type.parts[0];
    if (element_type.kind != Kind::scalar || element_type.element == ElementType::b8)
      return nested::put(at(), values, indices, into, here);
    return nested::put(at(), values, indices, into,
                       random.one_of({Collision::sum, Collision::min, Collision::max,
                                      Collision::first, Collision::last}),
                       here);
  }

  int depth_;
  std::vector<Known> known_;
};

}  // namespace tutti::test
