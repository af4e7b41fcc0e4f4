// Graphs as rows of edges: the ranks of pages, and levels of a breadth-first search in which every
// vertex asks its neighbours.
#include <tutti/keywords.hpp>

#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

struct Edges {
  Buffer<int> begin, from;  // of the edges into each vertex
  Array<1, int> begins, sources;
};

// Every vertex has `degree` edges from random others on average: up to twice as many.
Edges random_edges(int vertices, int degree) {
  const Buffer<int> length = converted<int>(
      random_numbers(static_cast<size_t>(vertices), 0, 2.0f * static_cast<float>(degree), 3));
  const Buffer<int> begin(static_cast<size_t>(vertices) + 1);
  for (size_t v = 0; v < length.size(); ++v) begin[v + 1] = begin[v] + length[v];
  const auto count = static_cast<size_t>(begin[length.size()]);
  const Buffer<int> from =
      converted<int>(random_numbers(count, 0, static_cast<float>(vertices) - 1, 4));
  return {begin, from, in_memory(begin, vertices + 1),
          in_memory(from, static_cast<int64_t>(count))};
}

// ---- PageRank, ten steps

constexpr int rank_steps = 10;
constexpr float damping = 0.85f;

Workload prepare_pagerank(int vertices) {
  const Edges edges = random_edges(vertices, 16);
  const auto count = static_cast<size_t>(vertices);
  const Buffer<> share(count), result(count), given(count);
  for (int v : edges.from) share[static_cast<size_t>(v)] += 1;
  for (float& s : share) s = s > 0 ? damping / s : 0;
  const Array<1, float> shares = in_memory(share, vertices);
  const float least = (1 - damping) / static_cast<float>(vertices);
  const auto ranks = [=] {
    Array<1, float> rank(Shape<1>(vertices), 1.0f / static_cast<float>(vertices));
    for (int i = 0; i < rank_steps; ++i)
      rank = segmented_sum(gather(Array<1, float>(rank * shares), edges.sources), edges.begins) +
             least;
    return rank;
  };
  return workload(
      ranks,
      [=] {
        std::fill(result.begin(), result.end(), 1.0f / static_cast<float>(vertices));
        for (int i = 0; i < rank_steps; ++i) {
          for (size_t v = 0; v < count; ++v) given[v] = result[v] * share[v];
          parallel_rows(
              vertices,
              [&](int first, int last) {
                for (int v = first; v < last; ++v) {
                  const auto at = static_cast<size_t>(v);
                  float total = 0;
                  for (int e = edges.begin[at]; e < edges.begin[at + 1]; ++e)
                    total += given[static_cast<size_t>(edges.from[static_cast<size_t>(e)])];
                  result[at] = total + least;
                }
              },
              1024);
        }
      },
      result, 8.0 * static_cast<double>(edges.from.size()) * rank_steps, {edges.begin, edges.from});
}

// ---- levels of a search from vertex 0

constexpr int levels = 6;

Workload prepare_levels(int vertices) {
  const Edges edges = random_edges(vertices, 8);
  const auto count = static_cast<size_t>(vertices);
  const Buffer<int> first_level(count), result(count), other(count);
  std::fill(first_level.begin(), first_level.end(), -1);
  first_level[0] = 0;
  Array<1, int> level = in_memory(first_level, vertices);
  const Array<1, int> begins = edges.begins, sources = edges.sources;
  const auto search = [=] {
    Array<1, int> now = level;
    for (int step = 0; step < levels; ++step) {
      Value1i at = step;
      const Program visit = BEGIN {
        In<Value1i> v;
        Out<Value1i> next = now[v];
        IF(next < 0) {
          const Value1i last = begins[v + 1];
          FOR(Value1i e = begins[v], e < last, e += 1) {
            IF(now[sources[e]] == at) {
              next = at + 1;
              BREAK;
            }
            ENDIF;
          }
          ENDFOR;
        }
        ENDIF;
      }
      END;
      now = Array<1, int>(visit(index(Shape<1>(vertices), 0)));
    }
    return now;
  };
  const auto step_of = [=](const int* now, int* next, int step) {
    parallel_rows(
        vertices,
        [=](int first, int last) {
          for (int v = first; v < last; ++v) {
            const auto at = static_cast<size_t>(v);
            next[v] = now[v];
            if (now[v] >= 0) continue;
            for (int e = edges.begin[at]; e < edges.begin[at + 1]; ++e)
              if (now[edges.from[static_cast<size_t>(e)]] == step) {
                next[v] = step + 1;
                break;
              }
          }
        },
        1024);
  };
  return workload(search,
                  [=] {
                    const int* now = first_level.data();
                    for (int step = 0; step < levels; ++step) {
                      int* next = (levels - step) % 2 ? result.data() : other.data();
                      step_of(now, next, step);
                      now = next;
                    }
                  },
                  result, 0, {edges.begin, edges.from});
}

std::vector<Size> vertex_sizes(Workload (*prepare)(int vertices)) {
  return {{"10^5", true, [=] { return prepare(100'000); }},
          {"10^6", false, [=] { return prepare(1'000'000); }}};
}

}  // namespace

Comparison pagerank_benchmark() {
  return {.name = "pagerank",
          .description = "ten steps of PageRank, 16 edges a vertex",
          .sizes = vertex_sizes(prepare_pagerank),
          .tolerance = 1e-4,
          .reason = "the baseline adds in another order"};
}
Comparison search_levels_benchmark() {
  return {.name = "search_levels",
          .description = "six levels of a search as a program (Rodinia's bfs), 8 edges a vertex",
          .sizes = vertex_sizes(prepare_levels)};
}

}  // namespace tutti::bench
