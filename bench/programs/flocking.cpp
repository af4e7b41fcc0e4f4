// A step of a flock: sort by cell, find where cells begin, and loop over who is near.
#include "applications/flocking.hpp"

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "bench/plain/flocking.hpp"

namespace tutti::bench {
namespace {

// x, y and the direction along both, of all characters.
using Fields = std::array<Buffer<>, 4>;

Fields fields(size_t n) { return {Buffer<>(n), Buffer<>(n), Buffer<>(n), Buffer<>(n)}; }

// Sorts by cell, counting, and steers.
class PlainFlock {
 public:
  PlainFlock(const Fields& from, const Fields& to, int cells)
      : from_(from), to_(to), n_(static_cast<int>(from[0].size())), cells_(cells) {}

  void step() const {
    std::fill(first_.begin(), first_.end(), 0);
    for (int i = 0; i < n_; ++i) {
      cell_[i] = plain::cell_of(from_[0][i], from_[1][i], cells_);
      ++first_[cell_[i] + 1];
    }
    for (size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    std::copy(first_.begin(), first_.end(), next_.begin());
    for (int i = 0; i < n_; ++i) {
      const int place = next_[cell_[i]]++;
      for (size_t k = 0; k < from_.size(); ++k) sorted_[k][place] = from_[k][i];
    }
    const plain::Characters all{sorted_[0].data(), sorted_[1].data(), sorted_[2].data(),
                                sorted_[3].data(), first_.data(),     cells_};
    parallel_rows(
        n_,
        [&](int begin, int end) {
          for (int i = begin; i < end; ++i) {
            const plain::Character c = plain::steered(all, i);
            to_[0][i] = c.x, to_[1][i] = c.y, to_[2][i] = c.dx, to_[3][i] = c.dy;
          }
        },
        256);
  }

 private:
  Fields from_, to_, sorted_ = fields(from_[0].size());
  int n_, cells_;
  Buffer<int32_t> cell_{static_cast<size_t>(n_)};
  Buffer<int32_t> first_{static_cast<size_t>(cells_) * cells_ + 1};
  Buffer<int32_t> next_{static_cast<size_t>(cells_) * cells_ + 1};
};

Workload prepare(int n, int cells) {
  const auto count = static_cast<size_t>(n);
  Fields start = fields(count);
  start[0] = random_numbers(count, 0, 1, 1), start[1] = random_numbers(count, 0, 1, 2);
  const Buffer<> angle = random_numbers(count, 0, 6.2831f, 3);
  for (size_t i = 0; i < count; ++i)
    start[2][i] = std::cos(angle[i]), start[3][i] = std::sin(angle[i]);
  const auto array = [=](size_t k) { return Array<1, float>(start[k].data(), Shape<1>(n)); };
  const Array<1, Value2f> position = join(array(0), array(1)), direction = join(array(2), array(3));
  const auto flock = std::make_shared<applications::Flock>(position, direction, cells);
  const auto step = [=] {
    flock->position = position;
    flock->direction = direction;
    flock->step();
  };
  const Fields result = fields(count);
  const PlainFlock plain_flock(start, result, cells);
  // What a baseline on another device needs to know.
  const Buffer<int32_t> side(1);
  side[0] = cells;
  return {
      .tutti = step,
      .baseline = [=] { plain_flock.step(); },
      .disagreement =
          [=] {
            step();
            double most = 0;
            for (int k = 0; k < 2; ++k) {
              const auto part = static_cast<size_t>(k);
              most = std::max(most, disagreement(result[part], flock->position.component(k)));
              most = std::max(most, disagreement(result[part + 2], flock->direction.component(k)));
            }
            return most;
          },
      .inputs = {start[0], start[1], start[2], start[3], side},
      .outputs = {result[0], result[1], result[2], result[3]},
  };
}

}  // namespace

Comparison flocking_benchmark() {
  return {.name = "flocking",
          .description = "a step of a flock through a uniform grid",
          .sizes = {{"16000", true, [] { return prepare(16000, 64); }},
                    {"256000", false, [] { return prepare(256000, 256); }}},
          .gpu_sizes = {{"16000", false, [] { return prepare(16000, 64); }},
                        {"1000000", false, [] { return prepare(1000000, 512); }}},
          .tolerance = 5e-3,
          .reason = "neighbours are summed up in another order"};
}

}  // namespace tutti::bench
