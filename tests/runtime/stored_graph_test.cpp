// What an evaluation leaves behind that failed through a fault of Tutti's own.
#include "runtime/stored_graph.hpp"

#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "ir/interpreter.hpp"
#include "runtime/device.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

std::vector<ir::Bytes> interpreted(std::span<const detail::NodeRef> roots) {
  std::lock_guard lock(ir::graph_mutex());
  return ir::interpret(roots);
}
std::string stored(std::span<const detail::NodeRef> roots) {
  std::lock_guard lock(ir::graph_mutex());
  return runtime::store_graph(roots, "on purpose");
}

// A program with a loop, a stencil with a border, primitives, constants.
std::vector<detail::NodeRef> some_graph() {
  const Array<1, float> a(mixed<float>(300, 1));
  const Program p = program([](Value1f x) {
    Value1f y = x;
    Value1i n = 0;
    TUTTI_WHILE(n < 5 && y < 100.0f) {
      y = y * 1.5f + 1.0f;
      n += 1;
    }
    TUTTI_ENDWHILE;
    return y;
  });
  const Array<1, float> b = p(a);
  const Array<1, float> c = shift(b, {2}, Boundary::constant(-1.0f)) + sum(a);
  const Array<1, int> order = sort_permutation(c);
  return {b.node(), c.node(), gather(c, order).node(), sum_scan(cast<int>(a > 0.0f)).node()};
}

TEST(StoredGraph, IsTheSameWhenItIsLoaded) {
  const std::vector<detail::NodeRef> roots = some_graph();
  const runtime::StoredGraph loaded = runtime::load_graph(stored(roots));
  EXPECT_EQ(loaded.message, "on purpose");
  ASSERT_EQ(loaded.roots.size(), roots.size());
  EXPECT_EQ(interpreted(loaded.roots), interpreted(roots));
  for (size_t r = 0; r < roots.size(); ++r)
    EXPECT_TRUE(same(read(loaded.roots[r]), read(roots[r]))) << "compiled, result " << r;
}

TEST(StoredGraph, DamagedFilesAreRefused) {
  const std::string bytes = stored(some_graph());
  for (const size_t length : {size_t{0}, size_t{7}, size_t{15}, size_t{100}, bytes.size() - 1})
    EXPECT_THROW(runtime::load_graph(bytes.substr(0, length)), Error) << length;
  for (size_t at = 0; at < bytes.size(); at += 37) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x40);
    EXPECT_THROW(runtime::load_graph(wrong), Error) << at;
  }
}

// A device that cannot run any kernel.
class Broken final : public runtime::Device {
 public:
  std::string name() const override { return "broken"; }
  std::string description() const override { return "for tests"; }
  ir::BufferRef allocate(size_t bytes) override { return runtime::cpu().allocate(bytes); }
  ir::BufferRef wrap(void* memory, size_t bytes) override {
    return runtime::cpu().wrap(memory, bytes);
  }
  int64_t address(ir::Buffer& buffer) override { return runtime::cpu().address(buffer); }
  int64_t overwrite(ir::Buffer& buffer) override { return runtime::cpu().overwrite(buffer); }
  void run(const passes::KernelStep&, const runtime::Words&) override { fail(); }
  void run(const passes::ProductStep&, int64_t, int64_t, int64_t) override { fail(); }
  void run(const passes::ChainStep&, std::vector<runtime::Words>) override { fail(); }
  void run(const passes::PrimitiveStep&, const runtime::PrimitiveCall&) override { fail(); }
  ir::BufferRef side_by_side(std::span<const int64_t>, size_t, int) override { fail(); }
  bool can_run(const passes::PrimitiveStep&) const override { return true; }
  bool is_gpu() const override { return false; }
  void forget_kernels() override {}

 private:
  [[noreturn]] static void fail() { throw InternalError("a kernel that fails on purpose"); }
};

TEST(StoredGraph, IsLeftBehindByAFault) {
  Broken broken;
  const Array<1, float> a(mixed<float>(1000, 3)), b = a * 2.0f + 1.0f;
  const WithSettings with_disk([](Settings& s) { s.disk_cache = true; });
  runtime::use_device(&broken, true);
  const std::string message = message_of<InternalError>([&] { b.evaluate(); });
  runtime::use_device(nullptr, true);
  ASSERT_TRUE(message.starts_with("a kernel that fails on purpose; what was to be computed is in "))
      << message;

  const size_t begin = message.find(" is in ") + 7;
  const std::string path = message.substr(begin, message.find(", and", begin) - begin);
  std::ifstream file(path, std::ios::binary);
  const runtime::StoredGraph graph =
      runtime::load_graph({std::istreambuf_iterator<char>(file), {}});
  std::remove(path.c_str());
  EXPECT_EQ(graph.message, "a kernel that fails on purpose");
  EXPECT_TRUE(same(read(graph.roots[0]), read(b))) << "b is as it was, and can be computed";
}

TEST(StoredGraph, NothingIsWrittenWithoutADiskCache) {
  Broken broken;
  const WithSettings without_disk([](Settings& s) { s.disk_cache = false; });
  runtime::use_device(&broken, true);
  const Array<1, float> a(mixed<float>(10, 3));
  const std::string message = message_of<InternalError>([&] { (a * 2.0f).evaluate(); });
  runtime::use_device(nullptr, true);
  EXPECT_EQ(message, "a kernel that fails on purpose");
}

}  // namespace
}  // namespace tutti::test
