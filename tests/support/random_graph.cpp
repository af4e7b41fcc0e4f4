#include "support/random_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "graph/node.hpp"
#include "support/operations.hpp"

namespace tutti::test {
namespace {

using Kind = Step::Kind;

// Larger results of a step would make the interpreter slow without reaching other code.
constexpr int64_t most_elements = 1 << 22;

}  // namespace

RandomGraph::RandomGraph(uint64_t seed) : random_(seed) {
  const int kind = pick(1000);
  size_ = kind < 720   ? Size::small
          : kind < 920 ? Size::image
          : kind < 992 ? Size::vector
                       : Size::huge;
  int operations = 1 + pick(30);
  if (size_ == Size::image) {
    common_ = {20 + pick(180), 64 + pick(chance(20) ? 1200 : 200)};
    operations = 1 + pick(14);
  } else if (size_ == Size::vector) {
    common_ = {1000 + pick(chance(20) ? 300000 : 30000)};
    operations = 1 + pick(10);
  } else if (size_ == Size::huge) {
    const int form = pick(3);
    if (form == 0)  // streaming stores, and more than one chunk of tasks
      common_ = {1000 + pick(300), 16 * (128 + pick(20))};
    else if (form == 1)
      common_ = {(2 << 20) + pick(1000)};
    else  // rows that are cut into tiles
      common_ = {2 + pick(7), 15'000 + pick(90'000)};
    operations = form < 2 ? 1 + pick(4) : 3 + pick(8);
  }
  const int sources = 2 + pick(4);
  for (int i = 0; i < sources; ++i) source();
  for (int i = 0; i < operations; ++i) operation();
  if (size_ == Size::image && chance(25)) planes(any());
  recipe_.roots.push_back(static_cast<int>(nodes_.size()) - 1);
  for (int i = pick(3); i > 0; --i) recipe_.roots.push_back(any());
  if (chance(25))
    for (int i = 1 + pick(3); i > 0; --i)
      recipe_.early.push_back(pick(static_cast<int>(nodes_.size())));
  nodes_.clear();
}

int RandomGraph::any() {
  const auto count = static_cast<int>(nodes_.size());
  return count - 1 - pick(std::min(count, 8));
}

int RandomGraph::add(Step step) {
  nodes_.push_back(build_step(step, nodes_));
  recipe_.steps.push_back(std::move(step));
  return static_cast<int>(nodes_.size()) - 1;
}

int RandomGraph::add(Kind kind, std::vector<int> inputs, std::vector<int64_t> numbers) {
  Step step;
  step.kind = kind;
  step.inputs = std::move(inputs);
  step.numbers = std::move(numbers);
  return add(std::move(step));
}

int RandomGraph::op(Op op, std::vector<int> inputs) {
  Step step;
  step.kind = Kind::op;
  step.op = op;
  step.inputs = std::move(inputs);
  return add(std::move(step));
}

int RandomGraph::cast(int a, ElementType type) {
  if (type_of(a) == type) return a;
  Step step;
  step.kind = Kind::cast;
  step.inputs = {a};
  step.type = type;
  return add(std::move(step));
}

const Extents& RandomGraph::shape(int a) const { return nodes_[static_cast<size_t>(a)]->shape; }
ElementType RandomGraph::type_of(int a) const { return nodes_[static_cast<size_t>(a)]->type; }

ElementType RandomGraph::type() {
  static constexpr ElementType types[] = {
      ElementType::f32, ElementType::f32, ElementType::f64, ElementType::i32, ElementType::i32,
      ElementType::b8,  ElementType::f16, ElementType::u8,  ElementType::i8,  ElementType::i16,
      ElementType::u16, ElementType::u32, ElementType::i64, ElementType::u64};
  return types[pick(std::size(types))];
}

int64_t RandomGraph::extent() {
  static constexpr int64_t extents[] = {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 40};
  static constexpr int64_t of_tiles[] = {63, 64, 65, 127, 128, 129, 255, 256, 257};
  if (chance(2)) return 0;
  if (chance(3)) return chance(50) ? of_tiles[pick(std::size(of_tiles))] : 200 + pick(100);
  return extents[pick(std::size(extents))];
}

std::vector<int64_t> RandomGraph::random_shape() {
  if (size_ != Size::small && chance(80)) return common_;
  std::vector<int64_t> s;
  const int rank = chance(4) ? 4 + pick(3) : pick(4);
  for (int i = 0; i < rank; ++i)
    s.push_back(rank > 3    ? 1 + pick(rank > 4 ? 3 : 6)
                : rank == 3 ? std::min<int64_t>(extent(), 17)
                            : extent());
  // Rows long enough for whole tiles on a GPU.
  if (rank > 0 && chance(10)) s.back() = 130 + pick(300);
  return s;
}

