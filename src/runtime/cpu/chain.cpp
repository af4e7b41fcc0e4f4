#include "runtime/cpu/chain.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "compiler/plan/joined_rows.hpp"
#include "core/process/interruption.hpp"
#include "core/statistics.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/cpu/thread_pool.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime {
namespace {

using compiler::ChainStep;
using compiler::KernelStep;
using compiler::RowBlock;
using compiler::RowRange;
using AllWords = std::vector<Words>;  // by kernel

// The memory for the windows of the tasks that run at the same time.
class WindowMemory {
 public:
  WindowMemory(int64_t tasks, int64_t task_bytes)
      : task_bytes_(task_bytes),
        taken_(static_cast<size_t>(tasks)),
        memory_(allocate(static_cast<size_t>(tasks * task_bytes))) {}

  // The memory of one task while it exists.
  class Use {
   public:
    // Prefers the memory of a number, which a core has in its own cache if it always uses the same.
    Use(WindowMemory& of, int64_t preferred) : of_(of), number_(static_cast<size_t>(preferred)) {
      while (of_.taken_[number_].flag.exchange(true)) number_ = (number_ + 1) % of_.taken_.size();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { of_.taken_[number_].flag = false; }
    char* data() const {
      return static_cast<char*>(of_.memory_->data()) +
             static_cast<int64_t>(number_) * of_.task_bytes_;
    }

   private:
    WindowMemory& of_;
    size_t number_;
  };

 private:
  struct alignas(64) Taken {
    std::atomic<bool> flag{false};
  };
  const int64_t task_bytes_;
  std::vector<Taken> taken_;
  const ir::BufferRef memory_;
};

class ChainRun {
 public:
  ChainRun(const ChainStep& chain, const AllWords& words)
      : chain_(chain), words_(words), joined_(chain.kernels.size()) {
    entries_.reserve(chain.kernels.size());
    for (const KernelStep& step : chain.kernels) entries_.push_back(find_kernel(step));
    for (const compiler::Window& window : chain.windows) windows_.push_back(uses_of(window));
  }

  void run() {
    std::vector<const RowBlock*> whole, scattered;
    for (const RowBlock& row_block : chain_.row_blocks)
      (row_block.scattered ? scattered : whole).push_back(&row_block);
    // Row blocks at a border that wraps need rows from the other end: they share one task and whole
    // arrays. It comes first, because it is long. All others compute a column tile of a row block.
    const int64_t before = scattered.empty() ? 0 : 1;
    const auto tiles = static_cast<int64_t>(chain_.tiles.size());
    const int64_t tasks = static_cast<int64_t>(whole.size()) * tiles + before;
    const int64_t threads = std::min<int64_t>(tasks, cpu_threads());
    WindowMemory memory(threads, chain_.window_bytes);
    parallel_for(tasks, [&](int64_t task) {
      if (task < before) return run_scattered(scattered);
      const int64_t number = task - before;
      const WindowMemory::Use windows(memory, part_of(task, tasks, threads));
      run_tile(*whole[static_cast<size_t>(number / tiles)],
               chain_.tiles[static_cast<size_t>(number % tiles)], windows.data());
    });
  }

 private:
  // A window, and the words that hold its address and its pitch.
  struct Uses {
    const compiler::Window& window;
    int64_t row_bytes;
    std::vector<std::pair<size_t, size_t>> addresses, pitches;  // kernel and word
  };

  Uses uses_of(const compiler::Window& window) {
    Uses uses{window, chain_.pitch * window.element_bytes, {}, {}};
    for (size_t k = 0; k < chain_.kernels.size(); ++k) {
      const KernelStep& step = chain_.kernels[k];
      const bool joined = compiler::joins_rows(step.kernel, chain_);
      const auto add = [&](int address, int pitch) {
        uses.addresses.push_back({k, static_cast<size_t>(address)});
        if (joined)
          joined_[k].push_back({static_cast<size_t>(address), window.element_bytes});
        else
          uses.pitches.push_back({k, static_cast<size_t>(pitch)});
      };
      for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o)
        if (step.kernel.outputs[static_cast<size_t>(o)].value == window.value)
          add(step.layout.output(o), step.layout.output_stride(o));
      for (int s = 0; s < static_cast<int>(step.kernel.sources.size()); ++s) {
        const compiler::Source& source = step.kernel.sources[static_cast<size_t>(s)];
        if (source.is_value && source.id == window.value)
          add(step.layout.source(s), step.layout.stride(s, 0));
      }
    }
    return uses;
  }

  static void place(AllWords& words, const Uses& uses, int64_t address) {
    for (const auto& [kernel, word] : uses.addresses) words[kernel][word] = address;
  }

