#include <iostream>
#include <tutti/tutti.hpp>

int main() {
  const tutti::Array<1, float> a(std::vector<float>{1, 2, 3});
  const float total = tutti::sum(a * 2.0f);
  std::cout << total << "\n";
}
