// Graphs to mutate: random ones, and some that hold what random graphs do not: programs with loops,
// local arrays and tables, and vector primitives.
#pragma once
#include <tutti/tutti.hpp>

#include "support/random_graph.hpp"

namespace tutti::test {

inline detail::NodeRef program_with_everything(int n) {
  const Array<1, float> a(std::vector<float>(static_cast<size_t>(n), 1.25f)),
      table(std::vector<float>{1, 2, 3, 5, 8});
  const Program p = program([&](Value1f x) {
    Value1f y = x;
    Value1i i = 0;
    LocalArray<float> memory(6);
    TUTTI_WHILE(i < 7) {
      memory[i] = y;
      y = y * 0.5f + table[i & 3];
      TUTTI_IF(y > 4.0f) { TUTTI_BREAK; }
      TUTTI_ENDIF;
      TUTTI_IF(y < 2.0f) {
        i += 2;
        TUTTI_CONTINUE;
      }
      TUTTI_ENDIF;
      i += 1;
      trace("y", y);
    }
    TUTTI_ENDWHILE;
    return y + memory[2] + Value1f(i);
  });
  const Array<1, float> result = p(a);
  return result.node();
}

// The imaginary part of the transforms of the rows or columns of 4 by 6 numbers.
inline detail::NodeRef transform_of(const std::vector<float>& numbers, int axis) {
  const Array<2, float> a(numbers, 4, 6);
  return detail::fft({a.node(), (a * 2.0f).node()}, axis, true, {}).imag;
}

inline std::vector<detail::NodeRef> primitives(int n) {
  std::vector<int32_t> numbers(static_cast<size_t>(n));
  std::vector<float> keys(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<int32_t>(i * 7 % 13);
    keys[i] = static_cast<float>(i * 5 % 11) - 3;
  }
  const Array<1, int32_t> a(numbers), offsets(std::vector<int32_t>{0, 3, 3, n});
  const Array<1, float> b(keys);
  const Array<1, float> sorted = sort(b);
  return {sum_scan(b).node(),
          segmented_sum(a, offsets).node(),
          scatter(b, a, b * 2.0f, Collision::sum).node(),
          sort_permutation(b).node(),
          sorted.node(),
          element_segments(offsets, n).node(),
          detail::pack((b > 0.0f).node(), a.node(), 5, {}),
          detail::search_sorted(sorted.node(), b.node(), false, {}),
          detail::top_k(b.node(), 3, true, {}),
          gather(b, Boundary::wrap(), a * 3).node(),
          transform_of(std::vector<float>(24, 0.5f), 1),
          detail::segmented_reduce(Reduction::max, b.node(), offsets.node(), {})};
}

// The graph of a seed: the same for the same seed.
inline std::vector<detail::NodeRef> seed_graph(uint64_t seed) {
  const int n = 5 + static_cast<int>(seed / 4 % 40);
  if (seed % 4 == 0) return {program_with_everything(n)};
  if (seed % 4 == 1) return primitives(n);
  return RandomGraph(seed).build();
}

}  // namespace tutti::test
