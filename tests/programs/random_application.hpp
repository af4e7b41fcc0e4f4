// Random applications of random programs. Programs are composed, bundled and bound in several ways
// to arrays, tuples, numbers and variables. They are steps of recurrences, and operators of
// reductions and scans; their results are used in several ways. The same draws give the same
// application again.
#pragma once
#include <tutti/recurrence.hpp>

#include "programs/random_program.hpp"
#include "tutti/fold.hpp"

namespace tutti::test {

class RandomApplication {
 public:
  explicit RandomApplication(uint64_t seed) : random_(seed) {
    const int kind = random_.pick(100);
    form_ = kind < 66   ? Form::plain
            : kind < 74 ? Form::composed
            : kind < 80 ? Form::bundled
            : kind < 86 ? Form::writes
            : kind < 93 ? Form::recurrence
                        : Form::combiner;
    rank_ = random_.one_of({1, 1, 1, 2, 2, 3});
    programs_.push_back(first_program());
    if (form_ == Form::composed) programs_.push_back(feeding_program());
    if (form_ == Form::bundled) {
      const ProgramSize size = ProgramSize::called(random_);
      programs_.push_back(std::make_unique<RandomProgram>(random_.bits(), &size));
    }
    for (const auto& program : programs_) captured_.push_back(program->capture().handle());
    join_programs();
  }

  // The results for inputs of a shape.
  std::vector<detail::NodeRef> results(const detail::Extents& shape, uint64_t seed) {
    Random random(seed);
    for (const auto& program : programs_) program->change_outside(random);
    if (form_ == Form::recurrence) return recurrence(random, shape);
    if (form_ == Form::combiner) return combination(random, shape);
    if (form_ == Form::writes) return scattered(random, shape);
    return used(random, detail::run(bound(random, shape)));
  }

  // Of no element at times, and without axes where the form allows it.
  detail::Extents shape(Random& random) const {
    const bool has_axes = form_ == Form::recurrence || form_ == Form::combiner;
    if (!has_axes && random.chance(3)) return {};
    if (rank_ == 1 && random.chance(2)) return Shape<1>(0).extents();
    if (rank_ == 2) return Shape<2>(random.between(1, 9), random.between(1, 70)).extents();
    if (rank_ == 3)
      return Shape<3>(random.between(1, 4), random.between(1, 7), random.between(1, 20)).extents();
    if (random.chance(3)) return Shape<1>(random.between(16'000, 40'000)).extents();
    return Shape<1>(random.one_of({1, 7, 16, 17, 100, 100, 300, 1037})).extents();
  }

 private:
  using NodeRef = detail::NodeRef;
  using Nodes = std::vector<NodeRef>;
  enum class Form { plain, composed, bundled, writes, recurrence, combiner };
  static constexpr std::source_location here{};

  // ---- programs

  Port random_port() { return {random_.type(), random_.chance(60) ? 1 : 2 + random_.pick(2)}; }

  std::unique_ptr<RandomProgram> first_program() {
    const uint64_t seed = random_.bits();
    if (form_ == Form::plain || form_ == Form::bundled)
      return std::make_unique<RandomProgram>(seed);
    if (form_ == Form::writes) {
      writes_ = {random_.number_type(), 1 + random_.pick(2), 1 + random_.pick(3)};
      return std::make_unique<RandomProgram>(seed, nullptr, Ports(), writes_);
    }
    Ports ports;
    const Port state = random_port();
    if (form_ == Form::recurrence) ports = {{state, random_port()}, {state}};
    if (form_ == Form::combiner) ports = {{state, state}, {state}};
    if (form_ == Form::composed) ports = {{state, random_port()}, {random_port(), random_port()}};
    const ProgramSize size = ProgramSize::draw(random_);
    return std::make_unique<RandomProgram>(seed, &size, ports);
  }

  // A program whose outputs are the first inputs of the other.
  std::unique_ptr<RandomProgram> feeding_program() {
    Ports ports{{random_port()}, programs_[0]->ports().inputs};
    if (random_.chance(50)) ports.outputs.pop_back();
    const ProgramSize size = ProgramSize::draw(random_);
    return std::make_unique<RandomProgram>(random_.bits(), &size, ports);
  }

  void join_programs() {
    whole_ = captured_[0];
    inputs_ = programs_[0]->ports().inputs;
    if (form_ == Form::composed) {
      whole_ = detail::compose(captured_[0], captured_[1]);
      const Ports& fed = programs_[1]->ports();
      inputs_.erase(inputs_.begin(), inputs_.begin() + static_cast<long>(fed.outputs.size()));
      inputs_.insert(inputs_.begin(), fed.inputs.begin(), fed.inputs.end());
    }
    if (form_ == Form::bundled) {
      whole_ = detail::bundle_programs(captured_);
      const auto& more = programs_[1]->ports().inputs;
      inputs_.insert(inputs_.end(), more.begin(), more.end());
    }
  }

