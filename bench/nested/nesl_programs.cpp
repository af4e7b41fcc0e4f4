// The programs of the NESL/GPU paper in NESL, at its sizes and in its precision, against the same
// algorithms in C++ with Seq: what the language costs. Lines are those of the programs, without
// blank ones and comments.
#include "bench/nested/nesl_texts.hpp"
#include "bench/nested/nested.hpp"
#include "nesl/eval/precision.hpp"
#include "nesl/session/session.hpp"
#include "programs/barnes_hut.hpp"
#include "programs/quickhull.hpp"
#include "programs/quicksort.hpp"
#include "support/sample_numbers.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using nesl::StoredValue;
namespace mono = nesl::mono;

// A session that has read a program and holds its inputs; each run is one form.
class Program {
 public:
  explicit Program(const char* text) {
    nesl::set_precision(nesl::Precision::single);
    session_ = std::make_shared<nesl::Session>(ignore);
    run(text);
  }
  // Gives an input a name; from a node, so that nothing is copied.
  template <class T>
  void input(const std::string& name, const std::vector<T>& numbers) {
    const Array<1, T> array(numbers, static_cast<int>(numbers.size()));
    const nesl::Mono element = std::is_same_v<T, int> ? mono::integer() : mono::floating();
    session_->define(name, StoredValue(mono::sequence(element), nested::from_node(array.node())));
  }
  void run(const std::string& text) const {
    if (!session_->run(std::make_shared<nesl::Source>(nesl::Source{"benchmark", text}), false))
      throw Error("the NESL program of a benchmark failed");
  }
  std::vector<float> numbers(const std::string& name) const {
    const nesl::Value value = session_->environment().find(name)->value->plain();
    std::vector<float> result;
    for (const nesl::Value& number : value.elements())
      result.push_back(static_cast<float>(number.floating()));
    return result;
  }

 private:
  static void ignore(const std::string&) {}
  std::shared_ptr<nesl::Session> session_;
};

// The program leaves a sequence of floats in `result`.
Workload compare_program(const Program& program, const char* form,
                         std::function<std::vector<float>()> baseline) {
  const auto right = std::make_shared<std::vector<float>>();
  return {
      .tutti = [=] { program.run(form); },
      .baseline = [=] { *right = baseline(); },
      .disagreement =
          [=] {
            program.run(form);
            const std::vector<float> got = program.numbers("result");
            return disagreement(std::span<const float>(*right), std::span<const float>(got));
          },
  };
}

Workload prepare_dot_product(int count) {
  SampleNumbers random(1);
  const std::vector<float> a = random.floats(count, 0, 1), b = random.floats(count, 0, 1);
  Program program(nesl_texts::dot_product);
  program.input("a", a);
  program.input("b", b);
  const Seq<float> left = a, right = b;
  return compare_program(program, "result = [dotp(a, b)];",
                         [=] { return std::vector<float>{sum(left * right).item()}; });
}

Workload prepare_quicksort(int count) {
  const std::vector<int> numbers = SampleNumbers(2).ints(count, 1 << 30);
  Program program(nesl_texts::quicksort);
  program.input("numbers", numbers);
  const Seq<int> sequence = numbers;
  return compare_program(program, "result = {float(x) : x in quicksort(numbers)};",
                         [=] { return cast<float>(programs::quicksort(sequence)).to_vector(); });
}

// The normal distribution by a polynomial, as in the NESL program: the language has no erfc.
Scalar<float> cumulative_normal(const Scalar<float>& d) {
  const Scalar<float> x = abs(d), k = 1.0f / (1.0f + 0.2316419f * x);
  const Scalar<float> poly =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const Scalar<float> upper = 0.39894228f * exp(-0.5f * x * x) * poly;
  return select(d > 0.0f, 1.0f - upper, upper);
}
Scalar<float> call_price(const Scalar<float>& s, const Scalar<float>& x, const Scalar<float>& t) {
  constexpr float rate = 0.02f, volatility = 0.3f;
  const Scalar<float> spread = volatility * sqrt(t);
  const Scalar<float> d = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
  return s * cumulative_normal(d) - x * exp(-rate * t) * cumulative_normal(d - spread);
}

Workload prepare_black_scholes(int count) {
  SampleNumbers random(3);
  const std::vector<float> price = random.floats(count, 5, 30),
                           strike = random.floats(count, 1, 100),
                           years = random.floats(count, 0.25f, 10);
  Program program(nesl_texts::black_scholes);
  program.input("price", price);
  program.input("strike", strike);
  program.input("years", years);
  const Seq<float> p = price, s = strike, y = years;
  return compare_program(program, "result = black_scholes(price, strike, years);",
                         [=] { return each(p, s, y, call_price).to_vector(); });
}

