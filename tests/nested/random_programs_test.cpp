// Random nested programs. A program is a list of steps; a step is a function, a choice between two
// programs, or a program for each of the pieces of a sequence. Programs of ints are compared with
// the same programs as plain loops. Programs of other types are interpreted, run without compiling
// where they are small, and compiled; the results must agree to the bit. So must programs over
// values of any structure (random_nested.hpp). TUTTI_TEST_NESTED and TUTTI_TEST_SEED ask for more
// and for others.
#include <gtest/gtest.h>

#include "nested/programs.hpp"
#include "nested/random_nested.hpp"
#include "nested/typed_steps.hpp"
#include "support/compare.hpp"
#include "support/random_values.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

struct Step;
using Program = std::vector<Step>;

struct Step {
  enum class Kind { function, choice, pieces } kind = Kind::function;
  size_t function = 0;
  int number = 1;  // choice: divides the length or not; pieces: how long they are
  Program first, second;
};

Program random_program(Random& random, int depth, size_t functions) {
  Program result(static_cast<size_t>(1 + random.pick(3)));
  for (Step& step : result) {
    const int kind = depth > 0 ? random.pick(4) : 0;
    step.number = 2 + random.pick(3);
    if (kind == 3) {
      step.kind = Step::Kind::choice;
      step.first = random_program(random, depth - 1, functions);
      step.second = random_program(random, depth - 1, functions);
    } else if (kind == 2) {
      step.kind = Step::Kind::pieces;
      step.first = random_program(random, depth - 1, functions);
    } else {
      step.function = static_cast<size_t>(random.pick(functions));
    }
  }
  return result;
}

// How long the rows are: ordinary ones with empty ones among them, none, many short ones, and a few
// long ones among many that are empty.
std::vector<size_t> random_lengths(Random& random) {
  const int kind = random.pick(8);
  std::vector<size_t> result(static_cast<size_t>(kind == 1 ? 300 : random.pick(20)));
  for (size_t& length : result) {
    const size_t usual = random.chance(25) ? 0 : static_cast<size_t>(random.pick(40));
    length = kind == 0   ? 0
             : kind == 1 ? static_cast<size_t>(random.pick(4))
             : kind == 2 ? (random.chance(15) ? static_cast<size_t>(random.pick(5000)) : 0)
                         : usual;
  }
  return result;
}

template <class T>
std::vector<std::vector<T>> random_rows(Random& random) {
  std::vector<std::vector<T>> rows;
  for (const size_t length : random_lengths(random)) {
    const auto bytes = random.values(element_type<T>, static_cast<int64_t>(length));
    rows.emplace_back(length);
    if (length > 0) std::memcpy(rows.back().data(), bytes.data(), bytes.size());
  }
  return rows;
}

// Sequences are cut, so that they do not grow without end.
int random_limit(Random& random) { return random.one_of({60, 60, 60, 2000}); }

// ---- with Seq

template <class T, class Apply>
Seq<T> run(const Program& program, Seq<T> a, int limit, const Apply& apply) {
  for (const Step& step : program) {
    if (step.kind == Step::Kind::function) {
      a = apply(step.function, a);
    } else if (step.kind == Step::Kind::choice) {
      a = if_(
          length(a) % step.number == 0, [&] { return run(step.first, a, limit, apply); },
          [&] { return run(step.second, a, limit, apply); });
    } else {
      Scalar<int> whole = length(a) / step.number;
      Seq<int> counts = concat(distribute(step.number, whole), seq(length(a) % step.number));
      a = flatten(each(partition(a, counts),
                       [&](Seq<T> piece) { return run(step.first, piece, limit, apply); }));
    }
    a = take(a, min(length(a), limit));
  }
  return a;
}

template <class T, class Apply>
std::vector<std::vector<T>> run_rows(const Program& program,
                                     const std::vector<std::vector<T>>& rows, int limit,
                                     const Apply& apply) {
  return each(Seq<Seq<T>>(rows), [&](Seq<T> row) { return run(program, row, limit, apply); })
      .to_nested_vector();
}

// ---- with loops

Ints run(const Program& program, Ints v, int limit) {
  for (const Step& step : program) {
    if (step.kind == Step::Kind::function) {
      v = functions()[step.function].plain(v);
    } else if (step.kind == Step::Kind::choice) {
      v = run(loops::size(v) % step.number == 0 ? step.first : step.second, v, limit);
    } else {
      Ints joined;
      size_t at = 0;
      const auto piece = [&](size_t count) {
        const auto begin = v.begin() + static_cast<long>(at);
        const Ints result = run(step.first, Ints(begin, begin + static_cast<long>(count)), limit);
        joined.insert(joined.end(), result.begin(), result.end());
        at += count;
      };
      const auto size = static_cast<size_t>(step.number);
      for (size_t i = 0; i < v.size() / size; ++i) piece(size);
      piece(v.size() % size);
      v = joined;
    }
    v.resize(std::min(v.size(), static_cast<size_t>(limit)));
  }
  return v;
}

// ---- the comparison