  // ---- inputs

  // An array in memory, a part of a larger one that begins at an odd place, with every element or
  // every other, transposed or reversed; an array that is pending.
  static NodeRef array(Random& random, ElementType type, const detail::Extents& shape) {
    const int kind = random.pick(10);
    if (kind > 4) return random.array(type, shape);
    if (kind == 4) {
      const NodeRef condition = random.array(ElementType::b8, shape);
      const NodeRef parts[] = {condition, random.array(type, shape), random.array(type, shape)};
      return detail::elementwise(Op::choose, parts, here);
    }
    if (kind == 3 && shape.rank == 2) {
      const int64_t axes[] = {1, 0};
      const detail::Extents turned = Shape<2>(shape[1], shape[0]).extents();
      return detail::transpose(random.array(type, turned), axes, here);
    }
    const int64_t stride = kind == 2 ? 2 : 1;
    std::vector<Range> part;
    detail::Extents whole;
    for (const int64_t n : shape) {
      part.push_back({random.between(0, 5), n, stride});
      whole.push_back(part.back().begin + n * stride + random.pick(3));
      if (kind == 3) part.back() = {part.back().begin + n - 1, n, -1};
    }
    return detail::section(random.array(type, whole), part, here);
  }
  static Nodes arrays(Random& random, const Port& port, const detail::Extents& shape) {
    Nodes result;
    for (int c = 0; c < port.components; ++c) result.push_back(array(random, port.type, shape));
    return result;
  }

  // Inputs are bound together or one by one: to arrays, smaller arrays that are extended, tuples,
  // plain numbers, and to variables that change before the program runs.
  detail::ProgramHandle bound(Random& random, const detail::Extents& shape) {
    detail::ProgramHandle program = whole_;
    std::vector<detail::Argument> waiting;
    bool first = true;
    for (const Port& port : inputs_) {
      const int kind = first ? 20 : random.pick(20);
      first = false;
      if (kind == 0) {
        program = detail::bind(program, waiting);
        waiting.clear();
        program = bound_to_variable(random, program, port, shape);
        continue;
      }
      waiting.push_back(argument(random, port, shape, kind));
      if (random.chance(20)) {
        program = detail::bind(program, waiting);
        waiting.clear();
      }
    }
    return detail::bind(program, waiting);
  }

  static detail::Argument argument(Random& random, const Port& port, const detail::Extents& shape,
                                   int kind) {
    detail::Argument result;
    result.where = here;
    result.boundary = random_boundary(random);
    if (kind == 1) {  // a tuple
      for (int c = 0; c < port.components; ++c)
        result.nodes.push_back(detail::constant(random.value(port.type), {}, here));
    } else if (kind == 2) {  // a number, which takes the type of the input
      result.nodes = {detail::constant(random.value(random.type()), {}, here)};
      result.adapts = true;
    } else if (kind == 3) {
      detail::Extents smaller;
      for (const int64_t n : shape) smaller.push_back(n == 0 ? 0 : random.between(1, n));
      result.nodes = arrays(random, port, smaller);
    } else {
      result.nodes = arrays(random, port, shape);
    }
    return result;
  }

  static detail::ProgramHandle bound_to_variable(Random& random,
                                                 const detail::ProgramHandle& program,
                                                 const Port& port, const detail::Extents& shape) {
    const auto cell = std::make_shared<detail::ArrayState>();
    cell->shared = true;
    cell->nodes = arrays(random, port, shape);
    const detail::ProgramHandle free = detail::bind_variable(program, cell);
    const detail::ProgramHandle again = detail::bind_variable(
        random.chance(50) ? detail::free_variable(free, cell.get()) : program, cell);
    cell->nodes = arrays(random, port, shape);
    cell->modes.boundary = random_boundary(random);
    return again;
  }

  // ---- programs inside of other operations

  Nodes recurrence(Random& random, const detail::Extents& shape) {
    const Port state = inputs_[0];
    const int axis = random.pick(static_cast<size_t>(shape.rank));
    detail::Extents lines;
    if (random.chance(30))
      for (int i = 0; i < shape.rank; ++i)
        if (i != axis) lines.push_back(shape[i]);
    const Nodes initial = arrays(random, state, lines);
    const Direction direction = random.chance(50) ? Direction::forward : Direction::backward;
    return used(random, detail::recurrence(whole_, initial, arrays(random, inputs_[1], shape), axis,
                                           direction, here));
  }

