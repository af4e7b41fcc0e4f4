// The code of docs/coming_from and the C++ of the tables there and in docs/python.md, compiled and
// run. Results of tables are compared with those of Python by python/tests/test_documentation.py.
#include <gtest/gtest.h>

#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
using Ints = std::vector<int>;
using Bools = std::vector<bool>;
using Rows = std::vector<Ints>;

// The elements of what a cell of a table computes.
template <class A>
auto elements(const A& a) {
  return a.to_vector();
}

TEST(ComingFromNumpy, MakingArrays) {
  EXPECT_EQ(elements(Array<1, int>(std::vector<int>{3, 1, 2})), (Ints{3, 1, 2}));
  EXPECT_EQ(elements(Array<2, double>(2, 3)), Doubles(6, 0.0));
  EXPECT_EQ(elements(Array<2, double>({2, 3}, 7.0)), Doubles(6, 7.0));
  EXPECT_EQ(elements(arange<int>(0, 5)), (Ints{0, 1, 2, 3, 4}));
  EXPECT_EQ(elements(linspace<double>(0, 1, 5)), (Doubles{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(elements(index<2>({2, 3}, 1)), (Ints{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(elements(eye<double>(3)), (Doubles{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(ComingFromNumpy, ElementByElement) {
  const Array<2, double> x(Doubles{0, 1, 2, 3, 4, 5}, 2, 3);
  EXPECT_EQ(elements(x * 2 + 1), (Doubles{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(elements(cond(x > 2, x, 0)), (Doubles{0, 0, 0, 3, 4, 5}));
  EXPECT_EQ(elements(max(x, 3)), (Doubles{3, 3, 3, 3, 4, 5}));
  EXPECT_EQ(elements(clamp(x, 1, 4)), (Doubles{1, 1, 2, 3, 4, 4}));
  EXPECT_EQ(elements(pow(x, 2)), (Doubles{0, 1, 4, 9, 16, 25}));
  EXPECT_EQ(elements(atan2(x, 2.0))[0], 0.0);
  EXPECT_EQ(elements(hypot(x, 4.0))[3], 5.0);
  EXPECT_EQ(elements(is_nan(x)), Bools(6, false));
  EXPECT_EQ(elements(cast<int>(x)), (Ints{0, 1, 2, 3, 4, 5}));
}

TEST(ComingFromNumpy, ReductionsAndScans) {
  const Array<2, double> x(Doubles{0, 1, 2, 3, 4, 5}, 2, 3);
  const Array<1, int> v(Ints{3, 1, 2, 1});
  EXPECT_EQ(sum(x).item(), 15.0);
  EXPECT_EQ(elements(sum(x, 0)), (Doubles{3, 5, 7}));
  EXPECT_EQ(sum(x, {0, 1}).item(), 15.0);
  EXPECT_EQ(elements(max_val(x, 1)), (Doubles{2, 5}));
  EXPECT_EQ(elements(mean(x, 1)), (Doubles{1, 4}));
  EXPECT_EQ(arg_max(v).first.item(), 0);
  EXPECT_EQ(count(x > 2).item(), 3);
  EXPECT_EQ(elements(any(x > 2, 1)), (Bools{false, true}));
  EXPECT_EQ(elements(sum_scan(v)), (Ints{3, 4, 6, 7}));
  EXPECT_EQ(elements(max_scan(v)), (Ints{3, 3, 3, 3}));
}

TEST(ComingFromNumpy, ShapesAndParts) {
  const Array<2, double> x(Doubles{0, 1, 2, 3, 4, 5}, 2, 3);
  const Array<1, int> v(Ints{3, 1, 2, 1});
  EXPECT_EQ(reshape(x, Shape<2>(3, 2)).extent(0), 3);
  EXPECT_EQ(elements(transpose(x)), (Doubles{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(elements(rotate(x, {0, 1})), (Doubles{2, 0, 1, 5, 3, 4}));
  EXPECT_EQ(elements(x(whole, from(1))), (Doubles{1, 2, 4, 5}));
  EXPECT_EQ(elements(x(every(-1), whole)), (Doubles{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(elements(stride(x, {1, 2})), (Doubles{0, 2, 3, 5}));
  EXPECT_EQ(add_dimension(x, 1).shape(), Shape<3>(2, 1, 3));
  EXPECT_EQ(pad(x, {{1, 1}, {1, 1}}, 0.0).shape(), Shape<2>(4, 5));
  EXPECT_EQ(elements(replicate(x, {4, 6}))[6 * 3 + 5], 5.0);
  EXPECT_EQ(elements(broadcast(v, Shape<2>(2, 4))), (Ints{3, 1, 2, 1, 3, 1, 2, 1}));
  const Array<1, int> i(Ints{2, 0});
  EXPECT_EQ(elements(concat({v, i})), (Ints{3, 1, 2, 1, 2, 0}));
  EXPECT_EQ(elements(stack({i, i})), (Ints{2, 0, 2, 0}));
}

TEST(ComingFromNumpy, IndicesAndMasks) {
  const Ints host{3, 1, 2, 1};
  Array<1, int> v(host), i(Ints{2, 0});
  EXPECT_EQ(elements(v[i]), (Ints{2, 3}));
  EXPECT_EQ(elements(pack(v, Array<1, bool>(v > 1))), (Ints{3, 2}));
  EXPECT_EQ(elements(nonzero(v > 1)), (Ints{0, 2}));
  v[i] = 9;
  EXPECT_EQ(elements(v), (Ints{9, 1, 9, 1}));
  v = Array<1, int>(host);
  slice(v, 1, 3) = 9;
  EXPECT_EQ(elements(v), (Ints{3, 9, 9, 1}));
  v = Array<1, int>(host);
  v = scatter(v, i, Array<1, int>({2}, 5), Collision::sum);
  EXPECT_EQ(elements(v), (Ints{8, 1, 7, 1}));
  v = Array<1, int>(host);
  EXPECT_EQ(elements(histogram(v, 4)), (Ints{0, 2, 1, 1}));
}

TEST(ComingFromNumpy, OrderSetsProducts) {
  const Array<2, double> x(Doubles{0, 1, 2, 3, 4, 5}, 2, 3);
  const Array<1, int> v(Ints{3, 1, 2, 1}), i(Ints{2, 0});
  EXPECT_EQ(elements(sort(v)), (Ints{1, 1, 2, 3}));
  EXPECT_EQ(elements(sort_permutation(v)), (Ints{1, 3, 2, 0}));
  EXPECT_EQ(elements(unique(sort(v))), (Ints{1, 2, 3}));
  EXPECT_EQ(elements(lower_bound(sort(v), i)), (Ints{2, 0}));
  EXPECT_EQ(elements(inner_product(x, transpose(x))), (Doubles{5, 14, 14, 50}));
  EXPECT_EQ(elements(outer_product(v, i)), (Ints{6, 0, 2, 0, 4, 0, 2, 0}));
  EXPECT_EQ(inner_product(v, v).item(), 15);
}

TEST(ComingFromNumpy, ComplexNumbersAndMatrices) {
  const Array<2, double> x(Doubles{0, 1, 2, 3, 4, 5}, 2, 3);
  EXPECT_NEAR(elements(abs(Array<2, std::complex<double>>(x, x)))[1], 1.4142135623730951, 1e-15);
  EXPECT_NEAR(elements(fft(Array<2, std::complex<double>>(x)))[0].real(), 3.0, 1e-15);
  EXPECT_NEAR(elements(rfft(x, 0))[0].real(), 3.0, 1e-15);
  EXPECT_NEAR(determinant(inner_product(x, transpose(x))).item(), 54.0, 1e-12);
  EXPECT_NEAR(elements(svd(x).s)[0], 7.34846922834953, 1e-13);
  EXPECT_NEAR(elements(eigh(inner_product(x, transpose(x))).values)[1], 54.0, 1e-12);
  EXPECT_EQ(elements(einsum<2>("ij,kj->ik", x, x)), (Doubles{5, 14, 14, 50}));
}

TEST(ComingFromCuda, Table) {
  constexpr int n = 4;
  const Floats host{3, 1, 4, 2};
  Array<1, float> v(host), w(Floats{2, 2, 2, 2});
  Array<1, int> keys(Ints{1, 1, 0, 3}), i(Ints{2, 0});
  const Array<1, int> offsets(Ints{0, 1, 4});
  const auto f = [](auto x) { return x * x; };
  const auto g = [](auto x, auto y) { return x + y; };
  EXPECT_EQ(elements(Array<1, float>(n)), Floats(4, 0.0f));
  EXPECT_EQ(elements(Array<1, float>(host)), host);
  EXPECT_EQ(v.to_vector(), host);
  w = 2.5f * v + w;
  EXPECT_EQ(elements(w), (Floats{9.5f, 4.5f, 12, 7}));
  EXPECT_EQ(elements(sqrt(v) + w)[2], 14.0f);
  EXPECT_EQ(elements(map(f, v)), (Floats{9, 1, 16, 4}));
  EXPECT_EQ(elements(zip_with(g, v, w))[0], 12.5f);
  EXPECT_EQ(sum(v).item(), 10.0f);
  EXPECT_EQ(sum(v * v).item(), 30.0f);
  EXPECT_EQ(reduce(g, v).item(), 10.0f);
  EXPECT_EQ(sum(v * w).item(), 28.5f + 4.5f + 48 + 14);
  EXPECT_EQ(arg_max(v).first.item(), 2);
  EXPECT_EQ(count(v > 1.0f).item(), 3);
  EXPECT_EQ(elements(sum_scan(v)), (Floats{3, 4, 8, 10}));
  EXPECT_EQ(elements(sum_scan(v, Scan::exclusive)), (Floats{0, 3, 4, 8}));
  EXPECT_EQ(elements(scan(g, v)), (Floats{3, 4, 8, 10}));
  EXPECT_EQ(elements(sort(v)), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(elements(sort_by(keys, v)), (Floats{4, 3, 1, 2}));
  EXPECT_EQ(elements(pack(v, Array<1, bool>(v > 1.0f))), (Floats{3, 4, 2}));
  EXPECT_EQ(elements(partition(v, Array<1, bool>(v > 1.0f))), (Floats{3, 4, 2, 1}));
  EXPECT_EQ(elements(unique(keys)), (Ints{1, 0, 3}));
  EXPECT_EQ(elements(v[i]), (Floats{4, 3}));
  EXPECT_EQ(elements(scatter(v, i, Array<1, float>({2}, 9.0f))), (Floats{9, 1, 9, 2}));
  EXPECT_EQ(elements(lower_bound(sort(v), w)), (Ints{4, 4, 4, 4}));
  EXPECT_EQ(elements(merge(sort(v), sort(w)))[4], 4.5f);
  EXPECT_EQ(elements(segmented_sum(v, offsets)), (Floats{3, 7}));
  EXPECT_EQ(elements(segmented_reduce(g, v, offsets)), (Floats{3, 7}));
  EXPECT_EQ(elements(segmented_sort(v, offsets)), (Floats{3, 1, 2, 4}));
  EXPECT_EQ(elements(histogram(keys, 4)), (Ints{1, 2, 0, 1}));
  EXPECT_EQ(elements(scatter(v, i, Array<1, float>({2}, 1.0f), Collision::sum)),
            (Floats{4, 1, 5, 2}));
  EXPECT_EQ(elements(index<1>({n}, 0)), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(elements(Array<1, float>({n}, 1.0f)), Floats(4, 1.0f));
  EXPECT_EQ(elements(join(v, w).component(0)), host);
  EXPECT_EQ(elements(shift(v, {1}) + shift(v, {-1})), (Floats{4, 7, 3, 6}));
  synchronize();
  EXPECT_EQ(devices().front().name, "cpu");
  if (devices().size() > 2) {  // two GPUs
    const std::string before = device().name;
    {
      ScopedDevice second("cuda:1");
    }
    use("cuda:1");
    use(before);
  }
}

TEST(ComingFromCuda, Saxpy) {
  const Floats hx{1, 2}, hy{0.5f, -5};
  Array<1, float> x(hx), y(hy);
  y = 2.5f * x + y;
  float norm = sqrt(sum(y * y)).item();
  EXPECT_EQ(norm, 3.0f);
}

TEST(ComingFromCuda, ReductionByKey) {
  Array<1, int> keys(std::vector<int>{2, 0, 2, 1, 0, 2});
  Array<1, float> amounts(std::vector<float>{1, 2, 3, 4, 5, 6});
  Array<1, int> sorted_keys = sort(keys);
  Array<1, float> by_key = sort_by(keys, amounts);
  Array<1, int> offsets = lower_bound(sorted_keys, index<1>({4}, 0));
  Array<1, float> totals = segmented_sum(by_key, offsets);
  Array<1, float> same_totals = scatter(Array<1, float>({3}, 0.0f), keys, amounts, Collision::sum);
  EXPECT_EQ(elements(offsets), (Ints{0, 2, 3, 6}));
  EXPECT_EQ(elements(totals), (Floats{7, 4, 10}));
  EXPECT_EQ(elements(same_totals), elements(totals));
}

TEST(ComingFromCuda, ALoopInEveryThread) {
  Program collatz = program([](Value1i n) {
    Value1i steps = 0;
    TUTTI_WHILE(n > 1) {
      n = cond(n % 2 == 1, 3 * n + 1, n / 2);
      steps += 1;
    }
    TUTTI_ENDWHILE;
    return steps;
  });
  Array<1, int> lengths = collatz(Array<1, int>(std::vector<int>{1, 2, 3, 27}));
  EXPECT_EQ(elements(lengths), (Ints{0, 1, 7, 111}));
}

TEST(ComingFromCuda, WorkThatMakesWork) {
  Seq<Seq<int>> groups = std::vector<std::vector<int>>{{3, 1, 2}, {}, {9, 8}};
  Seq<Seq<int>> sorted_groups = each(groups, [](Seq<int> group) { return sort(group); });
  EXPECT_EQ(sorted_groups.to_nested_vector(), (Rows{{1, 2, 3}, {}, {8, 9}}));
}

// A kernel of another library, for memory of the host.
void scale_in_place(float* data, int64_t size, float by, void*) {
  for (int64_t i = 0; i < size; ++i) data[i] *= by;
}

TEST(ComingFromCuda, Vectors) {
  const Floats hx{3, 4}, hy{1, 1};
  Vec<float> a(hx), b(hy);
  a = a / norm2(a);
  Number<float> s = dot(a, b);
  b -= s * a;
  EXPECT_NEAR(dot(a, b), 0.0f, 1e-6f);
  const ScopedDevice on_the_host("cpu");
  Vec<float> field(hx);
  scale_in_place(field.data(), field.size(), 3.0f, stream());
  field = field + 1.0f;
  EXPECT_EQ(field.to_vector(), (Floats{10, 13}));
}

TEST(ComingFromArrayFire, Table) {
  const Floats data{1, 2, 3, 4, 5, 6};
  Array<2, float> a(data, 2, 3), b({2, 3}, 3.5f);
  Array<1, float> v(Floats{3, 1, 2, 1});
  const Array<1, int> keys(Ints{3, 1, 2, 1}), i(Ints{2, 0}), offsets(Ints{0, 1, 4});
  EXPECT_EQ(elements(Array<2, float>(data, 2, 3)), data);
  EXPECT_EQ(elements(Array<2, float>({2, 3}, 1.5f)), Floats(6, 1.5f));
  Floats memory(6);
  a.copy_to(memory);
  EXPECT_EQ(memory, data);
  EXPECT_EQ(a.to_vector(), data);
  EXPECT_NE(Vec<float>(v).data(), nullptr);
  a.evaluate();
  evaluate(a, b);
  EXPECT_EQ(a.extent(0), 2);
  EXPECT_EQ(a.size(), 6);
  EXPECT_EQ(elements(cast<double>(a))[5], 6.0);
  EXPECT_EQ(elements(cond(a > b, a, b)), (Floats{3.5f, 3.5f, 3.5f, 4, 5, 6}));
  EXPECT_EQ(elements(clamp(a, 0.0f, 1.0f)), Floats(6, 1.0f));
  EXPECT_EQ(sum(a).item(), 21.0f);
  EXPECT_EQ(elements(sum(a, 0)), (Floats{5, 7, 9}));
  EXPECT_EQ(elements(max_val(a, 1)), (Floats{3, 6}));
  EXPECT_EQ(count(a > b).item(), 3);
  EXPECT_EQ(elements(sort(v, Order::descending)), (Floats{3, 2, 1, 1}));
  EXPECT_EQ(elements(pack_index(Array<1, bool>(v > 1.0f))), (Ints{0, 2}));
  EXPECT_EQ(elements(rotate(a, {0, 1})), (Floats{3, 1, 2, 6, 4, 5}));
  EXPECT_EQ(elements(shift(a, {0, 1})), (Floats{1, 1, 2, 4, 4, 5}));
  EXPECT_EQ(replicate(a, {4, 6}).size(), 24);
  EXPECT_EQ(reshape(a, Shape<2>(3, 2)).extent(0), 3);
  EXPECT_EQ(elements(transpose(a)), elements(transpose(a, {1, 0})));
  EXPECT_EQ(elements(reverse(v)), (Floats{1, 2, 1, 3}));
  EXPECT_EQ(elements(inner_product(a, transpose(b)))[0], 21.0f);
  EXPECT_EQ(elements(unique(sort(keys))), (Ints{1, 2, 3}));
  EXPECT_EQ(elements(slice(a, {0, 1}, {2, 3})), (Floats{2, 3, 5, 6}));
  slice(a, {0, 1}, {2, 3}) = 0.0f;
  EXPECT_EQ(elements(a), (Floats{1, 0, 0, 4, 0, 0}));
  v[i] = 9.0f;
  EXPECT_EQ(elements(v), (Floats{9, 1, 9, 1}));
  EXPECT_EQ(elements(segmented_sum(v, offsets)), (Floats{9, 11}));
}

TEST(ComingFromArrayFire, Snippets) {
  std::vector<float> data{1, 2, 3, 4, 5, 6};
  Array<2, float> a(data, 2, 3);
  Array<2, float> columns = transpose(Array<2, float>(data, 3, 2));
  EXPECT_EQ(elements(columns), (Floats{1, 3, 5, 2, 4, 6}));
  Array<2, Value3f> image({480, 640}, Value3f(0.2f, 0.4f, 0.6f));
  Array<2, float> red = image.component(0);
  Array<2, Value3f> swapped = join(image.component(2), image.component(1), image.component(0));
  EXPECT_EQ(elements(swapped.component(2)), elements(red));
  Array<2, float> smooth(a.shape(), 0.0f);
  for (int dx = -1; dx <= 1; ++dx) smooth += shift(a, {0, dx}) / 3;
  EXPECT_EQ(explain(smooth).kernels().size(), 1u);
  EXPECT_NEAR(elements(smooth)[1], 2.0f, 1e-6f);
  Array<1, float> row_mean = sum(a, 1) / 3;
  Array<2, float> centred = a - add_dimension(row_mean, 1);
  EXPECT_EQ(elements(centred), (Floats{-1, 0, 1, -1, 0, 1}));
  Program root = program([](Value1f x) {
    Value1f guess = 1.0f;
    TUTTI_WHILE(abs(guess * guess - x) > 1e-4f * x) { guess = 0.5f * (guess + x / guess); }
    TUTTI_ENDWHILE;
    return guess;
  });
  Array<1, float> roots = root(Array<1, float>(std::vector<float>{1, 4, 9}));
  EXPECT_NEAR(elements(roots)[2], 3.0f, 1e-3f);
}

TEST(ComingFromNesl, Table) {
  const int n = 3;
  const Seq<int> s = Ints{3, 1, 2}, t = Ints{10, 20, 30}, i = Ints{2, 0, 1};
  const Seq<Seq<int>> ss = Rows{{1}, {}, {2, 3}};
  EXPECT_EQ(elements(seq(3, 1, 2)), (Ints{3, 1, 2}));
  EXPECT_EQ(elements(Seq<int>()), Ints{});
  EXPECT_EQ(elements(iota(n)), (Ints{0, 1, 2}));
  EXPECT_EQ(elements(distribute(7, n)), (Ints{7, 7, 7}));
  EXPECT_EQ(elements(s * s), (Ints{9, 1, 4}));
  EXPECT_EQ(elements(each(s, [](Scalar<int> x) { return x * x; })), (Ints{9, 1, 4}));
  EXPECT_EQ(elements(s + t), (Ints{13, 21, 32}));
  EXPECT_EQ(elements(each(s, t, [](Scalar<int> x, Scalar<int> y) { return x + y; })),
            (Ints{13, 21, 32}));
  EXPECT_EQ(elements(filter(s, s > 1)), (Ints{3, 2}));
  EXPECT_EQ(elements(each(ss, [](Seq<int> row) { return sum(row); })), (Ints{1, 0, 5}));
  EXPECT_EQ(length(s).item(), 3);
  EXPECT_EQ(s[0].item(), 3);
  EXPECT_EQ(elements(s[i]), (Ints{2, 3, 1}));
  EXPECT_EQ(elements(put(s, i, t)), (Ints{20, 30, 10}));
  EXPECT_EQ(elements(concat(s, t)).size(), 6u);
  EXPECT_EQ(elements(flatten(ss)), (Ints{1, 2, 3}));
  EXPECT_EQ(elements(partition(s, seq(1, 2))), (Rows{{3}, {1, 2}}));
  EXPECT_EQ(elements(unzip<0>(zip(s, t))), (Ints{3, 1, 2}));
  EXPECT_EQ(sum(s).item() + max_val(s).item() + max_index(s).item(), 9);
  EXPECT_EQ(elements(sum_scan(s, Scan::exclusive)), (Ints{0, 3, 4}));
  EXPECT_EQ(elements(max_scan(s, Scan::exclusive))[2], 3);
  EXPECT_EQ(
      reduce(s, Scalar<int>(0), [](Scalar<int> a, Scalar<int> b) { return max(a, b); }).item(), 3);
  EXPECT_EQ(elements(sort(s)), (Ints{1, 2, 3}));
  EXPECT_EQ(elements(rank(s)), (Ints{2, 0, 1}));
  EXPECT_EQ(elements(reverse(s)), (Ints{2, 1, 3}));
  EXPECT_EQ(elements(rotate(s, 1)), (Ints{2, 3, 1}));
  EXPECT_EQ(elements(permute(s, i)), (Ints{1, 2, 3}));
  EXPECT_EQ(elements(take(s, 2)), (Ints{3, 1}));
  EXPECT_EQ(elements(drop(s, 2)), Ints{2});
  EXPECT_EQ(elements(slice(s, 1, 2)), (Ints{1, 2}));
  EXPECT_EQ(
      elements(if_(length(s) < 2, [&] { return s; }, [&] { return sort(s); })), (Ints{1, 2, 3}));
  EXPECT_FALSE(equal(s, t).item());
  EXPECT_EQ(elements(cast<float>(s)), (Floats{3, 1, 2}));
  EXPECT_EQ(elements(cast<int>(round(cast<float>(s)))), (Ints{3, 1, 2}));
}

Seq<float> mxv(Seq<Seq<int>> columns, Seq<Seq<float>> values, Seq<float> v) {
  return each(columns, values,
              [&](Seq<int> column, Seq<float> value) { return sum(value * v[column]); });
}

TEST(ComingFromNesl, SparseProduct) {
  EXPECT_EQ(elements(mxv(Rows{{0, 2}, {}, {1}}, std::vector<Floats>{{1, 2}, {}, {3}},
                         Floats{10, 20, 30})),
            (Floats{70, 0, 60}));
}

}  // namespace