double RandomGraph::number() {
  return std::bit_cast<double>(test_value(random_, ElementType::f64).bits);
}

void RandomGraph::set_rule(Step& step) {
  step.rule = static_cast<Boundary::Kind>(pick(3));
  if (step.rule == Boundary::Kind::constant) step.fill = number();
}

int RandomGraph::source() {
  Step step;
  step.numbers = random_shape();
  step.type = type();
  if (chance(10)) {
    step.kind = Kind::constant;
    step.fill = number();
  } else if (chance(10) && !step.numbers.empty()) {
    step.kind = Kind::index;
    step.type = {};
    step.axis = pick(static_cast<int>(step.numbers.size()));
  } else {
    step.kind = chance(10) ? Kind::view : Kind::source;
    if (step.kind == Kind::view) step.axis = pick(view_layouts);
    step.seed = random_() % 1000000;
  }
  return add(std::move(step));
}

int RandomGraph::operation() {
  const int a = any();
  switch (pick(16)) {
    case 0:
    case 1:
      return transformation(a);
    case 2:
      return shape(a).rank > 0 ? transformation(a) : unary(a);
    case 3:
      return reduction(a);
    case 4:
      return chance(80) ? gather(a) : sampled(a);
    case 5:
      return cast(a, type());
    case 6:
      return unary(a);
    case 7:
      return chance(30) ? product(a) : chance(40) ? planes(a) : stencil(a);
    case 8:
      return chance(50) ? stencil(a) : source();
    case 9:
      return choose(a);
    case 10:
      return chance(60) ? primitive(a) : gather(a);
    case 11:
      return chance(50) ? library(a) : chance(50) ? user_defined(a) : binary(a);
    default:
      return binary(a);
  }
}

int RandomGraph::shifted(int a, int reach) {
  Step step;
  step.kind = Kind::shift;
  step.inputs = {a};
  for (int i = 0; i < shape(a).rank; ++i) step.numbers.push_back(pick(2 * reach + 1) - reach);
  set_rule(step);
  return add(std::move(step));
}

int RandomGraph::section(int a) {
  Step step;
  step.kind = Kind::section;
  step.inputs = {a};
  for (int64_t n : shape(a)) {
    if (n == 0) {
      step.numbers.insert(step.numbers.end(), {0, 0, 1});
      continue;
    }
    // Large arrays lose little, and keep an odd offset.
    const int64_t begin = n > 50 && chance(70) ? pick(5) : pick(static_cast<int>(n));
    const int64_t stride = n > 50 && chance(70) ? 1 : 1 + pick(3);
    if (chance(30))
      step.numbers.insert(step.numbers.end(), {begin, begin / stride + 1, -stride});
    else
      step.numbers.insert(step.numbers.end(), {begin, (n - 1 - begin) / stride + 1, stride});
  }
  return add(std::move(step));
}

int RandomGraph::transformation(int a) {
  const Extents s = shape(a);
  Step step;
  step.inputs = {a};
  if (s.rank == 0) {
    step.kind = Kind::add_dimension;
    step.numbers = {extent()};
    return add(std::move(step));
  }
  const bool empty = s.size() == 0;
  switch (pick(10)) {
    case 0:
      return shifted(a, 40);
    case 1:
      return section(a);
    case 2: {
      if (empty) return a;
      step.kind = Kind::replicate;
      for (int i = 0; i < s.rank; ++i)
        step.numbers.push_back(1 + pick(s.rank > 4 ? 3 : s.rank == 4 ? 6 : s.rank == 3 ? 12 : 60));
      return add(std::move(step));
    }
    case 3: {
      if (empty || s.size() > 4000) return shifted(a, 3);
      step.kind = Kind::expand;
      for (int i = 0; i < s.rank; ++i) {
        step.numbers.push_back(pick(s.rank > 3 ? 2 : 5));
        step.numbers.push_back(pick(s.rank > 3 ? 2 : 20));
      }
      set_rule(step);
      return add(std::move(step));
    }
    case 4:
    case 5: {
      std::vector<int64_t> axes(static_cast<size_t>(s.rank));
      std::iota(axes.begin(), axes.end(), 0);
      std::shuffle(axes.begin(), axes.end(), random_);
      return add(Kind::transpose, {a}, axes);
    }
    case 6:
      if (empty) return a;
      step.kind = Kind::drop_dimension;
      step.axis = pick(s.rank);
      return add(std::move(step));
    case 7:
      if (s.rank >= 4 || s.size() >= 3000) return a;
      step.kind = Kind::add_dimension;
      step.axis = pick(s.rank + 1);
      step.numbers = {1 + pick(4)};
      return add(std::move(step));
    case 8:
      if (s.rank > 3 || s.size() >= 3000) return a;
      step.kind = Kind::broadcast;  // a new axis in front, and along axes of one element
      step.numbers = {1 + pick(4)};
      for (int64_t n : s) step.numbers.push_back(n == 1 && chance(50) ? 1 + pick(9) : n);
      return add(std::move(step));
    default:
      return flat(a);
  }
}