Workload prepare_quickhull(int count) {
  SampleNumbers random(4);
  std::vector<float> xs, ys;
  while (static_cast<int>(xs.size()) < count) {
    const float x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    if (x * x + y * y > 1) continue;
    xs.push_back(x);
    ys.push_back(y);
  }
  Program program(nesl_texts::quickhull);
  program.input("xs", xs);
  program.input("ys", ys);
  program.run("points = zip(xs, ys);");
  const programs::Points points = zip(Seq<float>(xs), Seq<float>(ys));
  return compare_program(program, "result = {x : (x, y) in quickhull(points)};",
                         [=] { return unzip<0>(programs::quickhull(points)).to_vector(); });
}

Workload prepare_barnes_hut(int count) {
  const int levels = static_cast<int>(std::log2(count) / 2) - 1;  // a few bodies in each cell
  SampleNumbers random(9);
  std::vector<float> xs, ys, masses;
  for (int i = 0; i < count; ++i) {
    xs.push_back(random.uniform());
    ys.push_back(random.uniform());
    masses.push_back(0.5f + random.uniform());
  }
  Program program(nesl_texts::barnes_hut);
  program.input("xs", xs);
  program.input("ys", ys);
  program.input("masses", masses);
  program.run("bodies = zip3(xs, ys, masses); levels = " + std::to_string(levels) + ";");
  const programs::Bodies bodies = zip(Seq<float>(xs), Seq<float>(ys), Seq<float>(masses));
  return compare_program(program, "result = {x : (x, y) in barnes_hut(bodies, levels, 0.5)};", [=] {
    return unzip<0>(programs::barnes_hut(bodies, levels, 0.5f).forces).to_vector();
  });
}

Workload prepare_sparse_product(int rows) {
  SampleNumbers random(5);
  std::vector<int> counts(static_cast<size_t>(rows), 16), columns;
  for (int i = 0; i < 16 * rows; ++i) columns.push_back(random.below(rows));
  const std::vector<float> values = random.floats(16 * rows, 0, 1), v = random.floats(rows, 0, 1);
  Program program("function smxv(sm, v) = {sum({x * v[i] : (x, i) in row}) : row in sm};");
  program.input("counts", counts);
  program.input("columns", columns);
  program.input("values", values);
  program.input("v", v);
  program.run("m = partition(zip(values, columns), counts);");
  const Seq<Seq<int>> column = partition(Seq<int>(columns), Seq<int>(counts));
  const Seq<Seq<float>> value = partition(Seq<float>(values), Seq<int>(counts));
  const Seq<float> vector = v;
  return compare_program(program, "result = smxv(m, v);", [=] {
    return each(column, value, [&](Seq<int> c, Seq<float> x) { return sum(x * vector[c]); })
        .to_vector();
  });
}

}  // namespace

Comparison nesl_dot_product_benchmark() {
  return {.name = "nesl_dot_product",
          .description = "inner product in NESL, 1 line; baseline: the same with Seq, 1 line",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_dot_product),
                    counted_size("10^7", false, 10'000'000, prepare_dot_product)}};
}
Comparison nesl_quicksort_benchmark() {
  return {.name = "nesl_quicksort",
          .description = "of ints in NESL, 9 lines; baseline: the same with Seq, 13 lines",
          .sizes = {counted_size("10^5", true, 100'000, prepare_quicksort),
                    counted_size("10^6", false, 1'000'000, prepare_quicksort)}};
}
Comparison nesl_black_scholes_benchmark() {
  return {.name = "nesl_black_scholes",
          .description = "call options in NESL, 13 lines; baseline: the same with Seq, 17 lines",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_black_scholes),
                    counted_size("10^7", false, 10'000'000, prepare_black_scholes)}};
}
Comparison nesl_quickhull_benchmark() {
  return {.name = "nesl_quickhull",
          .description = "convex hull in NESL, 12 lines; baseline: the same with Seq, 25 lines",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_quickhull),
                    counted_size("5*10^6", false, 5'000'000, prepare_quickhull)}};
}
Comparison nesl_barnes_hut_benchmark() {
  return {.name = "nesl_barnes_hut",
          .description =
              "forces between bodies in NESL, 55 lines; baseline: with Seq and a captured loop, 87 "
              "lines",
          .sizes = {counted_size("10^4", true, 10'000, prepare_barnes_hut),
                    counted_size("75000", false, 75'000, prepare_barnes_hut)},
          .tolerance = 1e-2,
          .reason = "sums in another order; a cell at the limit may count as near on one side"};
}
Comparison nesl_sparse_product_benchmark() {
  return {.name = "nesl_sparse",
          .description = "sparse matrix times vector in NESL, 1 line; baseline: the same with Seq",
          .sizes = {counted_size("10^5", true, 100'000, prepare_sparse_product),
                    counted_size("10^6", false, 1'000'000, prepare_sparse_product)}};
}

}  // namespace tutti::bench
