// A process whose end is tested. The argument says how: static, thread_local, detached, compute.
// Prints "right" for each result that is.
#include <tutti/tutti.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace tutti;

namespace {

void compute(float factor) {
  const Array<1, float> a(std::vector<float>(100'000, 2.0f));
  const Array<2, float> m({300, 300}, 2.0f);
  const Seq<int> s(std::vector<int>{3, 1, 2});
  const auto more = each(s, [](Scalar<int> x) { return x + 1; }).to_vector();
  const bool right = sum(sqrt(a * 2.0f) * factor).item() == 200'000.0f * factor &&
                     inner_product(m, m).to_vector()[7] == 1200.0f &&
                     more == std::vector<int>{4, 2, 3};
  std::puts(right ? "right" : "wrong");
  std::fflush(stdout);
}

const char* mode = "";

// Destroyed after all that main() makes.
struct AtEnd {
  ~AtEnd() {
    if (!std::strcmp(mode, "static")) compute(4);
  }
} at_end;

struct AtThreadEnd {
  ~AtThreadEnd() { compute(3); }
};

void touch() {
  thread_local AtThreadEnd instance;
  (void)&instance;
}

}  // namespace

int main(int, char** arguments) {
  mode = arguments[1] ? arguments[1] : "";
  const std::string how = mode;
  if (how == "thread_local") {
    touch();
    std::thread([] {
      touch();
      compute(5);
    }).join();
  }
  compute(1);
  if (how == "detached")
    for (int t = 0; t < 4; ++t)
      std::thread([t] {
        for (int i = 0;; ++i) {
          Array<1, float> a(std::vector<float>(1'000 + static_cast<size_t>(i % 7), 1.0f));
          for (int k = 0; k < i % 13 + t; ++k) a = a * 1.5f + shift(a, {k});
          a.evaluate();
          Array<2, float> m({64, 64}, 1.0f);
          inner_product(m, m).evaluate();
        }
      }).detach();
  if (how == "detached") std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return 0;
}
