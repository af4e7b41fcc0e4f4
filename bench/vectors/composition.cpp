// Two programs composed by << against one program written by hand: what the algebra costs.
#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "tutti/keywords.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Workload prepare() {
  constexpr int64_t n = 1 << 20;
  const Program halve = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    Out<Value1i> times = 0;
    WHILE(y > 1.0f) {
      y *= 0.5f;
      times += 1;
    }
    ENDWHILE;
  }
  END;
  const Program weigh = program([](Value1f y, Value1i times) { return y * Value1f(times) + 1.0f; });
  const Program by_hand = BEGIN {
    In<Value1f> x;
    Out<Value1f> result;
    Value1f y = x;
    Value1i times = 0;
    WHILE(y > 1.0f) {
      y *= 0.5f;
      times += 1;
    }
    ENDWHILE;
    result = y * Value1f(times) + 1.0f;
  }
  END;
  const Program composed = weigh << halve;
  const Array<1, float> x(random_numbers(n, 0, 1000).data(), Shape<1>(n));
  const auto run = [=](const Program& p) -> Array<1, float> { return p(x); };
  return {
      .tutti = [=] { run(composed).evaluate(); },
      .baseline = [=] { run(by_hand).evaluate(); },
      .disagreement =
          [=] {
            const auto want = run(by_hand).to_vector(), got = run(composed).to_vector();
            return disagreement(std::span<const float>(want), std::span<const float>(got));
          },
      .inputs = {},
      .outputs = {},
  };
}

}  // namespace

Comparison composition_benchmark() {
  return {.name = "composition",
          .description = "programs composed by << against one written by hand, both Tutti",
          .sizes = {{"2^20", true, prepare}}};
}

}  // namespace tutti::bench