int RandomGraph::flat(int a) {
  if (shape(a).rank == 1) return a;
  return add(Kind::reshape, {a}, {elements(a)});
}

int RandomGraph::reduction(int a) {
  const int rank = shape(a).rank;
  if (rank == 0) return unary(a);
  std::vector<int64_t> axes;
  for (int i = 0; i < rank; ++i)
    if (chance(50)) axes.push_back(i);
  if (axes.empty()) axes.push_back(pick(rank));
  Step step;
  step.kind = Kind::reduce;
  step.inputs = {chance(20) ? cast(a, ElementType::b8) : a};
  step.numbers = axes;
  step.reduction = any_reduction(type_of(step.inputs[0]));
  return add(std::move(step));
}

// One that elements of the type have.
Reduction RandomGraph::any_reduction(ElementType type) {
  using R = Reduction;
  static constexpr R of_floats[] = {R::sum, R::product, R::max, R::min, R::fmax, R::fmin};
  static constexpr R of_integers[] = {R::sum,     R::product, R::max,    R::min,
                                      R::bit_and, R::bit_or,  R::bit_xor};
  static constexpr R of_flags[] = {R::all, R::any, R::bit_xor};
  if (type == ElementType::b8) return of_flags[pick(std::size(of_flags))];
  return is_floating(type) ? of_floats[pick(std::size(of_floats))]
                           : of_integers[pick(std::size(of_integers))];
}

int RandomGraph::numeric(int a) {
  return type_of(a) == ElementType::b8 ? cast(a, ElementType::i32) : a;
}

// A coordinate, moved or reversed: what a warp or a program that reads its neighbours computes.
int RandomGraph::nearby_index(const Extents& like, int axis) {
  Step step;
  step.kind = Kind::index;
  step.numbers.assign(like.begin(), like.end());
  step.axis = axis;
  const int own = add(std::move(step));
  Step constant;
  constant.kind = Kind::constant;
  constant.type = ElementType::i32;
  const bool reversed = chance(30);
  constant.fill = reversed ? static_cast<double>(like[axis] - 1) : pick(7) - 3;
  const int distance = add(std::move(constant));
  return reversed ? op(Op::subtract, {distance, own}) : op(Op::add, {own, distance});
}

// An index as int64, near where it was or far beyond 32 bits.
int RandomGraph::wide_index(int index) {
  const int wide = cast(index, ElementType::i64);
  return chance(50) ? wide : op(Op::multiply, {wide, wide});
}

int RandomGraph::gather(int a) {
  const Extents s = shape(a);
  if (s.rank == 0) return unary(a);
  const int like = any();
  const Extents to = shape(like);
  Step step;
  step.kind = Kind::gather;
  step.inputs = {a};
  const int first = cast(like, ElementType::i32);
  for (int i = 0; i < s.rank; ++i) {
    int index = first;
    if (to.rank > i && chance(50)) {
      index = nearby_index(to, i);
      // No multiple of a coordinate any more: a gather remains a gather.
      if (chance(50)) index = op(chance(50) ? Op::max : Op::bit_xor, {index, first});
    } else if (chance(50)) {
      Step constant;
      constant.kind = Kind::constant;
      constant.type = ElementType::i32;
      constant.fill = pick(9);
      index = op(chance(50) ? Op::multiply : Op::add, {first, add(std::move(constant))});
    }
    step.inputs.push_back(chance(10) ? wide_index(index) : index);
  }
  set_rule(step);
  if (s.size() == 0) {
    step.rule = Boundary::Kind::constant;
    step.fill = 1;
  }
  return add(std::move(step));
}

// Operations of the table with this many operands and one of these rules.
std::vector<Op> operations_of(int arity, std::initializer_list<detail::Rule> rules) {
  std::vector<Op> result;
  for (const Operation& operation : operations)
    if (operation.arity == arity && std::ranges::find(rules, operation.rule) != rules.end())
      result.push_back(operation.op);
  return result;
}

