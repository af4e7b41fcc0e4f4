// Random expressions over vectors, compiled, against the same expressions over arrays in the
// reference interpreter, to the bit. Operands are memory of the library, or foreign memory that
// begins anywhere. Results go to new memory, over an operand, or to foreign memory, whose
// neighbours must stay as they are. TUTTI_TEST_VEC and TUTTI_TEST_SEED ask for more and for others.
#include <gtest/gtest.h>

#include "numerics/reductions.hpp"
#include "support/compare.hpp"
#include "support/seeds.hpp"
#include "vec/random_expression.hpp"

namespace tutti::test {
namespace {

using detail::BufferRef;
using detail::NodeRef;
constexpr std::source_location here{};

// Elements on the host, and the memory of the device that an expression finds them in. Memory of
// others lies inside of a larger vector, from an element on that is seldom aligned.
class Memory {
 public:
  Memory(Random& random, ElementType type, int64_t length, bool foreign)
      : type_(type), length_(length), before_(foreign ? random.between(0, 9) : 0) {
    const int64_t all = foreign ? length + before_ + random.between(0, 9) : length;
    whole_ = random.values(type, all);
    memory_ = detail::buffer_of(node(whole_, all));
    if (foreign)
      buffer = detail::wrapped(address() + before_ * size_of(type),
                               static_cast<size_t>(length * size_of(type)));
    else
      buffer = memory_;
  }

  NodeRef host_node() const {
    const auto begin = whole_.begin() + before_ * size_of(type_);
    return node({begin, begin + length_ * size_of(type_)}, length_);
  }

  // Whether all around the elements is as it was; the elements may have been assigned to.
  bool neighbours_are_intact() {
    std::vector<std::byte> now(whole_.size());
    detail::read(memory_, now.data());
    const auto begin = before_ * size_of(type_), end = begin + length_ * size_of(type_);
    return std::equal(now.begin(), now.begin() + begin, whole_.begin()) &&
           std::equal(now.begin() + end, now.end(), whole_.begin() + end);
  }

  // Memory of others with as many elements that shares some of them.
  BufferRef overlapping(Random& random) {
    const int64_t places = static_cast<int64_t>(whole_.size()) / size_of(type_) - length_;
    return detail::wrapped(address() + random.between(0, places) * size_of(type_),
                           static_cast<size_t>(length_ * size_of(type_)));
  }

  ElementType type() const { return type_; }
  void forget_memory() { memory_.reset(); }  // the expression and its target alone refer to it

  BufferRef buffer;

 private:
  std::byte* address() {
    const int64_t all = static_cast<int64_t>(whole_.size()) / size_of(type_);
    return static_cast<std::byte*>(detail::address_for_writing(memory_, type_, all));
  }
  NodeRef node(const std::vector<std::byte>& bytes, int64_t count) const {
    return detail::from_host(type_, Shape<1>(count).extents(), bytes.data(),
                             static_cast<size_t>(count), here);
  }

  ElementType type_;
  int64_t length_, before_;
  std::vector<std::byte> whole_;
  BufferRef memory_;
};

// The operands of one run of an expression.
struct Run {
  int64_t length;
  std::vector<Memory> vectors;
  std::vector<ScalarValue> numbers;
  std::vector<BufferRef> number_buffers;
  // In the order in which the expression names them.
  std::vector<detail::StoredOperand> stored;
  std::vector<ScalarValue> host_numbers;
  std::vector<detail::ShiftOperand> shifts;

