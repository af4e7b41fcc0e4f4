#include "runtime/cpu/chain.hpp"

#include <algorithm>
#include <cstring>

#include "core/interruption.hpp"
#include "core/statistics.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

using compiler::ChainStep;
using compiler::KernelStep;
using compiler::RowBlock;
using compiler::RowRange;
using AllWords = std::vector<Words>;  // by kernel

class ChainRun {
 public:
  ChainRun(const ChainStep& chain, const AllWords& words) : chain_(chain), words_(words) {
    entries_.reserve(chain.kernels.size());
    for (size_t k = 0; k < chain.kernels.size(); ++k) {
      entries_.push_back(find_kernel(chain.kernels[k]));
      for (const compiler::Output& output : chain.kernels[k].kernel.outputs)
        if (std::count(chain.internal.begin(), chain.internal.end(), output.value))
          windows_.push_back(window_of(k, output));
    }
  }

  void run() {
    std::vector<const RowBlock*> whole, scattered;
    for (const RowBlock& row_block : chain_.row_blocks)
      (row_block.scattered ? scattered : whole).push_back(&row_block);
    // Row blocks at a border that wraps need rows from the other end: they share one task and whole
    // arrays.
    const int64_t tasks = static_cast<int64_t>(whole.size()) + (scattered.empty() ? 0 : 1);
    parallel_for(tasks, [&](int64_t task) {
      if (task < static_cast<int64_t>(whole.size()))
        run_row_block(*whole[static_cast<size_t>(task)]);
      else
        run_scattered(scattered);
    });
  }

 private:
  // An internal value: who makes it, how large its rows are, and the words that hold its address.
  struct Window {
    size_t kernel;
    int64_t row_bytes, bytes;
    std::vector<std::pair<size_t, size_t>> words;
  };

  Window window_of(size_t maker, const compiler::Output& made) const {
    Window window{maker, chain_.columns * size_of(made.type), 0, {}};
    window.bytes = (chain_.window_rows[maker] * window.row_bytes + 127) / 64 * 64;
    for (size_t k = 0; k < chain_.kernels.size(); ++k) {
      const KernelStep& step = chain_.kernels[k];
      for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o)
        if (step.kernel.outputs[static_cast<size_t>(o)].value == made.value)
          window.words.push_back({k, static_cast<size_t>(step.layout.output(o))});
      for (int s = 0; s < static_cast<int>(step.kernel.sources.size()); ++s) {
        const compiler::Source& source = step.kernel.sources[static_cast<size_t>(s)];
        if (source.is_value && source.id == made.value)
          window.words.push_back({k, static_cast<size_t>(step.layout.source(s))});
      }
    }
    return window;
  }

  static void place(AllWords& words, const Window& window, int64_t address) {
    for (const auto& [kernel, word] : window.words) words[kernel][word] = address;
  }

  // Internal values lie in small windows that move down the row block. Kernels address rows by
  // their number in the whole array, so they are told where row 0 would be.
  void run_row_block(const RowBlock& row_block) {
    int64_t bytes = 0;
    for (const Window& window : windows_) bytes += window.bytes;
    const ir::BufferRef scratch = allocate(static_cast<size_t>(bytes));
    AllWords words = words_;
    for (const auto& columns : chain_.tiles)
      run_tile(row_block, columns, words, static_cast<char*>(scratch->data()));
  }

  void run_tile(const RowBlock& row_block, const std::vector<RowRange>& columns, AllWords& words,
                char* scratch) {
    const std::vector<compiler::WindowRows>* before = nullptr;
    for (const auto& position : row_block.positions) {
      stop_if_interrupted();
      char* memory = scratch;
      for (const Window& window : windows_) {
        const compiler::WindowRows& rows = position[window.kernel];
        if (before) move_up(window, columns[window.kernel], (*before)[window.kernel], rows, memory);
        place(words, window, reinterpret_cast<int64_t>(memory) - rows.window * window.row_bytes);
        memory += window.bytes;
      }
      for (size_t k = 0; k < position.size(); ++k) run_rows(k, position[k].rows, columns[k], words);
      before = &position;
    }
  }

  // The rows that this position needs again go to the top of the window.
  void move_up(const Window& window, const RowRange& columns, const compiler::WindowRows& before,
               const compiler::WindowRows& rows, char* memory) const {
    const int64_t down = rows.window - before.window, element = window.row_bytes / chain_.columns;
    if (down <= 0) return;
    for (int64_t row = 0; row < rows.rows.begin - rows.window; ++row)
      std::memcpy(memory + row * window.row_bytes + columns.begin * element,
                  memory + (row + down) * window.row_bytes + columns.begin * element,
                  static_cast<size_t>((columns.end - columns.begin) * element));
  }

  void run_scattered(const std::vector<const RowBlock*>& row_blocks) {
    AllWords words = words_;
    std::vector<ir::BufferRef> buffers;
    for (const Window& window : windows_) {
      buffers.push_back(allocate(static_cast<size_t>(chain_.rows * window.row_bytes)));
      place(words, window, reinterpret_cast<int64_t>(buffers.back()->data()));
    }
    for (const RowBlock* row_block : row_blocks)
      for (size_t k = 0; k < row_block->rows.size(); ++k)
        for (const RowRange& rows : row_block->rows[k])
          run_rows(k, rows, {0, chain_.columns}, words);
  }

  void run_rows(size_t k, const RowRange& rows, const RowRange& columns, const AllWords& words) {
    if (rows.begin >= rows.end) return;
    const bool flat = chain_.kernels[k].kernel.domain.rank == 1;
    if (!flat) {
      entries_[k](words[k].data(), rows.begin, rows.end, columns.begin, columns.end);
    } else if (columns.end - columns.begin == chain_.columns) {
      entries_[k](words[k].data(), 0, 1, rows.begin * chain_.columns, rows.end * chain_.columns);
    } else {
      for (int64_t row = rows.begin; row < rows.end; ++row)
        entries_[k](words[k].data(), 0, 1, row * chain_.columns + columns.begin,
                    row * chain_.columns + columns.end);
    }
  }

  const ChainStep& chain_;
  const AllWords& words_;
  std::vector<PinnedCode> entries_;
  std::vector<Window> windows_;
};

}  // namespace

void run_chain(const ChainStep& chain, AllWords words) {
  counters().kernel_launches += static_cast<int64_t>(chain.kernels.size());
  ChainRun(chain, words).run();
}

}  // namespace tutti::runtime
