// PageRank of a random graph: edges are sorted by their target, so that what flows into a page is
// the sum of a segment. Every rank asks the others for the weights of the pages that link to its
// own.
#include <tutti/tutti.hpp>

#include <cmath>

#include "run_again.hpp"

using namespace tutti;

constexpr int64_t pages = 100'000, edges = 800'000;

int main() {
  return finish_or_run_again([] {
    const Random key(11);
    const auto page = [&](int which) {
      const Array<1, float> x = uniform<float>(key.split(which), Shape<1>(edges));
      return cast<int32_t>(x * x * static_cast<float>(pages - 1));  // some are linked to often
    };
    const Array<1, int32_t> unsorted_targets = page(0), unsorted_sources = page(1);
    const Array<1, int32_t> targets = sort(unsorted_targets);
    const Array<1, int32_t> sources = sort_by(unsorted_targets, unsorted_sources);
    const Array<1, int32_t> begins = sum_scan(histogram(targets, pages), Scan::exclusive);
    const Array<1, int32_t> offsets = concat({begins, Array<1, int32_t>(Shape<1>(1), edges)});
    const Array<1, double> links = max(cast<double>(histogram(sources, pages)), 1.0);
    evaluate(sources, offsets, links);

    Array<1, double> rank(Shape<1>(pages), 1.0 / pages);
    for (int round = 0; round < 10; ++round) {
      const Array<1, double> given = rank / links;
      rank = 0.15 / pages + 0.85 * segmented_sum(gather(given, sources), offsets);
      rank.evaluate();
    }
    const double total = sum(rank).item();
    const TopK<1, double> best = top_k(rank, 3);
    const std::vector<int32_t> first = best.indices.to_vector();
    if (prints())
      std::printf("%d ranks: the first pages are %d, %d and %d; the sum of all is %.6f\n",
                  ranks::size(), first[0], first[1], first[2], total);
    CHECK(std::isfinite(total) && total < 1.0);
    return rank.to_vector();
  });
}
