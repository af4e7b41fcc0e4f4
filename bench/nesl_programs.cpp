// Programs in NESL against the same algorithms in C++ with Seq, in double precision: what the
// language costs. Lines are those of the program, without blank ones.
#include "bench/nested.hpp"
#include "nesl/session.hpp"
#include "programs/quicksort.hpp"
#include "support/random.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using nesl::StoredValue;
namespace mono = nesl::mono;

// A session that has read a program and holds its inputs; each run is one form.
class Program {
 public:
  explicit Program(const char* text) : session_(std::make_shared<nesl::Session>(ignore)) {
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
  std::vector<double> numbers(const std::string& name) const {
    const nesl::Value value = session_->environment().find(name)->value->plain();
    std::vector<double> result;
    for (const nesl::Value& number : value.elements()) result.push_back(number.floating());
    return result;
  }

 private:
  static void ignore(const std::string&) {}
  std::shared_ptr<nesl::Session> session_;
};

// The program leaves a sequence of floats in `result`.
Workload compare_program(const Program& program, const char* form,
                         std::function<std::vector<double>()> baseline) {
  const auto right = std::make_shared<std::vector<double>>();
  return {
      .tutti = [=] { program.run(form); },
      .baseline = [=] { *right = baseline(); },
      .disagreement =
          [=] {
            program.run(form);
            const std::vector<double> got = program.numbers("result");
            return disagreement(std::span<const double>(*right), std::span<const double>(got));
          },
  };
}

std::vector<double> doubles(Random& random, int count, float low, float high) {
  const std::vector<float> numbers = random.floats(count, low, high);
  return {numbers.begin(), numbers.end()};
}

Workload prepare_dot_product(int count) {
  Random random(1);
  const std::vector<double> a = doubles(random, count, 0, 1), b = doubles(random, count, 0, 1);
  Program program("function dotp(xs, ys) = sum({x * y : x in xs; y in ys});");
  program.input("a", a);
  program.input("b", b);
  const Seq<double> left = a, right = b;
  return compare_program(program, "result = [dotp(a, b)];",
                         [=] { return std::vector<double>{sum(left * right).item()}; });
}

Workload prepare_quicksort(int count) {
  const std::vector<int> numbers = Random(2).ints(count, 1 << 30);
  Program program(
      "function quicksort(a) =\n"
      "  if #a < 2 then a\n"
      "  else let\n"
      "    pivot = a[#a / 2];\n"
      "    lesser = {e in a | e < pivot};\n"
      "    equal = {e in a | e == pivot};\n"
      "    greater = {e in a | e > pivot};\n"
      "    result = {quicksort(v) : v in [lesser, greater]}\n"
      "  in result[0] ++ equal ++ result[1];");
  program.input("numbers", numbers);
  const Seq<int> sequence = numbers;
  return compare_program(program, "result = {float(x) : x in quicksort(numbers)};", [=] {
    const std::vector<int> sorted = programs::quicksort(sequence).to_vector();
    return std::vector<double>(sorted.begin(), sorted.end());
  });
}

Workload prepare_sparse_product(int rows) {
  Random random(5);
  std::vector<int> counts(static_cast<size_t>(rows), 16), columns;
  for (int i = 0; i < 16 * rows; ++i) columns.push_back(random.below(rows));
  const std::vector<double> values = doubles(random, 16 * rows, 0, 1),
                            v = doubles(random, rows, 0, 1);
  Program program("function smxv(sm, v) = {sum({x * v[i] : (x, i) in row}) : row in sm};");
  program.input("counts", counts);
  program.input("columns", columns);
  program.input("values", values);
  program.input("v", v);
  program.run("m = partition(zip(values, columns), counts);");
  const Seq<Seq<int>> column = partition(Seq<int>(columns), Seq<int>(counts));
  const Seq<Seq<double>> value = partition(Seq<double>(values), Seq<int>(counts));
  const Seq<double> vector = v;
  return compare_program(program, "result = smxv(m, v);", [=] {
    return each(column, value, [&](Seq<int> c, Seq<double> x) { return sum(x * vector[c]); })
        .to_vector();
  });
}

}  // namespace

Comparison nesl_dot_product_benchmark() {
  return {.name = "nesl_dot_product",
          .description = "inner product in NESL, 1 line; baseline: the same with Seq",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_dot_product),
                    counted_size("10^7", false, 10'000'000, prepare_dot_product)}};
}
Comparison nesl_quicksort_benchmark() {
  return {.name = "nesl_quicksort",
          .description = "of ints in NESL, 9 lines; baseline: the same with Seq, 13 lines",
          .sizes = {counted_size("10^5", true, 100'000, prepare_quicksort),
                    counted_size("10^6", false, 1'000'000, prepare_quicksort)}};
}
Comparison nesl_sparse_product_benchmark() {
  return {.name = "nesl_sparse",
          .description = "sparse matrix times vector in NESL, 1 line; baseline: the same with Seq",
          .sizes = {counted_size("10^5", true, 100'000, prepare_sparse_product),
                    counted_size("10^6", false, 1'000'000, prepare_sparse_product)}};
}

}  // namespace tutti::bench