int RandomGraph::unary(int a) {
  using Rule = detail::Rule;
  static const auto arithmetic = operations_of(1, {Rule::arithmetic});
  static const auto floating = operations_of(1, {Rule::floating});
  static const auto other = operations_of(1, {Rule::classify, Rule::order});
  static const auto integer = operations_of(1, {Rule::integer});
  const ElementType t = type_of(a);
  if (t == ElementType::b8) return op(Op::logical_not, {a});
  if (is_floating(t) && chance(8)) return op(other[pick(std::size(other))], {a});
  if (is_floating(t) && chance(60)) return op(floating[pick(std::size(floating))], {a});
  if (is_integer(t) && chance(40)) return op(integer[pick(std::size(integer))], {a});
  return op(arithmetic[pick(std::size(arithmetic))], {a});
}

// Something of the same shape and type as a, or a scalar.
int RandomGraph::partner(int a) {
  const ElementType t = type_of(a);
  for (int tries = 0; tries < 6; ++tries) {
    const int b = any();
    if (shape(b).rank == 0 || shape(b) == shape(a)) return cast(b, t);
  }
  if (chance(40)) {
    Step step;
    step.kind = Kind::constant;
    step.type = t;
    step.fill = number();
    return add(std::move(step));
  }
  if (chance(50) && shape(a).rank > 0) return shifted(a, 1);
  return a;
}

int RandomGraph::binary(int a) {
  using Rule = detail::Rule;
  static const auto arithmetic = operations_of(2, {Rule::arithmetic});
  static const auto integer = operations_of(2, {Rule::integer});
  static const auto compare = operations_of(2, {Rule::compare});
  static const auto logical = operations_of(2, {Rule::logical});
  static const auto floating = operations_of(2, {Rule::floating});
  const ElementType t = type_of(a);
  const int b = partner(a);
  if (chance(15)) return op(compare[pick(std::size(compare))], {a, b});
  if (t != ElementType::b8 && chance(4)) return op(Op::fma, {a, b, partner(a)});
  if (t == ElementType::b8) return op(logical[pick(std::size(logical))], {a, b});
  if (is_integer(t) && chance(30)) return op(integer[pick(std::size(integer))], {a, b});
  if (is_floating(t) && chance(15)) return op(floating[pick(std::size(floating))], {a, b});
  return op(arithmetic[pick(std::size(arithmetic))], {a, b});
}

int RandomGraph::choose(int a) {
  const int b = partner(a);
  return op(Op::choose, {op(Op::less, {a, b}), a, b});
}

// A sum of neighbours under one boundary rule each.
int RandomGraph::stencil(int a) {
  if (shape(a).rank == 0) return unary(a);
  const int from = numeric(a);
  int total = from;
  for (int offsets = 1 + pick(4); offsets > 0; --offsets)
    total = op(Op::add, {total, shifted(from, 3)});
  return total;
}

int RandomGraph::product(int a) {
  const Extents s = shape(a);
  if (s.rank == 0 || s.rank > 2 || s.size() > 5000) return stencil(a);
  const int from = numeric(a);
  std::vector<int64_t> axes;
  for (int i = s.rank; i-- > 0;) axes.push_back(i);
  return add(Kind::inner_product, {from, add(Kind::transpose, {from}, axes)});
}

// A section of an array replaced: by itself, by another section of the array, by its neighbours, by
// data of its own or by one number. Often the result is written to again.
int RandomGraph::written(int a) {
  if (shape(a).rank == 0) return unary(a);
  const int part = section(a);
  Step step;
  step.kind = Kind::write_section;
  step.numbers = recipe_.steps[static_cast<size_t>(part)].numbers;
  if (chance(50))  // the section that is read is another one
    for (int axis = 0; axis < shape(a).rank; ++axis) {
      int64_t* range = &step.numbers[static_cast<size_t>(3 * axis)];
      if (range[1] == 0) continue;
      const int64_t span = (range[1] - 1) * std::abs(range[2]);
      range[0] = pick(static_cast<int>(shape(a)[axis] - span)) + (range[2] < 0 ? span : 0);
    }
  const ElementType type = type_of(a);
  int values = part;
  switch (pick(5)) {
    case 0:
      values = shifted(part, 2);
      break;
    case 1:
      values = cast(binary(part), type);
      break;
    case 2: {
      Step data;
      data.kind = Kind::source;
      data.type = type;
      data.numbers.assign(shape(part).begin(), shape(part).end());
      data.seed = random_() % 1000000;
      values = add(std::move(data));
      break;
    }
    case 3: {
      Step number;
      number.kind = Kind::constant;
      number.type = type;
      number.numbers.assign(shape(part).begin(), shape(part).end());
      number.fill = this->number();
      values = add(std::move(number));
      break;
    }
    default:
      break;
  }
  step.inputs = {a, shape(values) == shape(part) ? values : part};
  const int result = add(std::move(step));
  return chance(30) ? written(result) : result;
}

