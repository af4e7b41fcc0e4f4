// Faults planted in random graphs and programs are blamed on the right operation, element and
// line, on every device; and random graphs without planted ones never confuse the search.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <random>
#include <string>
#include <vector>

#include "engine/evaluate.hpp"
#include "support/random_graph.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

// A random chain of operations that keep numbers from 1 to 2 there, and the fault in its middle.
class PlantedFault {
 public:
  explicit PlantedFault(uint64_t seed) : random_(seed) {}

  testing::AssertionResult run() {
    const int kind = pick(7);
    shape_ = Shape<2>(1 + pick(40), 1 + pick(90));
    at_ = Shape<2>(pick(static_cast<int>(shape_[0])), pick(static_cast<int>(shape_[1])));
    std::string text = "nothing";
    const ScopedChecks on("all");
    try {
      plant(kind);
    } catch (const CheckError& error) {
      text = error.what();
    }
    const std::string expected = "made by " + operation_ + " for element [" +
                                 std::to_string(at_[0]) + "][" + std::to_string(at_[1]) + "] (";
    const std::string line = "blame_test.cpp:" + std::to_string(line_) + ")";
    const size_t found = text.find(expected);
    if (found != text.npos && text.find(line, found) < text.find('\n', found))
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << expected << "... " << line << " expected, but\n" << text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  // 1 at the element of the fault, 0 elsewhere; an array in memory.
  template <class T>
  Array<2, T> marked() {
    std::vector<T> flags(static_cast<size_t>(shape_[0] * shape_[1]), T{0});
    flags[static_cast<size_t>(at_[0] * shape_[1] + at_[1])] = T{1};
    return Array<2, T>(flags, shape_);
  }
  Array<2, float> numbers() {
    std::vector<float> data(static_cast<size_t>(shape_[0] * shape_[1]));
    for (float& x : data) x = 1.0f + static_cast<float>(pick(1000)) / 1000.0f;
    return Array<2, float>(data, shape_);
  }

  Array<2, float> grown(Array<2, float> x) {
    for (int i = pick(4); i > 0; --i) {
      const Array<2, float> other = numbers();
      switch (pick(6)) {
        case 0:
          x = x * 0.5f + 0.75f;
          break;
        case 1:
          x = sqrt(x);
          break;
        case 2:
          x = (x + other) * 0.5f;
          break;
        case 3:
          x = cond(other > 1.5f, x, x * 0.25f + 0.75f);
          break;
        case 4:
          x = max(x, other);
          break;
        default:
          x = exp(log(x));
      }
    }
    return x;
  }

  // What follows the fault: operations that keep it, and perhaps move or reduce it.
  void read(const Array<2, float>& x) {
    Array<2, float> y = grown(x);
    switch (pick(4)) {
      case 0:
        sum(y).item();
        break;
      case 1:
        transpose(y).evaluate();
        break;
      case 2:
        rotate(y, {pick(5), pick(5)}).evaluate();
        break;
      default:
        y.evaluate();
    }
  }
  void read(const Array<2, int>& x) {
    if (pick(2) == 0)
      any(x == 7).item();
    else
      (x / 2 + 1).evaluate();
  }

  void plant(int kind) {
    const Array<2, float> x = grown(numbers());
    const Array<2, int> n = cast<int>(x);
    switch (kind) {
      case 0:
        operation_ = "log";
        line_ = __LINE__ + 1;
        return read(log(x - 10.0f * marked<float>()));
      case 1:
        operation_ = "reciprocal";
        line_ = __LINE__ + 1;
        return read(reciprocal(x * (1.0f - marked<float>())));
      case 2:
        operation_ = "cast";
        line_ = __LINE__ + 1;
        return read(cast<int>(x + 1e10f * marked<float>()));
      case 3:
        operation_ = "abs";
        line_ = __LINE__ + 1;
        return read(abs(n * 0 + marked<int>() * std::numeric_limits<int>::min()));
      case 4:
        return plant_index(x);
      case 5:
        return plant_in_loop(n);
      default:
        return plant_in_table(n);
    }
  }

  void plant_index(const Array<2, float>& x) {
    operation_ = "gather";
    const std::vector<float> table(50, 1.5f);
    line_ = __LINE__ + 2;
    const Array<2, int> index = cast<int>(x * 10.0f) + marked<int>() * (pick(2) ? 1000 : -1000);
    read(gather(Array<1, float>(table), index));
  }

  void plant_in_loop(const Array<2, int>& n) {
    operation_ = "multiply";
    line_ = __LINE__ + 1;
    Program powers = TUTTI_BEGIN {
      In<Value1i> count;
      Out<Value1i> result = 1;
      TUTTI_FOR(Value1i k = 0, k < count, k += 1) { result *= 7; }
      TUTTI_ENDFOR;
    }
    TUTTI_END;
    read(Array<2, int>(powers(n + marked<int>() * 30)));
  }

  void plant_in_table(const Array<2, int>& n) {
    operation_ = "gather";
    const Array<1, float> table(std::vector<float>(20, 1.25f));
    line_ = __LINE__ + 1;
    Program walk = TUTTI_BEGIN {
      In<Value1i> count;
      Out<Value1f> total = 0.0f;
      TUTTI_FOR(Value1i k = 0, k < count, k += 1) { total += table[k]; }
      TUTTI_ENDFOR;
    }
    TUTTI_END;
    read(Array<2, float>(walk(n + marked<int>() * 30)));
  }

  std::mt19937_64 random_;
  Shape<2> shape_, at_;
  std::string operation_;
  int line_ = 0;
};

TEST(PlantedFaults, AreBlamedOnOperationElementAndLine) {
  compare_seeds({"TUTTI_TEST_FAULTS", 70, "planted faults"},
                [](uint64_t seed) { return PlantedFault(seed).run(); });
}

// Kernels and the interpreter agree where faults are: an InternalError would say that they do not.
TEST(PlantedFaults, RandomGraphsCanBeChecked) {
  compare_seeds({"TUTTI_TEST_CHECKED", 60, "graphs under checks"}, [](uint64_t seed) {
    const ScopedChecks on("all");
    try {
      engine::evaluate(RandomGraph(seed).build());
    } catch (const CheckError&) {
    } catch (const std::exception& error) {
      return testing::AssertionFailure() << error.what();
    }
    return testing::AssertionSuccess();
  });
}

}  // namespace
}  // namespace tutti::test
