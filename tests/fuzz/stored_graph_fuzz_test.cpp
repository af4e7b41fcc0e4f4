// Mutated files of graphs, with a right checksum, in this process: each is refused with an Error,
// or is a valid graph, for which compiled code and interpreter agree. TUTTI_TEST_INPUTS and
// TUTTI_TEST_SEED ask for more inputs and other ones.
#include <gtest/gtest.h>

#include "core/elements/convert.hpp"
#include "engine/evaluate.hpp"
#include "engine/graph_archive.hpp"
#include "engine/stored_graph.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/seeds.hpp"
#include "fuzz/watchdog.hpp"
#include "reference/interpreter.hpp"
#include "support/test_settings.hpp"

namespace tutti::engine {

// Reads the bytes of a graph and notes where its fields are.
class FieldRecorder {
 public:
  static constexpr bool reads = true;
  explicit FieldRecorder(std::string_view bytes) : bytes_(bytes.size()), reader_(bytes) {}

  template <class T>
  void value(T& x) {
    fields.push_back({bytes_ - reader_.left(), sizeof x});
    reader_.value(x);
  }
  size_t size(size_t) {
    fields.push_back({bytes_ - reader_.left(), sizeof(uint64_t)});
    return reader_.size(0);
  }
  void block(void* data, size_t n) { reader_.block(data, n); }
  void enter() { reader_.enter(); }
  void leave() { reader_.leave(); }

  std::vector<test::Field> fields;

 private:
  size_t bytes_;
  GraphReader reader_;
};

}  // namespace tutti::engine

namespace tutti::test {
namespace {

using detail::NodeRef;

// Of a small graph: mutations of many elements find nothing.
std::string content_of(uint64_t seed) {
  constexpr size_t most_bytes = 1 << 16;
  for (;; seed += 1000) {
    const std::vector<NodeRef> roots = seed_graph(seed);
    std::lock_guard lock(ir::graph_mutex());
    std::string content =
        engine::store_graph(roots, "on purpose").substr(engine::stored_graph_header);
    if (content.size() <= most_bytes) return content;
  }
}

// Of the version too, but seldom: nothing behind it is read where that is wrong.
std::string mutated(uint64_t seed) {
  const std::string content = content_of(seed % 997);
  engine::FieldRecorder recorder(content);
  engine::GraphDescription description;
  engine::put(recorder, description);
  Mutation mutation(seed);
  if (mutation.pick(50) > 0) recorder.fields.erase(recorder.fields.begin());
  return mutation.apply(content, recorder.fields);
}

bool is_nan(ElementType type, const std::byte* element) {
  return visit_type(type, [&](auto tag) {
    typename decltype(tag)::type x;
    std::memcpy(&x, element, sizeof x);
    return x != x;
  });
}

bool same(const ir::Node& root, const ir::Bytes& wanted) {
  const auto* got = static_cast<const std::byte*>(root.buffer->data());
  const auto size = static_cast<size_t>(size_of(root.type));
  for (size_t i = 0; i < wanted.size(); i += size)
    if (std::memcmp(wanted.data() + i, got + i, size) != 0 &&
        !(is_nan(root.type, wanted.data() + i) && is_nan(root.type, got + i)))
      return false;
  return true;
}

enum class Outcome : uint8_t { refused, too_long, refused_when_run, same, different };

// As `tutti replay` does, within limits that a second is enough for.
Outcome replay(const std::string& bytes) {
  constexpr engine::GraphLimits limits{
      .nodes = 1000, .statements = 1000, .bytes = 8 << 20, .work = 1'000'000};
  std::vector<ir::Bytes> wanted;
  engine::StoredGraph graph;
  try {
    graph = engine::load_graph(bytes, limits);
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
    return Outcome::refused;
  }
  try {
    std::lock_guard lock(ir::graph_mutex());
    wanted = ir::interpret(graph.roots, limits.work);
  } catch (const InternalError&) {
    throw;
  } catch (const ShapeError&) {  // offsets that do not fit
    try {
      engine::evaluate(graph.roots);  // finds the same, unless the result has no elements
    } catch (const ShapeError&) {
    }
    return Outcome::refused_when_run;
  } catch (const Error&) {
    return Outcome::too_long;
  }
  engine::evaluate(graph.roots);
  for (size_t r = 0; r < graph.roots.size(); ++r)
    if (!same(*graph.roots[r], wanted[r])) return Outcome::different;
  return Outcome::same;
}

TEST(Fuzz, StoredGraphsAreRefusedOrComputed) {
  const int64_t first = first_seed();
  const int64_t inputs = number_setting("TUTTI_TEST_INPUTS", 3000);
  std::printf("seed %lld\n", static_cast<long long>(first));
  Settings s = settings();
  s.disk_cache = false;
  s.reproducible = true;
  set_settings(s);
  const Watchdog watchdog;
  std::array<int64_t, 5> outcomes{};
  for (int64_t seed = first; seed < first + inputs; ++seed) {
    Watchdog::at(seed);
    const std::string bytes = engine::with_checksum(mutated(static_cast<uint64_t>(seed)));
    try {
      const Outcome outcome = replay(bytes);
      ++outcomes[static_cast<size_t>(outcome)];
      if (outcome == Outcome::different)
        ADD_FAILURE() << "compiled and interpreted differ: TUTTI_TEST_INPUTS=1 TUTTI_TEST_SEED="
                      << seed;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << ": TUTTI_TEST_INPUTS=1 TUTTI_TEST_SEED=" << seed;
    }
    if (seed % 256 == 0) clear_kernel_cache();
  }
  std::printf("%lld refused, %lld too long, %lld refused when run, %lld the same, %lld different\n",
              static_cast<long long>(outcomes[0]), static_cast<long long>(outcomes[1]),
              static_cast<long long>(outcomes[2]), static_cast<long long>(outcomes[3]),
              static_cast<long long>(outcomes[4]));
  if (inputs < 1000) return;
  EXPECT_GT(outcomes[0], inputs / 10) << "mutations that break nothing find nothing";
  EXPECT_GT(outcomes[3], inputs / 50) << "mutations that break everything find nothing";
}

// Without mutations nothing is refused.
TEST(Fuzz, SeedsThemselvesAreComputed) {
  for (uint64_t seed = 0; seed < 60; ++seed)
    EXPECT_EQ(replay(engine::with_checksum(content_of(seed))), Outcome::same) << seed;
}

}  // namespace
}  // namespace tutti::test
