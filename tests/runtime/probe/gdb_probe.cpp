// Compiled with debug information, for the pretty printers of GDB.
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

void stop_here(const Array<1, int>& computed, const Array<2, float>& pending);
[[gnu::noinline]] void stop_here(const Array<1, int>& computed, const Array<2, float>& pending) {
  asm volatile("" : : "r"(&computed), "r"(&pending) : "memory");
}

int main() {
  const Array<1, int> computed(std::vector<int>{3, 1, 4, 1, 5});
  const Array<2, float> pending = Array<2, float>(Shape<2>(2, 3), 1.5f) * 2.0f;
  stop_here(computed, pending);
  return 0;
}
