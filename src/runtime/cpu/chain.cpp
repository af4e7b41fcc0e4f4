#include "runtime/cpu/chain.hpp"

#include <algorithm>
#include <map>

#include "core/statistics.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/kernel_cache.hpp"
#include "runtime/pool.hpp"

namespace tutti::runtime {
namespace {

using passes::ChainStep;
using passes::KernelStep;
using passes::RowRange;
using passes::Strip;
using Words = std::vector<std::vector<int64_t>>;

class ChainRun {
 public:
  ChainRun(const ChainStep& chain, const Words& words) : chain_(chain), words_(words) {
    for (const KernelStep& step : chain.kernels) entries_.push_back(find_kernel(step));
  }

  void run() {
    std::vector<const Strip*> whole, scattered;
    for (const Strip& strip : chain_.strips) (strip.scattered ? scattered : whole).push_back(&strip);
    // Strips at a border that wraps need rows from the other end: they share one task and whole arrays.
    const int64_t tasks = static_cast<int64_t>(whole.size()) + (scattered.empty() ? 0 : 1);
    parallel_for(tasks, [&](int64_t task) {
      if (task < static_cast<int64_t>(whole.size()))
        run_strip(*whole[static_cast<size_t>(task)]);
      else
        run_scattered(scattered);
    });
  }

 private:
  int64_t row_bytes(ElementType type) const { return chain_.columns * size_of(type); }

  // Internal values of one strip lie in a small buffer. Kernels address rows by their number in the
  // whole array, so they get the address where row 0 would be.
  void run_strip(const Strip& strip) {
    int64_t bytes = 0;
    std::map<int, int64_t> offsets;  // of row 0 of each internal value
    for (size_t k = 0; k < chain_.kernels.size(); ++k)
      for (const passes::Output& output : chain_.kernels[k].kernel.outputs)
        if (is_internal(output.value) && !strip.rows[k].empty()) {
          const RowRange rows = strip.rows[k][0];
          offsets[output.value] = bytes - rows.begin * row_bytes(output.type);
          bytes += ((rows.end - rows.begin) * row_bytes(output.type) + 63) / 64 * 64;
        }
    const ir::BufferRef scratch = allocate(static_cast<size_t>(bytes));
    Words words = words_;
    for (auto& [value, offset] : offsets) place(words, value, reinterpret_cast<int64_t>(scratch->data()) + offset);
    run_rows(strip, words);
  }

  void run_scattered(const std::vector<const Strip*>& strips) {
    Words words = words_;
    std::vector<ir::BufferRef> buffers;
    for (const KernelStep& step : chain_.kernels)
      for (const passes::Output& output : step.kernel.outputs)
        if (is_internal(output.value)) {
          buffers.push_back(allocate(static_cast<size_t>(chain_.rows * row_bytes(output.type))));
          place(words, output.value, reinterpret_cast<int64_t>(buffers.back()->data()));
        }
    for (const Strip* strip : strips) run_rows(*strip, words);
  }

  void run_rows(const Strip& strip, const Words& words) {
    for (size_t k = 0; k < chain_.kernels.size(); ++k)
      for (const RowRange& rows : strip.rows[k]) {
        if (chain_.kernels[k].kernel.domain.rank == 1)
          entries_[k](words[k].data(), 0, 1, rows.begin * chain_.columns, rows.end * chain_.columns);
        else
          entries_[k](words[k].data(), rows.begin, rows.end, 0, chain_.columns);
      }
  }

  bool is_internal(int value) const {
    return std::find(chain_.internal.begin(), chain_.internal.end(), value) != chain_.internal.end();
  }

  // Tells every kernel of the chain where an internal value is.
  void place(Words& words, int value, int64_t address) const {
    for (size_t k = 0; k < chain_.kernels.size(); ++k) {
      const KernelStep& step = chain_.kernels[k];
      for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o)
        if (step.kernel.outputs[static_cast<size_t>(o)].value == value)
          words[k][static_cast<size_t>(step.layout.output(o))] = address;
      for (int s = 0; s < static_cast<int>(step.kernel.sources.size()); ++s) {
        const passes::Source& source = step.kernel.sources[static_cast<size_t>(s)];
        if (source.is_value && source.id == value) words[k][static_cast<size_t>(step.layout.source(s))] = address;
      }
    }
  }

  const ChainStep& chain_;
  const Words& words_;
  std::vector<codegen::Entry> entries_;
};

}  // namespace

void run_chain(const ChainStep& chain, Words words) {
  counters().kernel_launches += static_cast<int64_t>(chain.kernels.size());
  ChainRun(chain, words).run();
}

}  // namespace tutti::runtime
