// Random bodies, recorded and run several times, against running them statement by statement, to
// the bit. They compute with float, double, half and int32, on vectors that are shared, assigned to
// and replaced between runs, and on foreign memory. TUTTI_TEST_RECORDED and TUTTI_TEST_SEED ask for
// more bodies and other ones.
#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/random_values.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

constexpr size_t vectors = 4, scalars = 2;

template <class T>
Vec<T> random_vector(Random& random, int64_t n) {
  return Vec<T>(Array<1, T>(random.array(element_type<T>, Shape<1>(n).extents())));
}

// The variables of a body. Of the first, the memory may belong to others and begin anywhere.
template <class T>
struct State {
  State(int64_t n, uint64_t seed, bool foreign) : memory(n + 5) {
    Random random(seed);
    for (size_t i = 0; i < vectors; ++i) v.push_back(random_vector<T>(random, n));
    for (size_t i = 0; i < scalars; ++i)
      s.push_back(Number<T>(detail::number<T>(random.value(element_type<T>))));
    if (!foreign) return;
    const Vec<T> elements = v[0];
    Vec<T> wrapped = Vec<T>::wrap(memory.data() + 3, n);
    wrapped = elements;
    v[0] = std::move(wrapped);
  }
  Vec<T> memory;
  std::vector<Vec<T>> v;
  std::vector<Number<T>> s;
};

// A few statements, the same each time that it runs.
template <class T>
class RandomBody {
 public:
  explicit RandomBody(Random& random) {
    for (int count = 1 + random.pick(6); count > 0; --count)
      statements_.push_back({random.pick(12), index(random, vectors), index(random, vectors),
                             index(random, vectors), index(random, scalars), random.between(-3, 3),
                             detail::number<T>(random.value(element_type<T>))});
  }

  void run(State<T>& state) const {
    for (const Statement& x : statements_) run(x, state);
  }

  // The kinds of the statements and what they name, for failures.
  std::string text() const {
    std::string result;
    for (const Statement& x : statements_)
      result += "(" + std::to_string(x.kind) + ": v" + std::to_string(x.to) + " v" +
                std::to_string(x.a) + " v" + std::to_string(x.b) + " s" + std::to_string(x.scalar) +
                " by " + std::to_string(x.by) + " " + text_of(scalar_value(x.number)) + ")";
    return result;
  }

 private:
  struct Statement {
    int kind;
    size_t to, a, b, scalar;
    int64_t by;
    T number;
  };

  static size_t index(Random& random, size_t n) { return static_cast<size_t>(random.pick(n)); }

  static void run(const Statement& x, State<T>& state) {
    std::vector<Vec<T>>& v = state.v;
    Number<T>& s = state.s[x.scalar];
    switch (x.kind) {
      case 0:
        v[x.to] = v[x.a] * x.number + v[x.b];
        return;
      case 1:
        v[x.to] += s * v[x.a];
        return;
      case 2:
        v[x.to] = shift(v[x.a], x.by, Boundary::wrap()) - x.number * v[x.b];
        return;
      case 3:
        v[x.to] = shift(v[x.to], x.by) / T(2) + shift(v[x.to], -x.by) / T(4);
        return;
      case 4:
        s = cast<T>(dot(v[x.a], v[x.b])) / (cast<T>(norm1(v[x.a])) + T(1));
        return;
      case 5:
        s = max(abs(s), max_val(v[x.to]));
        return;
      case 6:
        v[x.to] = v[x.a];
        return;
      case 7:
        v[x.to] = v[x.a] / (norm_inf(v[x.a]) + s * s + T(1));
        return;
      case 8:
        v[x.to] = x.number;
        return;
      case 9:
        v[x.to] = shift(min(v[x.a], v[x.b]), 1000 * x.by, Boundary::constant(x.number));
        return;
      case 10:
        s = Number<T>(x.number);
        return;
      default:
        v[x.to] = cond(v[x.a] < v[x.b], v[x.a], s);
        return;
    }
  }

  std::vector<Statement> statements_;
};

