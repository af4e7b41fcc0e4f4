// Random programs with nested control flow, compiled, against the reference interpreter, to the
// bit. TUTTI_TEST_PROGRAMS and TUTTI_TEST_SEED ask for more programs and other ones.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cstdio>
#include <random>

#include "support/compare.hpp"
#include "support/environment.hpp"

namespace tutti::test {
namespace {

const std::source_location here = std::source_location::current();

// Writes a program of random statements over a few variables of each type. Every loop counts its
// iterations and ends.
class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {}

  Program capture() {
    return detail::capture_program(here, [&] {
      In<Value1f> a, b;
      In<Value1i> n;
      Out<Value1f> x;
      Out<Value1i> i;
      std::vector<Value1f> floats{a, b, Value1f(1.5f), gain_};
      std::vector<Value1i> ints{n, Value1i(3), Value1i(0)};
      floats_ = &floats;
      ints_ = &ints;
      Value3f tuple(a, 0.5f, b);
      tuple_ = &tuple;
      LocalArray<float> memory(5);
      memory_ = &memory;
      statements(0, 3 + pick(5));
      x = floats[0] + floats[2] + sum(tuple);
      i = ints[0] ^ ints[1];
    });
  }

  // Modes are those of the run: whatever they were in the capture.
  void change_modes() {
    const Boundary rules[] = {Boundary::wrap(), Boundary::clamp(), Boundary::constant(-1.5f)};
    table_.boundary(rules[pick(3)]);
    table_.interpolation(chance(50) ? Interpolation::linear : Interpolation::nearest);
  }

 private:
  int pick(size_t n) { return static_cast<int>(random_() % n); }
  bool chance(int percent) { return pick(100) < percent; }
  Value1f& some_float() { return (*floats_)[static_cast<size_t>(pick(floats_->size()))]; }
  Value1i& some_int() { return (*ints_)[static_cast<size_t>(pick(ints_->size()))]; }
  // The variables that statements assign to: the last float is a variable from outside.
  Value1f& target() { return (*floats_)[static_cast<size_t>(pick(3))]; }

  Value1f expression() {
    switch (pick(14)) {
      case 0:
        return some_float() + some_float();
      case 1:
        return some_float() * 0.75f;
      case 2:
        return some_float() - some_float() * gain_;
      case 3:
        return abs(some_float()) / (1.0f + abs(some_float()));
      case 4:
        return sqrt(abs(some_float()));
      case 5:
        return sin(some_float());
      case 6:
        return Value1f(some_int());
      case 7:
        return table_[some_int()];
      case 8:
        return (*memory_)[some_int() & 7];
      case 9:
        return cond(condition(), some_float(), some_float());
      case 10:
        return table_(some_float() * 0.3f);
      case 11:
        return halved_(some_float(), some_float());
      case 12:
        return (*tuple_)(pick(3));
      default:
        return min(some_float(), Value1f(2.5f));
    }
  }
  Value1i integer() {
    switch (pick(6)) {
      case 0:
        return some_int() + 1;
      case 1:
        return some_int() * 5 - some_int();
      case 2:
        return some_int() & 15;
      case 3:
        return some_int() / 3;
      case 4:
        return cast<Value1i>(some_float());
      default:
        return some_int() % 7;
    }
  }
  Value1bool condition() {
    switch (pick(6)) {
      case 0:
        return some_float() > some_float();
      case 1:
        return some_int() < 4;
      case 2:
        return (some_int() & 1) == 0;
      case 3:
        return gain_ > 1.0f;  // the same for all elements
      case 4:
        return some_float() < 0.5f && some_int() != 2;
      default:
        return !(some_float() >= 0.25f);
    }
  }

  void statements(int depth, int count) {
    for (int k = 0; k < count; ++k) statement(depth);
  }

  void statement(int depth) {
    const int kind = pick(depth < 3 ? 14 : 7) - 1;
    if (kind < 0) {
      write_mask();
    } else if (kind < 3) {
      target() = expression();
    } else if (kind < 5) {
      some_int() = integer();
    } else if (kind < 6) {
      memory_->set(some_int() & 7, some_float());
    } else if (kind < 9) {
      branch(depth);
    } else {
      loop(depth);
    }
  }

  void write_mask() {
    const int first = pick(3), second = (first + 1 + pick(2)) % 3;
    if (chance(50))
      (*tuple_)(first, second) = Value2f(expression(), some_float());
    else
      (*tuple_)(second, first)(pick(2)) += expression();
  }

