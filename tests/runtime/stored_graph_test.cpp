// The file that an evaluation leaves behind if it fails through a bug in Tutti.
#include "engine/stored_graph.hpp"

#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/fault_files.hpp"
#include "engine/graph_archive.hpp"
#include "reference/interpreter.hpp"
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
  return engine::store_graph(roots, "on purpose");
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
  const engine::StoredGraph loaded = engine::load_graph(stored(roots));
  EXPECT_EQ(loaded.message, "on purpose");
  ASSERT_EQ(loaded.roots.size(), roots.size());
  EXPECT_EQ(interpreted(loaded.roots), interpreted(roots));
  for (size_t r = 0; r < roots.size(); ++r)
    EXPECT_TRUE(same(read(loaded.roots[r]), read(roots[r]))) << "compiled, result " << r;
}

TEST(StoredGraph, DamagedFilesAreRefused) {
  const std::string bytes = stored(some_graph());
  for (const size_t length : {size_t{0}, size_t{7}, size_t{15}, size_t{100}, bytes.size() - 1})
    EXPECT_THROW(engine::load_graph(bytes.substr(0, length)), Error) << length;
  for (size_t at = 0; at < bytes.size(); at += 37) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x40);
    EXPECT_THROW(engine::load_graph(wrong), Error) << at;
  }
}

// Fields of a stored graph are changed, and the checksum is made right.
template <class Change>
std::string changed(const std::string& bytes, Change change) {
  const std::string_view content = std::string_view(bytes).substr(engine::stored_graph_header);
  engine::GraphReader reader(content);
  engine::GraphDescription description;
  engine::put(reader, description);
  change(description);
  engine::GraphWriter writer;
  engine::put(writer, description);
  writer.bytes += content.substr(content.size() - reader.left());
  return engine::with_checksum(writer.bytes);
}

std::string problem_with(const std::string& bytes) {
  return message_of<Error>([&] { engine::load_graph(bytes); });
}

TEST(StoredGraph, EveryNodeIsVerified) {
  const Array<2, float> a(plain<float>(12), 3, 4);
  const Array<2, float> b = shift(a, {1, 0}, Boundary::constant(2.0f)) + 1.0f;
  const detail::NodeRef root = sum(b, {0}).node();
  const std::string bytes = stored({&root, 1});
  // The leaf, the shift, the constant, the sum, the reduction: found by their kinds.
  const auto with = [&](ir::Kind kind, auto change) {
    return problem_with(changed(bytes, [&](engine::GraphDescription& d) {
      for (engine::NodeDescription& node : d.nodes)
        if (node.kind == kind) change(node);
    }));
  };
  using engine::NodeDescription;
  EXPECT_EQ(with(ir::Kind::affine, [](NodeDescription&) {}), "no error");
  const auto refused = [&](ir::Kind kind, auto change, const char* why) {
    const std::string problem = with(kind, change);
    EXPECT_NE(problem.find("of this graph cannot be: "), std::string::npos) << problem;
    EXPECT_NE(problem.find(why), std::string::npos) << problem;
  };
  refused(ir::Kind::affine, [](NodeDescription& n) { n.map.axes[0].axis = 5; }, "coordinate");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.map.axes[1].offset = INT64_MIN; }, "far");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.map.axes[1].stride = INT64_MAX; }, "far");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.map.axes[1].stride = INT32_MAX; }, "far");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.has_map = false; }, "map");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.type = ElementType::f64; }, "type");
  refused(ir::Kind::affine, [](NodeDescription& n) { n.inputs.clear(); }, "inputs");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.shape[1] = 5; }, "shape");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.op = Op::sqrt; }, "inputs");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.op = Op::bit_and; }, "bit_and takes");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.program = 0; }, "damaged");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.inputs[0] = 77; }, "damaged");
  refused(ir::Kind::reduce, [](NodeDescription& n) { n.payload = 4; }, "axes");
  refused(ir::Kind::reduce, [](NodeDescription& n) { n.reduction = Reduction::any; }, "any takes");
  refused(ir::Kind::reduce, [](NodeDescription& n) { n.payload = 0; }, "damaged");
  refused(ir::Kind::elementwise, [](NodeDescription& n) { n.payload = 1; }, "damaged");
  refused(ir::Kind::leaf, [](NodeDescription& n) { n.shape[0] = 1 << 20; }, "damaged");
  refused(ir::Kind::leaf, [](NodeDescription& n) { n.shape[0] = INT64_MAX; }, "elements");
  refused(ir::Kind::leaf, [](NodeDescription& n) { n.shape[0] = -1; }, "negative");
  refused(ir::Kind::constant, [](NodeDescription& n) { n.value.type = ElementType::b8; }, "value");
  refused(ir::Kind::constant, [](NodeDescription& n) { n.kind = ir::Kind::parameter; }, "meaning");
}