// An array and pieces of it, as they are or computed from, one behind the other.
int RandomGraph::joined(int a) {
  const Extents whole = shape(a);
  if (whole.rank == 0 || elements(a) > most_elements / 4) return unary(a);
  Step step;
  step.kind = Kind::concat;
  step.axis = pick(whole.rank);
  step.inputs = {a};
  for (int count = 1 + pick(3); count > 0; --count) {
    Step piece;
    piece.kind = Kind::section;
    piece.inputs = {a};
    for (int axis = 0; axis < whole.rank; ++axis) {
      const int64_t begin = axis == step.axis && whole[axis] > 0 && chance(60)
                                ? pick(static_cast<int>(whole[axis]))
                                : 0;
      piece.numbers.insert(piece.numbers.end(), {begin, whole[axis] - begin, 1});
    }
    int part = add(std::move(piece));
    const int computed = chance(60) ? cast(binary(part), type_of(a)) : part;
    if (shape(computed) == shape(part)) part = computed;
    step.inputs.insert(chance(50) ? step.inputs.begin() : step.inputs.end(), part);
  }
  return add(std::move(step));
}

// A recurrence along any axis, with one or two states and first values of its own at times.
int RandomGraph::recurrence(int a) {
  constexpr int64_t most_steps = 1 << 18;  // that the interpreter takes one by one
  if (shape(a).rank == 0 || elements(a) > most_steps) return unary(a);
  static constexpr Op ops[] = {Op::add, Op::subtract, Op::multiply, Op::min};
  Step step;
  step.kind = Kind::recurrence;
  const int x = numeric(chance(50) ? shifted(a, 2) : a);
  step.op = ops[pick(std::size(ops))];
  step.axis = pick(shape(x).rank);
  step.fill = number();
  const int states = 1 + pick(2);
  step.numbers = {states, pick(states), pick(2)};
  step.inputs = {x};
  if (shape(x).rank > 1 && chance(40)) {
    Step first;
    first.kind = Kind::source;
    first.type = type_of(x);
    first.seed = random_() % 1000000;
    for (int axis = 0; axis < shape(x).rank; ++axis)
      if (axis != step.axis) first.numbers.push_back(shape(x)[axis]);
    step.inputs.push_back(add(std::move(first)));
  }
  return add(std::move(step));
}

// Scans, segmented reductions, scatters, sorts and packs.
int RandomGraph::primitive(int a) {
  if (chance(25)) return chance(30) ? joined(a) : written(a);
  if (chance(12)) return recurrence(a);
  if (chance(25) && elements(a) < 100000) return ordering(a);
  if (shape(a).rank == 0 || elements(a) == 0 || elements(a) > most_elements) return unary(a);
  Step step;
  const auto draw_reduction = [&](int from) {
    step.reduction = any_reduction(type_of(from));
    return from;
  };
  switch (pick(5)) {
    case 0:
      step.kind = Kind::scan;
      step.inputs = {draw_reduction(a)};
      step.axis = pick(2);
      if (shape(a).rank == 1 && chance(40))
        step.inputs.push_back(add({.kind = Kind::offsets,
                                   .numbers = {1 + pick(20), elements(a)},
                                   .seed = random_() % 1000000}));
      return add(std::move(step));
    case 1:
      step.kind = Kind::segmented_reduce;
      step.inputs = {draw_reduction(flat(a))};
      step.inputs.push_back(add({.kind = Kind::offsets,
                                 .numbers = {1 + pick(chance(50) ? 8 : 500), elements(a)},
                                 .seed = random_() % 1000000}));
      return add(std::move(step));
    case 2: {
      const int base = flat(numeric(a));
      step.kind = Kind::scatter;
      const int values = shifted(base, 2);
      const int index = cast(flat(a), chance(70) ? ElementType::i32 : ElementType::i64);
      step.inputs = {base, values, index};
      step.axis = pick(6);
      return add(std::move(step));
    }
    case 3:
      step.kind = Kind::sort;
      step.inputs = {flat(a), flat(chance(50) ? a : shifted(a, 2))};
      step.axis = pick(2);
      return add(std::move(step));
    default: {
      step.kind = Kind::pack;
      const int values = flat(a),
                flags = cast(chance(50) ? values : shifted(values, 3), ElementType::b8);
      step.inputs = {flags, values};
      step.numbers = {pick(static_cast<int>(elements(a)) + 1)};
      return add(std::move(step));
    }
  }
}

}  // namespace tutti::test