// What a program may do between runs: share, keep, replace, assign.
template <class T>
void disturb(Random& random, State<T>& state, std::vector<Vec<T>>& kept) {
  const auto a = static_cast<size_t>(random.pick(vectors)),
             b = static_cast<size_t>(random.pick(vectors));
  switch (random.pick(7)) {
    case 0:
      state.v[a] = state.v[b];
      return;
    case 1:
      state.v[a] = state.v[b] + T(1);
      return;
    case 2:
      kept.push_back(state.v[a]);
      return;
    case 3:
      kept.clear();
      return;
    case 4:
      state.v[a] = random_vector<T>(random, state.v[a].size());
      return;
    case 5:
      state.s[0] = Number<T>(detail::number<T>(random.value(element_type<T>)));
      return;
    default:
      return;
  }
}

template <class T>
testing::AssertionResult same_state(const State<T>& want, const State<T>& got) {
  for (size_t i = 0; i < vectors; ++i)
    if (const auto outcome = same(read(want.v[i].array()), read(got.v[i].array())); !outcome)
      return testing::AssertionFailure() << "vector " << i << ": " << outcome.message();
  for (size_t i = 0; i < scalars; ++i)
    if (const auto outcome = same(read(want.s[i].array()), read(got.s[i].array())); !outcome)
      return testing::AssertionFailure() << "number " << i << ": " << outcome.message();
  return testing::AssertionSuccess();
}

template <class T>
testing::AssertionResult same_kept(const std::vector<Vec<T>>& want,
                                   const std::vector<Vec<T>>& got) {
  for (size_t i = 0; i < want.size(); ++i)
    if (const auto outcome = same(read(want[i].array()), read(got[i].array())); !outcome)
      return testing::AssertionFailure() << "kept vector " << i << ": " << outcome.message();
  return testing::AssertionSuccess();
}

template <class T>
testing::AssertionResult run_recorded(const RandomBody<T>& body, int64_t n, uint64_t seed,
                                      bool wrapped) {
  State<T> plain(n, seed, wrapped), recorded(n, seed, wrapped);
  const auto step = record([&] { body.run(recorded); }, recorded.v[0], recorded.v[1], recorded.v[2],
                           recorded.v[3], recorded.s[0], recorded.s[1]);
  Random random(seed), again(seed);
  std::vector<Vec<T>> kept_plain, kept_recorded;
  for (int round = 0; round < 5; ++round) {
    body.run(plain);
    step();
    testing::AssertionResult outcome = testing::AssertionSuccess();
    // Reading the elements is an event of its own: it is left out every other time.
    if (round % 2 == 0) outcome = same_state(plain, recorded);
    disturb(random, plain, kept_plain);
    disturb(again, recorded, kept_recorded);
    if (outcome && round % 2 != 0) outcome = same_state(plain, recorded);
    if (outcome) outcome = same_kept(kept_plain, kept_recorded);
    if (!outcome)
      return testing::AssertionFailure()
             << name(element_type<T>) << ", " << n << " elements" << (wrapped ? ", wrapped" : "")
             << ", round " << round << ", " << body.text() << ": " << outcome.message();
  }
  return testing::AssertionSuccess();
}

// One body, recorded for vectors of two lengths.
template <class T>
testing::AssertionResult compare_body(uint64_t seed) {
  Random random(seed);
  const RandomBody<T> body(random);
  for (int i = 0; i < 2; ++i) {
    const int64_t n = random.one_of<int64_t>({1, 2, 5, 17, 1000, 1000, 9000, 20'000});
    if (const auto outcome = run_recorded<T>(body, n, seed, random.chance(20)); !outcome)
      return outcome;
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult compare(uint64_t seed) {
  const int threads[] = {1, 2, 5};
  const WithSettings several([&](Settings& s) { s.threads = threads[seed % 3]; });
  switch (seed % 5) {
    case 0:
      return compare_body<double>(seed);
    case 1:
      return compare_body<half>(seed);
    case 2:
      return compare_body<int32_t>(seed);
    default:
      return compare_body<float>(seed);
  }
}

TEST(RandomBodies, RecordedAreAsStatementByStatement) {
  compare_seeds({"TUTTI_TEST_RECORDED", 60, "recorded bodies"}, compare);
}

TEST(RecordedBodies, Interpreted) {
  const ScopedDevice cpu("cpu");  // the interpreter reads memory of the host, wrapped memory too
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  for (uint64_t seed = 1; seed < 11; ++seed) EXPECT_TRUE(compare(seed)) << "seed " << seed;
}

}  // namespace
}  // namespace tutti::test