template <class T>
testing::AssertionResult same_rows(const std::vector<std::vector<T>>& want,
                                   const std::vector<std::vector<T>>& got, const char* who) {
  if (want.size() != got.size())
    return testing::AssertionFailure() << who << ": " << got.size() << " rows, not " << want.size();
  for (size_t i = 0; i < want.size(); ++i) {
    if (want[i].size() != got[i].size())
      return testing::AssertionFailure() << who << ": row " << i << " has " << got[i].size()
                                         << " elements, not " << want[i].size();
    for (size_t k = 0; k < want[i].size(); ++k) {
      const ScalarValue right = scalar_value(want[i][k]), found = scalar_value(got[i][k]);
      if (!same_number(right, found))
        return testing::AssertionFailure() << who << ": row " << i << ", element " << k << ": "
                                           << text_of(found) << ", not " << text_of(right);
    }
  }
  return testing::AssertionSuccess();
}

int random_depth(Random& random) { return random.one_of({1, 2, 2, 3}); }

testing::AssertionResult compare_with_loops(uint64_t seed) {
  Random random(seed);
  const Program program = random_program(random, random_depth(random), functions().size());
  const std::vector<Ints> rows = random_rows<int>(random);
  const int limit = random_limit(random);
  const WithSettings some([&](Settings& s) {
    if (random.chance(30)) s.small_work = 0;
  });
  const std::vector<Ints> got = run_rows<int>(
      program, rows, limit, [](size_t i, const Seq<int>& a) { return functions()[i].lifted(a); });
  std::vector<Ints> want;
  for (const Ints& row : rows) want.push_back(run(program, row, limit));
  return same_rows(want, got, settings().small_work == 0 ? "compiled" : "as small work");
}

template <class T>
testing::AssertionResult compare_evaluators(uint64_t seed) {
  Random random(seed);
  const Program program = random_program(random, random_depth(random), typed_steps<T>);
  const auto rows = random_rows<T>(random);
  const int limit = random_limit(random);
  const T number = detail::number<T>(random.value(element_type<T>));
  const auto run_with = [&](bool interpret, int64_t small_work) {
    const WithSettings evaluator([&](Settings& s) {
      s.interpret = interpret;
      s.small_work = small_work;
    });
    return run_rows<T>(program, rows, limit, [&](size_t i, const Seq<T>& a) {
      return typed_step<T>(static_cast<int>(i), a, number);
    });
  };
  const auto want = run_with(true, settings().small_work);
  if (const auto outcome = same_rows(want, run_with(false, 20'000), "as small work"); !outcome)
    return outcome;
  return same_rows(want, run_with(false, 0), "compiled");
}

// ---- programs over values of any structure

testing::AssertionResult same_data(const nested::HostData& want, const nested::HostData& got) {
  if (want.rows != got.rows || want.offsets != got.offsets || want.parts.size() != got.parts.size())
    return testing::AssertionFailure()
           << got.rows << " rows, not " << want.rows << ", or sequences of other lengths";
  for (size_t i = 0; i < want.parts.size(); ++i)
    if (const auto outcome = same_data(want.parts[i], got.parts[i]); !outcome) return outcome;
  if (want.type.kind != nested::Kind::scalar) return testing::AssertionSuccess();
  const auto size = static_cast<size_t>(size_of(want.type.element));
  for (size_t i = 0; i < static_cast<size_t>(want.rows); ++i) {
    ScalarValue right{want.type.element, 0}, found{want.type.element, 0};
    std::memcpy(&right.bits, want.numbers.data() + i * size, size);
    std::memcpy(&found.bits, got.numbers.data() + i * size, size);
    if (!same_number(right, found))
      return testing::AssertionFailure()
             << "element " << i << ": " << text_of(found) << ", not " << text_of(right);
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult compare_structures(uint64_t seed) {
  const auto run_with = [&](bool interpret, int64_t small_work) {
    const WithSettings evaluator([&](Settings& s) {
      s.interpret = interpret;
      s.small_work = small_work;
    });
    return RandomNested::run(seed);
  };
  const nested::HostData want = run_with(true, settings().small_work);
  if (const auto outcome = same_data(want, run_with(false, 20'000)); !outcome)
    return testing::AssertionFailure() << "as small work: " << outcome.message();
  if (const auto outcome = same_data(want, run_with(false, 0)); !outcome)
    return testing::AssertionFailure() << "compiled: " << outcome.message();
  return testing::AssertionSuccess();
}

testing::AssertionResult compare(uint64_t seed) {
  const int threads[] = {1, 2, 5};
  const WithSettings several([&](Settings& s) { s.threads = threads[seed % 3]; });
  switch (seed % 10) {
    case 0:
      return compare_evaluators<float>(seed);
    case 1:
      return seed % 20 == 1 ? compare_evaluators<int64_t>(seed) : compare_evaluators<double>(seed);
    case 2:
      return seed % 20 == 2 ? compare_evaluators<uint8_t>(seed) : compare_evaluators<int16_t>(seed);
    case 3:
      return compare_evaluators<half>(seed);
    case 4:
    case 5:
      return compare_with_loops(seed);
    default:
      return compare_structures(seed);
  }
}

TEST(RandomPrograms, AreWhatLoopsAndTheInterpreterCompute) {
  compare_seeds({"TUTTI_TEST_NESTED", 20, "nested programs"}, compare);
}

}  // namespace
}  // namespace tutti::test