  detail::Operands operands() const { return {stored, host_numbers, shifts}; }
};

void collect(const Term& term, Random& random, Run& run) {
  for (const Term& input : term.inputs) collect(input, random, run);
  if (term.kind == Term::Kind::vector) {
    run.stored.push_back({&run.vectors[term.operand].buffer, term.type, run.length});
  } else if (term.kind == Term::Kind::number) {
    run.stored.push_back({&run.number_buffers[term.operand], term.type, detail::one_number});
  } else if (term.kind == Term::Kind::host_number) {
    run.host_numbers.push_back(random.value(term.type));
  } else if (term.kind == Term::Kind::shift) {
    const int64_t by =
        random.one_of<int64_t>({0, 1, -1, 3, -2, 17, 1000, -100'000, 1LL << 31, -(1LL << 40)});
    run.shifts.push_back({by, static_cast<Boundary::Kind>(random.pick(3))});
    run.host_numbers.push_back(random.value(term.type));
  }
}

// ---- as Vec does it

struct Root {
  Term term;
  bool is_reduced = false;
  Reduction reduction{};
};
const Root* current = nullptr;  // what build_current() writes down

NodeRef build(const Term& term, detail::ExpressionGraph& graph) {
  std::vector<NodeRef> inputs;
  for (size_t i = 0; i < term.inputs.size(); ++i) {
    inputs.push_back(build(term.inputs[i], graph));
    if (term.kind == Term::Kind::operation)
      inputs.back() = graph.converted(inputs.back(), operand_type(term, i));
  }
  switch (term.kind) {
    case Term::Kind::vector:
    case Term::Kind::number:
      return graph.stored();
    case Term::Kind::host_number:
      return graph.number();
    case Term::Kind::conversion:
      return graph.converted(inputs[0], term.type);
    case Term::Kind::shift:
      return graph.shifted(inputs[0]);
    default:
      return graph.apply(term.op, inputs);
  }
}

NodeRef build_current(detail::ExpressionGraph& graph) {
  const NodeRef root = build(current->term, graph);
  return current->is_reduced ? graph.reduced(current->reduction, root) : root;
}

// ---- as arrays

class ArrayGraph {
 public:
  explicit ArrayGraph(const Run& run) : run_(run) {}

  NodeRef build(const Term& term) {
    std::vector<NodeRef> inputs;
    for (size_t i = 0; i < term.inputs.size(); ++i) {
      inputs.push_back(build(term.inputs[i]));
      if (term.kind == Term::Kind::operation)
        inputs.back() = detail::cast(inputs.back(), operand_type(term, i), here);
    }
    switch (term.kind) {
      case Term::Kind::vector:
        return run_.vectors[term.operand].host_node();
      case Term::Kind::number:
        return detail::constant(run_.numbers[term.operand], {}, here);
      case Term::Kind::host_number:
        return detail::constant(run_.host_numbers[next_number_++], {}, here);
      case Term::Kind::conversion:
        return detail::cast(inputs[0], term.type, here);
      case Term::Kind::shift:
        return shifted(inputs[0]);
      default:
        return detail::elementwise(term.op, inputs, here);
    }
  }

 private:
  NodeRef shifted(const NodeRef& input) {
    const detail::ShiftOperand& shift = run_.shifts[next_shift_++];
    const ScalarValue fill = run_.host_numbers[next_number_++];
    const int64_t by[] = {shift.by};
    return detail::shift(input, by, boundary(shift.boundary, fill), 0, here);
  }
  static Boundary boundary(Boundary::Kind kind, ScalarValue fill) {
    if (kind == Boundary::Kind::clamp) return Boundary::clamp();
    if (kind == Boundary::Kind::wrap) return Boundary::wrap();
    return visit_type(fill.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return Boundary::constant(detail::number<T>(fill));
    });
  }

  const Run& run_;
  size_t next_number_ = 0, next_shift_ = 0;
};

Elements as_arrays(const Root& root, const Run& run) {
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  NodeRef node = ArrayGraph(run).build(root.term);
  const int axes[] = {0};
  if (root.is_reduced) node = detail::reduce(root.reduction, node, axes, here);
  return read(node);
}

// ---- the comparison

int64_t length_of(Random& random) {
  if (random.chance(5)) return random.between(20'000, 100'000);
  return random.one_of<int64_t>({0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 100, 1003, 8191, 8193});
}

Run make_run(Random& random, const Root& root, const std::vector<ElementType>& vectors,
             const std::vector<ElementType>& numbers) {
  Run run{length_of(random), {}, {}, {}, {}, {}, {}};
  run.vectors.reserve(vectors.size());
  for (const ElementType type : vectors)
    run.vectors.emplace_back(random, type, run.length, run.length > 0 && random.chance(40));
  for (const ElementType type : numbers) {
    run.numbers.push_back(random.value(type));
    run.number_buffers.push_back(detail::buffer_of_number(run.numbers.back()));
  }
  collect(root.term, random, run);
  return run;
}

Elements elements_of(const BufferRef& buffer, ElementType type, const detail::Extents& shape) {
  return test::read(detail::node_of(
      detail::is_wrapped(buffer) ? detail::copy_of(buffer, type, shape.size()) : buffer, type,
      shape, here));
}

// Where the result of an assignment goes.
testing::AssertionResult assign(Random& random, detail::ExpressionKernels& kernels,
                                const Root& root, Run& run, const Elements& want) {
  const ElementType type = root.term.type;
  Memory other(random, type, run.length, run.length > 0 && random.chance(50));
  BufferRef target = random.chance(40) ? other.buffer : BufferRef();
  const Memory* shared = nullptr;
  // Over an operand of the same type, which the expression alone reads besides, or over a part.
  for (Memory& operand : run.vectors)
    if (operand.type() == type && random.chance(40)) {
      target = operand.buffer;
      if (!detail::is_wrapped(target))
        operand.forget_memory();
      else if (random.chance(40))
        target = operand.overlapping(random), shared = &operand;
    }
  int64_t length = run.length;
  kernels.assign(run.operands(), true, type, target, length, here);
  if (const auto outcome = same(want, elements_of(target, type, want.shape)); !outcome)
    return outcome;
  for (Memory& operand : run.vectors)
    if (&operand != shared && detail::is_wrapped(operand.buffer) &&
        !operand.neighbours_are_intact())
      return testing::AssertionFailure() << "memory around an operand was written to";
  if (!other.neighbours_are_intact())
    return testing::AssertionFailure() << "memory around the target was written to";
  return testing::AssertionSuccess();
}

// The same expression, with the same kernels, on operands of several lengths.
testing::AssertionResult compare(uint64_t seed) {
  Random random(seed);
  std::vector<ElementType> vectors{random.type(), random.number_type(), random.floating_type()};
  std::vector<ElementType> numbers{random.one_of(vectors), random.type()};
  Root root{RandomExpression(random, vectors, numbers)
                .vector_term(random.one_of(vectors), 1 + random.pick(4)),
            random.chance(25)};
  if (root.is_reduced) {
    const ElementType type = root.term.type;
    do root.reduction = static_cast<Reduction>(random.pick(ir::reduction_count));
    while (!ir::canonical_reduction(root.reduction, type));
  }
  current = &root;
  detail::ExpressionKernels kernels(build_current);
  const int threads[] = {1, 2, 5};
  for (int i = 0; i < 3; ++i) {
    const WithSettings compiled([&](Settings& s) {
      s.interpret = false;
      s.threads = threads[(seed + static_cast<uint64_t>(i)) % 3];
    });
    Run run = make_run(random, root, vectors, numbers);
    const Elements want = as_arrays(root, run);
    const testing::AssertionResult outcome =
        root.is_reduced
            ? same(want, elements_of(kernels.compute(run.operands(), detail::one_number), want.type,
                                     want.shape))
            : assign(random, kernels, root, run, want);
    if (!outcome)
      return testing::AssertionFailure() << "run " << i << " of " << run.length << " elements, "
                                         << text_of(root.term) << ": " << outcome.message();
  }
  return testing::AssertionSuccess();
}

TEST(RandomExpressions, AreThoseOfArrays) {
  compare_seeds({"TUTTI_TEST_VEC", 100, "vector expressions"}, compare);
}

// Conversions from double to half by way of an exact float, which once became a call.
TEST(RandomExpressions, SeedsThatOnceCalledAFunction) {
  for (uint64_t seed : {2040693073u, 2040697030u, 2247198297u})
    EXPECT_TRUE(compare(seed)) << "seed " << seed;
}

}  // namespace
}  // namespace tutti::test