// What was in memory is never a result: elements that nothing writes are 0.
TEST(StoredGraph, PartsOfArraysLeaveNothingOut) {
  const Array<1, float> a(plain<float>(600)), b(plain<float>(300)), c(plain<float>(100));
  const detail::NodeRef root = concat({a, b, c}).node();
  const std::string bytes = stored({&root, 1});
  using engine::NodeDescription;
  // The parts are changed one by one, the first being that of `a`.
  const auto with = [&](int which, auto change) {
    return changed(bytes, [&](engine::GraphDescription& d) {
      for (NodeDescription& node : d.nodes)
        if (node.kind == ir::Kind::write_section && which-- == 0) change(d, node);
    });
  };
  const auto move_to = [](int64_t offset) {
    return
        [offset](engine::GraphDescription&, NodeDescription& n) { n.map.axes[0].offset = offset; };
  };
  const auto last_as_root = [](engine::GraphDescription& d, NodeDescription& n) {
    d.roots = {static_cast<int>(&n - d.nodes.data())};
  };
  const auto stands_on_zeros = [](const ir::Node* node) {
    while (node->kind == ir::Kind::write_section && node->inputs().size() > 1)
      node = node->inputs()[1].get();
    return node->kind == ir::Kind::constant;
  };
  const std::vector<std::pair<std::string, bool>> files = {
      {with(0, [](engine::GraphDescription&, NodeDescription&) {}), false},
      {with(0, move_to(5)), true},
      {with(1, move_to(300)), true},
      {with(2, move_to(0)), true},
      {with(2, [](engine::GraphDescription&, NodeDescription& n) { n.map.axes[0].stride = -1; }),
       true},
      {with(0, last_as_root), true},
      {with(1, last_as_root), true},
      {with(2, last_as_root), false},
  };
  for (size_t i = 0; i < files.size(); ++i) {
    SCOPED_TRACE(i);
    Array<1, float>(Array<1, float>(plain<float>(1000)) + 77.0f).evaluate();  // leaves its memory
    const engine::StoredGraph loaded = engine::load_graph(files[i].first);
    const std::vector<ir::Bytes> want = interpreted(loaded.roots);
    EXPECT_EQ(stands_on_zeros(loaded.roots[0].get()), files[i].second);
    const std::vector<unsigned char> got = read(loaded.roots[0]).components[0];
    ASSERT_EQ(want[0].size(), got.size());
    EXPECT_EQ(std::memcmp(want[0].data(), got.data(), got.size()), 0);
  }
}

