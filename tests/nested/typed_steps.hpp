// Functions from a sequence to a sequence of the same type, for any type of numbers and any values.
// None of them depends on a value being small, finite or in range. `number` is a host number.
#pragma once
#include <tutti/tutti.hpp>

namespace tutti::test {

template <class T>
constexpr size_t typed_steps = 22;

template <class T>
Seq<T> reordered_step(int kind, const Seq<T>& a, T number) {
  const Scalar<int> n = length(a);
  switch (kind) {
    case 0:
      return sort(a);
    case 1:
      return sort_by(cond(a < number, a, -a), a, Order::descending);
    case 2:
      return reverse(rotate(a, n / 3 + 1));
    case 3:
      return unique(sort(a, Order::descending));
    case 4:
      return a[(iota(n) * 7 + 3) % max(n, 1)];
    case 5:
      return put(a, iota(n) / 2, Seq<T>(a + a), Collision::sum);
    case 6:
      return put(a, iota(n) % 3 % max(n, 1), reverse(a), Collision::min);
    case 7:
      return put(a, n - 1 - iota(n) / 2, a, Collision::first);
    case 8:
      return concat(drop(a, n / 2), take(a, n / 3), a);
    case 9:
      return flatten(split(a, a < number));
    default:
      return filter(a, !(a <= number));
  }
}

template <class T>
Seq<T> folded_step(int kind, const Seq<T>& a, T number) {
  const Scalar<int> n = length(a);
  switch (kind) {
    case 0:
      return cast<T>(sum_scan(a));
    case 1:
      return cast<T>(product_scan(a, Scan::exclusive));
    case 2:
      return Seq<T>(max_scan(a) - min_scan(a, Scan::exclusive));
    case 3:
      return seq(cast<T>(sum(a)), max_val(a), min_val(a), cast<T>(product(a)));
    case 4: {
      const Scalar<T> total = cast<T>(sum(a));
      return each(a, [&](Scalar<T> x) { return x * x + total; });
    }
    case 5:
      return cast<T>(histogram(cast<int>(a), 9));
    case 6: {
      const Seq<T> sorted = sort(a);
      return cast<T>(Seq<int>(lower_bound(sorted, a) * 2 + upper_bound(sorted, a)));
    }
    case 7:
      return each(a, [&](Scalar<T> x) {
        return if_(x < number, [&] { return x + max_val(a); }, [&] { return x / number; });
      });
    case 8:
      return distribute(Scalar<T>(cond(n == 0, number, max_val(a))), n / 2);
    case 9:
      return scan(a, Scalar<T>(number),
                  [](Scalar<T> x, Scalar<T> y) { return cond(y == T{}, x, y); });
    default:  // a function on Values, which is captured
      return each(a, [](Value<1, T> x) {
        Value<1, int> steps = 0;
        TUTTI_WHILE(x > T(1) && steps < 5) {
          x = Value<1, T>(x / T(2));
          steps += 1;
        }
        TUTTI_ENDWHILE;
        return x;
      });
  }
}

template <class T>
Seq<T> typed_step(int kind, const Seq<T>& a, T number) {
  return kind < 11 ? reordered_step(kind, a, number) : folded_step(kind - 11, a, number);
}

}  // namespace tutti::test
