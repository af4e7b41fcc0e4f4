// plan_speed [NODES] [NAME...]: how long the compiler takes to plan graphs of about that many nodes
// (100,000 by default), in microseconds of processor time a node. Nothing is compiled or computed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Roots = std::vector<detail::NodeRef>;

template <class A>
void add(Roots& roots, const A& array) {
  roots.insert(roots.end(), array.nodes().begin(), array.nodes().end());
}

// One expression over a line.
Roots line(int nodes) {
  const Array<1, float> a({1000}, 1.5f);
  Array<1, float> b = cast<float>(index<1>({1000}, 0)), x = b;
  b.evaluate();
  for (int i = 0; i < nodes / 2; ++i) x = x * a + b;
  Roots roots;
  add(roots, x);
  return roots;
}

// Many sums of expressions over a line.
Roots sums(int nodes) {
  Array<1, float> b = cast<float>(index<1>({1000}, 0));
  b.evaluate();
  Roots roots;
  for (int i = 0; i < nodes / 4; ++i) add(roots, sum(sqrt(b + static_cast<float>(i)) * b));
  return roots;
}

// Steps of a stencil over an image, one after the other.
Roots stencils(int nodes) {
  Array<2, float> x = cast<float>(index<2>({64, 64}, 0));
  x.evaluate();
  for (int i = 0; i < nodes / 4; ++i) x = 0.5f * x + shift(x, {i % 3 - 1, 1});
  Roots roots;
  add(roots, x);
  return roots;
}

// Many images that are computed from one.
Roots images(int nodes) {
  Array<2, float> x = cast<float>(index<2>({64, 64}, 0));
  x.evaluate();
  Roots roots;
  for (int i = 0; i < nodes / 4; ++i)
    add(roots, x * static_cast<float>(i) + shift(x, {i % 5 - 2, i % 3}));
  return roots;
}

struct Kind {
  const char* name;
  Roots (*make)(int nodes);
};
constexpr Kind kinds[] = {
    {"line", line}, {"sums", sums}, {"stencils", stencils}, {"images", images}};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const Kind& kind, int wanted) {
  Settings settings = tutti::settings();
  settings.max_pending_operations = INT32_MAX;
  settings.max_pending_bytes = INT64_MAX;
  set_settings(settings);
  const Roots roots = kind.make(wanted);
  std::lock_guard lock(ir::graph_mutex());
  compiler::Collected collected;
  compiler::collect(roots, collected);
  const auto nodes = static_cast<double>(collected.order.size());
  compiler::Graph graph = compiler::copy_graph(collected);
  const double start = processor_seconds();
  const auto plan = compiler::make_plan(std::move(graph), target::avx512);
  const double seconds = processor_seconds() - start;
  std::printf("%-10s %8.0f nodes %6zu steps %8.2f us a node\n", kind.name, nodes,
              plan->steps.size(), seconds / nodes * 1e6);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tutti::test

int main(int argc, char** argv) {
  using namespace tutti::test;
  const int nodes = argc > 1 ? std::atoi(argv[1]) : 100'000;
  for (const Kind& kind : kinds)
    if (argc < 3 || std::find(argv + 2, argv + argc, std::string(kind.name)) != argv + argc)
      measure(kind, nodes);
  return 0;
}