TEST(StoredGraph, EveryStatementIsVerified) {
  const std::string bytes = stored(some_graph());
  const auto refused = [&](ir::StatementKind kind, auto change, const char* why) {
    int found = 0;
    const auto visit = [&](const auto& self, ir::Block& block) -> void {
      for (ir::Statement& s : block) {
        if (s.kind == kind && found++ == 0) change(s);
        for (ir::Block& inner : s.blocks) self(self, inner);
      }
    };
    const std::string problem = problem_with(changed(bytes, [&](engine::GraphDescription& d) {
      for (ir::ScalarProgram& program : d.programs) visit(visit, program.body);
    }));
    EXPECT_GT(found, 0);
    EXPECT_NE(problem.find(why), std::string::npos) << problem;
  };
  using ir::Statement;
  using ir::StatementKind;
  refused(StatementKind::read, [](Statement& s) { s.place = 99; }, "slot");
  refused(StatementKind::read, [](Statement& s) { s.type = ElementType::f64; }, "type");
  refused(StatementKind::read, [](Statement& s) { s.result = -1; }, "result");
  refused(StatementKind::read, [](Statement& s) { s.result = 0; }, "once");
  refused(StatementKind::operation, [](Statement& s) { s.inputs[0] = -5; }, "not there");
  refused(StatementKind::operation, [](Statement& s) { s.inputs[0] = s.result; }, "not there");
  refused(StatementKind::operation, [](Statement& s) { s.inputs.clear(); }, "inputs");
  refused(StatementKind::loop, [](Statement& s) { s.blocks.pop_back(); }, "inputs");
  refused(StatementKind::loop, [](Statement& s) { s.kind = StatementKind::leave; }, "inputs");
}

// Nesting that would exhaust the stack of the reader.
TEST(StoredGraph, ConstructsNestToALimit) {
  const std::string bytes = changed(stored(some_graph()), [](engine::GraphDescription& d) {
    for (int depth = 0; depth < 1000; ++depth) {
      ir::Statement loop{ir::StatementKind::loop, {}, {}, {}, -1, -1, {}, {}};
      loop.blocks = {std::move(d.programs.at(0).body), {}};
      d.programs[0].body = {std::move(loop)};
    }
  });
  EXPECT_NE(problem_with(bytes).find("damaged"), std::string::npos);
}

TEST(StoredGraph, LimitsAreKept) {
  const Array<1, float> a(mixed<float>(1000, 1));
  const detail::NodeRef root = (a * 2.0f + 1.0f).node();
  const std::string bytes = stored({&root, 1});
  const auto problem = [&](const engine::GraphLimits& limits) {
    return message_of<Error>([&] { engine::load_graph(bytes, limits); });
  };
  EXPECT_EQ(problem({}), "no error");
  EXPECT_NE(problem({.nodes = 3}).find("more than 3 nodes"), std::string::npos);
  EXPECT_NE(problem({.bytes = 9000}).find("more than 9000 bytes"), std::string::npos);
  EXPECT_NE(problem({.work = 2000}).find("more than 2000 elements"), std::string::npos);
  const std::string programs = stored(some_graph());
  EXPECT_NE(message_of<Error>([&] {
              engine::load_graph(programs, {.statements = 5});
            }).find("more than 5 statements"),
            std::string::npos);
}

