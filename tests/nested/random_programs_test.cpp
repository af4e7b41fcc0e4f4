// Random nested programs against the same programs as plain loops. A program is a list of steps; a
// step is a function of the table, a choice between two programs, or a program for each of the
// pieces of a sequence. TUTTI_TEST_PROGRAMS and TUTTI_TEST_SEED ask for more and for others.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "nested/programs.hpp"
#include "support/environment.hpp"

namespace tutti::test {
namespace {

struct Step;
using Program = std::vector<Step>;

struct Step {
  enum class Kind { function, choice, pieces } kind = Kind::function;
  const Function* function = nullptr;
  int number = 1;  // choice: divides the length or not; pieces: how long they are
  Program first, second;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program program(int depth) {
    Program result(1 + below(3));
    for (Step& step : result) {
      const int kind = depth > 0 ? static_cast<int>(below(4)) : 0;
      step.number = 2 + static_cast<int>(below(3));
      if (kind == 3) {
        step.kind = Step::Kind::choice;
        step.first = program(depth - 1);
        step.second = program(depth - 1);
      } else if (kind == 2) {
        step.kind = Step::Kind::pieces;
        step.first = program(depth - 1);
      } else {
        step.function = &functions()[below(functions().size())];
      }
    }
    return result;
  }

  std::vector<Ints> rows() {
    std::vector<Ints> result(below(20));
    for (Ints& row : result)
      for (size_t n = below(4) == 0 ? 0 : below(40); n > 0; --n)
        row.push_back(static_cast<int>(below(200)) - 60);
    return result;
  }

 private:
  size_t below(size_t bound) { return random_() % bound; }
  std::mt19937_64 random_;
};

constexpr int longest = 60;  // sequences are cut here, so that they do not grow without end

Seq<int> run(const Program& program, Seq<int> a) {
  for (const Step& step : program) {
    if (step.kind == Step::Kind::function) {
      a = step.function->lifted(a);
    } else if (step.kind == Step::Kind::choice) {
      a = if_(
          length(a) % step.number == 0, [&] { return run(step.first, a); },
          [&] { return run(step.second, a); });
    } else {
      Scalar<int> whole = length(a) / step.number;
      Seq<int> counts = concat(distribute(step.number, whole), seq(length(a) % step.number));
      a = flatten(
          each(partition(a, counts), [&](Seq<int> piece) { return run(step.first, piece); }));
    }
    a = take(a, min(length(a), longest));
  }
  return a;
}

Ints run(const Program& program, Ints v) {
  for (const Step& step : program) {
    if (step.kind == Step::Kind::function) {
      v = step.function->plain(v);
    } else if (step.kind == Step::Kind::choice) {
      v = run(plain::size(v) % step.number == 0 ? step.first : step.second, v);
    } else {
      Ints joined;
      size_t at = 0;
      const auto piece = [&](size_t count) {
        const auto begin = v.begin() + static_cast<long>(at);
        const Ints result = run(step.first, Ints(begin, begin + static_cast<long>(count)));
        joined.insert(joined.end(), result.begin(), result.end());
        at += count;
      };
      const auto size = static_cast<size_t>(step.number);
      for (size_t i = 0; i < v.size() / size; ++i) piece(size);
      piece(v.size() % size);
      v = joined;
    }
    v.resize(std::min<size_t>(v.size(), longest));
  }
  return v;
}

TEST(RandomPrograms, AreWhatLoopsCompute) {
  const int64_t first = number_from_environment("TUTTI_TEST_SEED", 1),
                count = number_from_environment("TUTTI_TEST_PROGRAMS", 150);
  for (int64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("TUTTI_TEST_SEED=" + std::to_string(seed));
    Generator generator(static_cast<uint64_t>(seed));
    const Program program = generator.program(2);
    const std::vector<Ints> rows = generator.rows();
    const std::vector<Ints> got = each(Seq<Seq<int>>(rows), [&](Seq<int> row) {
                                    return run(program, row);
                                  }).to_nested_vector();
    ASSERT_EQ(got.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ(got[i], run(program, rows[i])) << "row " << i;
  }
}

}  // namespace
}  // namespace tutti::test