  Nodes combination(Random& random, const detail::Extents& shape) {
    const Port port = inputs_[0];
    const Nodes elements = arrays(random, port, shape);
    const bool has_elements = std::ranges::count(shape, 0) == 0;
    if (has_elements && random.chance(50)) {  // reductions without a neutral element need some
      std::vector<int> axes;
      for (int axis = 0; axis < shape.rank; ++axis)
        if (random.chance(60)) axes.push_back(axis);
      if (axes.empty()) axes.push_back(shape.rank - 1);
      return detail::reduce_with(whole_, elements, axes, here);
    }
    std::vector<ScalarValue> neutral;
    for (int c = 0; c < port.components; ++c) neutral.push_back(random.value(port.type));
    const NodeRef offsets =
        shape.rank == 1 && random.chance(50) ? cuts(random, shape[0]) : NodeRef();
    if (offsets && random.chance(50))
      return detail::reduce_segments_with(whole_, elements, offsets, neutral, here);
    return detail::scan_with(whole_, elements, offsets, random.chance(50), neutral, here);
  }

  // What the program writes, on an array that others may have written already.
  Nodes scattered(Random& random, const detail::Extents& shape) {
    const Bundle writes{Program(bound(random, shape))};
    const Collision collision = random.one_of({Collision::any, Collision::sum, Collision::min,
                                               Collision::max, Collision::first, Collision::last});
    return visit_type(writes_.type, [&](auto tag) -> Nodes {
      using T = typename decltype(tag)::type;
      const detail::Extents target =
          random_extents(random, writes_.rank, random.chance(20) ? 300 : 9);
      const NodeRef base = array(random, writes_.type, target);
      if constexpr (std::is_same_v<T, bool>)
        return {};
      else if (writes_.rank == 1)
        return {scatter(Array<1, T>(base), writes, collision).node()};
      else
        return {scatter(Array<2, T>(base), writes, collision).node()};
    });
  }

  // Offsets that cut the elements into segments, empty ones among them.
  static NodeRef cuts(Random& random, int64_t elements) {
    std::vector<int32_t> offsets = {0, static_cast<int32_t>(elements)};
    const int more = random.pick(6);
    for (int i = 0; i < more; ++i)
      offsets.push_back(static_cast<int32_t>(random.between(0, elements)));
    std::ranges::sort(offsets);
    return Array<1, int32_t>(offsets).node();
  }

  // ---- what becomes of the results

  // All of them as they are, or each in another way.
  Nodes used(Random& random, Nodes nodes) {
    if (random.chance(50)) return nodes;
    for (NodeRef& node : nodes)
      if (random.chance(60)) node = used_node(random, node);
    return nodes;
  }

  NodeRef used_node(Random& random, const NodeRef& node) {
    const detail::Extents shape = detail::shape_of(node, "used");
    switch (random.pick(5)) {
      case 0: {
        if (shape.rank == 0) return node;
        const int axis = random.pick(static_cast<size_t>(shape.rank));
        return detail::reduce(reduction(random, node->type), node, {&axis, 1}, here);
      }
      case 1: {
        std::vector<int64_t> by;
        for (int axis = 0; axis < shape.rank; ++axis) by.push_back(random.between(-2, 3));
        return detail::shift(node, by, random_boundary(random), 0, here);
      }
      case 2: {
        const NodeRef place = index(random, node);
        const NodeRef table = random.array(random.type(), Shape<1>(random.between(1, 9)).extents());
        return detail::gather(table, {&place, 1}, random_boundary(random), 0, here);
      }
      case 3: {
        if (shape.rank != 1) return node;
        const NodeRef place = index(random, node);
        const ElementType type = random.number_type();
        const NodeRef base = random.array(type, Shape<1>(random.between(1, 9)).extents());
        return detail::scatter(base, {&place, 1}, random.array(type, shape),
                               random.one_of({Collision::any, Collision::sum, Collision::min,
                                              Collision::max, Collision::first, Collision::last}),
                               here);
      }
      default: {
        const NodeRef inputs[] = {node, array(random, node->type, shape)};
        return detail::elementwise(random.one_of({Op::equal, Op::less}), inputs, here);
      }
    }
  }

  static NodeRef index(Random& random, const NodeRef& node) {
    return detail::cast(node, random.one_of({ElementType::i32, ElementType::i64}), here);
  }

  static Reduction reduction(Random& random, ElementType type) {
    if (type == ElementType::b8) return random.one_of({Reduction::all, Reduction::any});
    return random.one_of({Reduction::sum, Reduction::product, Reduction::max, Reduction::min});
  }

  Random random_;
  Form form_;
  int rank_;
  std::vector<std::unique_ptr<RandomProgram>> programs_;
  std::vector<detail::ProgramHandle> captured_;
  detail::ProgramHandle whole_;
  std::vector<Port> inputs_;
  Writes writes_;
};

}  // namespace tutti::test