  void branch(int depth) {
    TUTTI_IF(condition()) {
      statements(depth + 1, 1 + pick(3));
      jump();
    }
    if (chance(30)) {
      TUTTI_ELSEIF(condition()) { statements(depth + 1, 1 + pick(2)); }
    }
    if (chance(50)) {
      TUTTI_ELSE { statements(depth + 1, 1 + pick(3)); }
    }
    TUTTI_ENDIF;
  }

  void jump() {
    if (loops_ == 0 || !chance(30)) return;
    if (chance(50))
      TUTTI_BREAK;
    else
      TUTTI_CONTINUE;
  }

  void loop(int depth) {
    const int limit = 1 + pick(6);
    ++loops_;
    switch (pick(4)) {
      case 0:  // as often for all elements
        TUTTI_FOR(Value1i k = 0, k < limit, k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 1:
        TUTTI_FOR(Value1i k = 0, k < limit && condition(), k += 1) { body(depth); }
        TUTTI_ENDFOR;
        break;
      case 2: {
        Value1i rest = (some_int() & 7) + 1;
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
    statements(depth + 1, 1 + pick(3));
    if (chance(20)) {
      TUTTI_IF(condition()) { jump(); }
      TUTTI_ENDIF;
      statements(depth + 1, 1);
    }
  }

  std::mt19937_64 random_;
  Value1f gain_ = 1.25f;
  Array<1, float> table_ =
      Array<1, float>(std::vector<float>{0.5f, -1, 2, 3.5f, -4, 0.25f}).boundary(Boundary::wrap());
  const Program halved_ = program([](Value1f x, Value1f limit) {
    Value1f y = abs(x);
    TUTTI_WHILE(y > 1.0f + abs(limit)) { y *= 0.5f; }
    TUTTI_ENDWHILE;
    return y;
  });
  Value3f* tuple_ = nullptr;
  std::vector<Value1f>* floats_ = nullptr;
  std::vector<Value1i>* ints_ = nullptr;
  LocalArray<float>* memory_ = nullptr;
  int loops_ = 0;
};

struct Inputs {
  Array<1, float> a, b;
  Array<1, int> n;
};

Inputs inputs(uint64_t seed, int64_t size) {
  std::mt19937_64 random(seed * 77 + 5);
  std::uniform_real_distribution<float> number(-4, 4);
  std::vector<float> a, b;
  std::vector<int> n;
  for (int64_t i = 0; i < size; ++i) {
    a.push_back(number(random));
    b.push_back(number(random));
    n.push_back(static_cast<int>(random() % 12) - 3);
  }
  return {Array<1, float>(a), Array<1, float>(b), Array<1, int>(n)};
}

std::vector<Elements> results(const Program& p, const Inputs& in, bool interpret, int threads) {
  const WithSettings s([&](Settings& s) {
    s.interpret = interpret;
    s.threads = threads;
  });
  Array<1, float> x;
  Array<1, int> i;
  bundle(x, i) = p(in.a, in.b, in.n);
  evaluate(x, i);
  return {read(x), read(i)};
}

TEST(RandomPrograms, CompiledEqualsInterpreted) {
  const int64_t programs = number_from_environment("TUTTI_TEST_PROGRAMS", 150);
  const int64_t first = number_from_environment("TUTTI_TEST_SEED", 1);
  int failures = 0;
  int64_t compared = 0;
  for (int64_t seed = first; seed < first + programs && failures < 5; ++seed) {
    RandomProgram random(static_cast<uint64_t>(seed));
    const Program p = random.capture();
    random.change_modes();
    const int64_t sizes[] = {1, 7, 16, 100, 1037};
    const Inputs in = inputs(static_cast<uint64_t>(seed), sizes[seed % 5]);
    const int threads[] = {1, 2, 5};
    const auto want = results(p, in, true, 1), got = results(p, in, false, threads[seed % 3]);
    for (size_t r = 0; r < want.size(); ++r)
      if (const auto outcome = same(want[r], got[r]); !outcome) {
        ++failures;
        ADD_FAILURE() << "seed " << seed << ", output " << r << ": " << outcome.message();
      }
    ++compared;
  }
  std::printf("%lld random programs compared\n", static_cast<long long>(compared));
}

}  // namespace
}  // namespace tutti::test