  // Internal values are in small windows that move down the row block. Kernels address rows and
  // columns by their indices in the whole array, so they get the address of its virtual origin.
  void run_tile(const RowBlock& row_block, const std::vector<RowRange>& columns, char* first) {
    AllWords words = words_;
    const std::vector<compiler::WindowRows>* before = nullptr;
    for (const auto& position : row_block.positions) {
      stop_if_interrupted();
      for (const Uses& uses : windows_) {
        const size_t k = uses.window.kernel;
        char* memory = first + uses.window.offset;
        if (before) move_up(uses, columns[k], (*before)[k], position[k], memory);
        place(words, uses,
              reinterpret_cast<int64_t>(memory) - position[k].window * uses.row_bytes -
                  first_column(columns[k]) * uses.window.element_bytes);
      }
      for (size_t k = 0; k < position.size(); ++k)
        run_rows(k, position[k].rows, columns[k], chain_.pitch, words);
      before = &position;
    }
  }

  // Returns the column of the array that is at the start of a window's row.
  int64_t first_column(const RowRange& columns) const {
    return chain_.tiles.size() == 1 ? 0 : columns.begin;
  }

  // Moves the rows that this position needs again to the top of the window.
  static void move_up(const Uses& uses, const RowRange& columns, const compiler::WindowRows& before,
                      const compiler::WindowRows& rows, char* memory) {
    const int64_t down = rows.window - before.window;
    if (down <= 0) return;
    for (int64_t row = 0; row < rows.rows.begin - rows.window; ++row)
      std::memcpy(memory + row * uses.row_bytes, memory + (row + down) * uses.row_bytes,
                  static_cast<size_t>((columns.end - columns.begin) * uses.window.element_bytes));
  }

  void run_scattered(const std::vector<const RowBlock*>& row_blocks) {
    AllWords words = words_;
    std::vector<ir::BufferRef> buffers;
    for (const Uses& uses : windows_) {
      const int64_t row_bytes = chain_.columns * uses.window.element_bytes;
      buffers.push_back(allocate(static_cast<size_t>(chain_.rows * row_bytes)));
      place(words, uses, reinterpret_cast<int64_t>(buffers.back()->data()));
      for (const auto& [kernel, word] : uses.pitches) words[kernel][word] = chain_.columns;
    }
    for (const RowBlock* row_block : row_blocks)
      for (size_t k = 0; k < row_block->rows.size(); ++k)
        for (const RowRange& rows : row_block->rows[k])
          run_rows(k, rows, {0, chain_.columns}, chain_.columns, words);
  }

  void run_rows(size_t k, const RowRange& rows, const RowRange& columns, int64_t pitch,
                AllWords& words) {
    if (rows.begin >= rows.end) return;
    if (!compiler::joins_rows(chain_.kernels[k].kernel, chain_))
      entries_[k](words[k].data(), rows.begin, rows.end, columns.begin, columns.end);
    else if (pitch == chain_.columns && columns.end - columns.begin == chain_.columns)
      run_planes(k, rows.begin * chain_.columns, rows.end * chain_.columns, words);
    else
      run_single_rows(k, rows, columns, pitch, words);
  }

  // Runs a kernel with joined axes on some elements of the image, in every plane.
  void run_planes(size_t k, int64_t begin, int64_t end, AllWords& words) {
    const auto& domain = chain_.kernels[k].kernel.domain;
    const int64_t planes = domain.rank == 1 ? 1 : domain[0];
    for (int64_t plane = 0; plane < planes; ++plane)
      entries_[k](words[k].data(), plane, plane + 1, begin, end);
  }

  // Runs a kernel with joined axes row by row. It counts elements and assumes the row length of the
  // array, so addresses are adjusted to the pitch.
  void run_single_rows(size_t k, const RowRange& rows, const RowRange& columns, int64_t pitch,
                       AllWords& words) {
    const auto move = [&](int64_t count) {
      for (const auto& [word, element_bytes] : joined_[k])
        words[k][word] += count * (pitch - chain_.columns) * element_bytes;
    };
    move(rows.begin);
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      const int64_t first = row * chain_.columns;
      run_planes(k, first + columns.begin, first + columns.end, words);
      move(1);
    }
    move(-rows.end);
  }

  const ChainStep& chain_;
  const AllWords& words_;
  std::vector<PinnedCode> entries_;
  std::vector<Uses> windows_;
  // By kernel, if its axes are joined: the words that hold addresses of windows, and the bytes of
  // an element.
  std::vector<std::vector<std::pair<size_t, int64_t>>> joined_;
};

}  // namespace

void run_chain(const ChainStep& chain, const AllWords& words) {
  counters().kernel_launches += static_cast<int64_t>(chain.kernels.size());
  ChainRun(chain, words).run();
}

}  // namespace tutti::runtime