TEST(StoredGraph, LoopsThatDoNotEndAreGivenUp) {
  const Array<1, float> a(mixed<float>(3, 1));
  const Program p = program([](Value1f x) {
    Value1f y = x;
    TUTTI_WHILE(y == y) { y = y + 1.0f; }
    TUTTI_ENDWHILE;
    return y;
  });
  const Array<1, float> endless = p(a);
  const detail::NodeRef root = endless.node();
  const engine::StoredGraph graph = engine::load_graph(stored({&root, 1}));
  std::lock_guard lock(ir::graph_mutex());
  EXPECT_NE(message_of<Error>([&] { ir::interpret(graph.roots, 100'000); }).find("statements"),
            std::string::npos);
}

// A file cannot vouch for its offsets: they are checked again.
TEST(StoredGraph, OffsetsAreNotTrusted) {
  const Array<1, int32_t> offsets(std::vector<int32_t>{0, 5, 1'000'000});
  offsets.node()->trusted_offsets = true;
  const Array<1, float> a(mixed<float>(10, 1));
  const detail::NodeRef root =
      detail::segmented_reduce(Reduction::sum, a.node(), offsets.node(), detail::Location());
  const engine::StoredGraph graph = engine::load_graph(stored({&root, 1}));
  EXPECT_NE(message_of<ShapeError>([&] { detail::evaluate(graph.roots); }).find("offsets[2]"),
            std::string::npos);
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
  void run(const compiler::KernelStep&, const runtime::Words&) override { fail(); }
  void run(const compiler::ProductStep&, int64_t, int64_t, int64_t) override { fail(); }
  void run(const compiler::ChainStep&, std::vector<runtime::Words>) override { fail(); }
  void run(const compiler::PrimitiveStep&, const runtime::PrimitiveCall&) override { fail(); }
  ir::BufferRef interleave(std::span<const int64_t>, size_t, int) override { fail(); }
  bool can_run(const compiler::PrimitiveStep&) const override { return true; }
  const target::Target& target() const override { return runtime::cpu().target(); }
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
  const engine::StoredGraph graph = engine::load_graph({std::istreambuf_iterator<char>(file), {}});
  std::remove(path.c_str());
  EXPECT_EQ(graph.message, "a kernel that fails on purpose");
  EXPECT_TRUE(same(read(graph.roots[0]), read(b))) << "b is as it was, and can be computed";
}

// Removes the oldest files of earlier faults, so that their number stays within the limit.
TEST(StoredGraph, FilesOfFaultsAreTidied) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("faults_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const char* before = std::getenv("TMPDIR");
  const std::string temporary = before ? before : "";
  setenv("TMPDIR", folder.c_str(), 1);
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 50; ++i) {
    const fs::path path = folder / ("tutti-1-" + std::to_string(i) + ".graph");
    std::ofstream(path) << "an earlier fault";
    fs::last_write_time(path, now - std::chrono::minutes(100 - i));
  }
  std::ofstream(folder / "other.graph") << "not ours to remove";
  const Array<1, float> a(mixed<float>(100, 3));
  const detail::NodeRef root = (a + 1.0f).node();
  std::string sentence;
  {
    std::lock_guard lock(ir::graph_mutex());
    const WithSettings with_disk([](Settings& s) { s.disk_cache = true; });
    sentence = engine::leave_behind({&root, 1}, "a fault");
  }
  before ? setenv("TMPDIR", temporary.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_NE(sentence.find(folder.string()), std::string::npos) << sentence;
  size_t files = 0;
  for (const auto& item : fs::directory_iterator(folder))
    files += item.path().filename().string().starts_with("tutti-");
  EXPECT_EQ(files, engine::most_fault_files);
  EXPECT_FALSE(fs::exists(folder / "tutti-1-0.graph"));
  EXPECT_TRUE(fs::exists(folder / "tutti-1-49.graph"));
  EXPECT_TRUE(fs::exists(folder / "other.graph"));
  fs::remove_all(folder);
}

std::string message_of_fault() {
  Broken broken;
  runtime::use_device(&broken, true);
  const Array<1, float> a(mixed<float>(10, 3));
  const std::string message = message_of<InternalError>([&] { (a * 2.0f).evaluate(); });
  runtime::use_device(nullptr, true);
  return message;
}

TEST(StoredGraph, NothingIsWrittenWithoutADiskCache) {
  const WithSettings without_disk([](Settings& s) { s.disk_cache = false; });
  EXPECT_EQ(message_of_fault(), "a kernel that fails on purpose");
}

TEST(StoredGraph, NothingIsWrittenIfFaultsAreNotSaved) {
  const WithSettings not_saved([](Settings& s) { s.disk_cache = true, s.save_faults = false; });
  EXPECT_EQ(message_of_fault(), "a kernel that fails on purpose");
}

}  // namespace
}  // namespace tutti::test
