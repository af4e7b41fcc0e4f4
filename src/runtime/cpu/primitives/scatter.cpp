// Stores values at computed indices. Integers, whose order does not matter, are combined in tables
// of the threads if the result is small: histograms. Otherwise collisions are resolved in the order
// of the values, whatever the number of threads. With few threads one of them does all the work.
// Otherwise threads sort parts of the values by ranges of indices, and each range is written by one
// thread.
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "core/elements/rounding.hpp"
#include "numerics/combine.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/scattered.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t values_worth_threads = 1 << 15;
// One thread takes about 1.4 ns for each of 10^6 values and 10^4 targets. Sorting them first takes
// some 4 ns more, shared by the threads (AVX-512, November 2026).
constexpr int64_t threads_worth_sorting = 4;
constexpr int64_t ranges_per_thread = 4;  // because indices may be distributed unevenly
// Values that a thread sorts before they are written: with their indices they stay in a
// second-level cache of 1 MB.
constexpr int64_t values_per_round = 1 << 16;
// A thread that wakes up late leaves its parts to the others.
constexpr int64_t parts_per_thread = 4;
constexpr int64_t values_per_entry =
    16;  // of the tables of a thread, which are combined at the end
constexpr int64_t table_bytes = 1 << 18;  // of a thread: half of a second-level cache of 512 KB
constexpr int64_t near_bytes = 1 << 13;   // of a table, four of which fit a first-level cache
constexpr int64_t values_per_index = 4;   // at least: a table must be initialised and combined
constexpr int64_t most_counted = int64_t{1} << 31;  // by an entry of 32 bits
constexpr int64_t block = 256;                      // values whose indices are checked together
constexpr int64_t line_bytes = 64;                  // of a cache
constexpr int64_t copy_task = 1 << 20;              // bytes

// Fetches a cache line that will be written. After a round other cores have read it, and a store
// would wait until they give it up.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

template <class T, class P>
class Scatter {
 public:
  explicit Scatter(const PrimitiveArguments& arguments)
      : collision_(arguments.step.get<Collision>()),
        places_(arguments.step.shape.size()),
        scattered_(arguments),
        count_(scattered_.count()),
        out_(arguments.output<T>()) {}

  void run() {
    constexpr bool logical = std::is_same_v<T, bool>;
    switch (collision_) {
      case Collision::sum:
        if constexpr (ir::combines<T>(Reduction::sum)) combine<Reduction::sum>();
        return;
      case Collision::min:
        return combine<logical ? Reduction::all : Reduction::min>();
      case Collision::max:
        return combine<logical ? Reduction::any : Reduction::max>();
      case Collision::first:  // written in reverse, so that the first value remains
        return for_each_value<true>([](T, T value) { return value; });
      case Collision::any:
      case Collision::last:
        return for_each_value<false>([](T, T value) { return value; });
    }
  }

 private:
  using Values = Stretch<T, P>;

  bool is_inside(P place) const {
    return static_cast<uint64_t>(int64_t{place}) < static_cast<uint64_t>(places_);
  }

  template <Reduction reduction>
  void combine() {
    if constexpr (std::is_integral_v<T>)
      if (count_ >= values_worth_threads && count_ / values_per_index >= places_ &&
          places_ * static_cast<int64_t>(sizeof(T)) <= table_bytes)
        return combine_in_tables<reduction>();
    for_each_value<false>([](T sum, T value) { return ir::combine<reduction>(sum, value); });
  }

  template <Reduction reduction>
  void combine_in_tables() {
    if constexpr (reduction == Reduction::sum)
      if (const std::optional<T> value = scattered_.constant_value())
        return count_in_tables(*value);
    const auto combine = [](T& to, T total) { to = ir::combine<reduction>(to, total); };
    const auto add = [](T& to, const Values& v, int64_t i) {
      to = ir::combine<reduction>(to, v.values[i]);
    };
    in_tables(
        neutral<reduction>(),
        [&](int64_t begin, int64_t end, T* table, int64_t copies) {
          add_to_tables<false>(begin, end, table, copies, add);
        },
        combine, combine);
  }

  // Adds one value at all indices: counts the indices, and multiplies.
  void count_in_tables(T value) {
    const uint8_t* const bytes = scattered_.bytes_below(places_);
    const auto add = [](uint32_t& to, const Values&, int64_t) { ++to; };
    in_tables(
        uint32_t{0},
        [&](int64_t begin, int64_t end, uint32_t* table, int64_t copies) {
          if (bytes && copies == 4)
            count_bytes(bytes + begin, bytes + end, table);
          else
            add_to_tables<true>(begin, end, table, copies, add);
        },
        [](uint32_t& to, uint32_t count) { to += count; },
        [value](T& to, uint32_t count) {
          to = static_cast<T>(static_cast<uint64_t>(to) + static_cast<uint64_t>(value) * count);
        });
  }

  // Adds to the four tables of a thread.
  void count_bytes(const uint8_t* bytes, const uint8_t* end, uint32_t* table) const {
    std::array<uint32_t*, 4> tables{};
    for (int64_t c = 0; c < 4; ++c) tables[static_cast<size_t>(c)] = table + c * places_;
    for (; end - bytes >= 8; bytes += 8) {
      uint64_t word;
      std::memcpy(&word, bytes, sizeof word);
      for (size_t k = 0; k < 8; ++k) ++tables[k % 4][word >> 8 * k & 255];
    }
    for (; bytes < end; ++bytes) ++table[*bytes];
  }

  // Threads take parts of the values and have tables of their own. Neighbouring values alternate
  // between several of them, so that equal indices do not wait for each other's stores. A thread
  // merges its tables, so that only one of them moves to another core. add(begin, end, table,
  // copies) adds values to tables, merge(entry, entry) an entry to another, take(result, entry) to
  // a result.
  template <class Entry, class Add, class Merge, class Take>
  void in_tables(Entry neutral, Add add, Merge merge, Take take) {
    const int64_t copies = places_ * static_cast<int64_t>(sizeof(Entry)) <= near_bytes ? 4 : 1;
    const int64_t least = std::max(values_worth_threads, values_per_entry * copies * places_);
    const int64_t threads = cpu_threads();
    const int64_t parts =
        std::max(std::clamp<int64_t>(count_ / least, 1, parts_per_thread * threads),
                 count_ / most_counted + 1);
    const bool countable = count_ <= most_counted;  // by one table
    const int64_t tasks = countable ? std::min(threads, parts) : parts;
    const int64_t size =
        round_up(copies * places_, line_bytes / static_cast<int64_t>(sizeof(Entry)));
    const ir::BufferRef memory = allocate(static_cast<size_t>(tasks * size) * sizeof(Entry));
    auto* const tables = static_cast<Entry*>(memory->data());
    std::atomic<int64_t> next{0};
    std::vector<uint8_t> used(static_cast<size_t>(tasks));
    parallel_for(tasks, [&](int64_t task) {
      Entry* const table = tables + task * size;
      int64_t part = next++;
      if (part >= parts) return;
      used[static_cast<size_t>(task)] = 1;
      std::fill_n(table, copies * places_, neutral);
      for (; part < parts; part = countable ? next++ : parts)
        add(count_ * part / parts, count_ * (part + 1) / parts, table, copies);
      for (int64_t copy = 1; copy < copies; ++copy)
        for (int64_t at = 0; at < places_; ++at) merge(table[at], table[copy * places_ + at]);
    });
    in_parts(places_, values_worth_threads, [&](int64_t begin, int64_t end) {
      for (int64_t t = 0; t < tasks; ++t)
        for (int64_t at = begin; used[static_cast<size_t>(t)] && at < end; ++at)
          take(out_[at], tables[t * size + at]);
    });
  }

  template <bool without_values, class Entry, class Add>
  void add_to_tables(int64_t begin, int64_t end, Entry* table, int64_t copies, Add add) const {
    const bool all_inside = scattered_.stay_below(places_);
    scattered_.template for_each_stretch<false, without_values>(begin, end, [&](const Values& v) {
      if (copies == 4)
        add_stretch<4>(v, table, all_inside, add);
      else
        add_stretch<1>(v, table, all_inside, add);
    });
  }

  // Most indices are inside: one check serves a block of them.
  template <int64_t copies, class Entry, class Add>
  void add_stretch(const Values& v, Entry* table, bool all_inside, Add add) const {
    const int64_t places = places_;
    const P* const at = v.places;
    int64_t i = v.first;
    for (; i + block <= v.last; i += block)
      if (all_inside || block_is_inside(at + i))
        for (int64_t k = 0; k < block; k += 4)
          for (int64_t c = 0; c < 4; ++c)
            add(table[c % copies * places + at[i + k + c]], v, i + k + c);
      else
        add_checked(v, i, i + block, table, add);
    add_checked(v, i, v.last, table, add);
  }

  template <class Entry, class Add>
  void add_checked(const Values& v, int64_t begin, int64_t end, Entry* table, Add add) const {
    for (int64_t i = begin; i < end; ++i)
      if (is_inside(v.places[i])) add(table[v.places[i]], v, i);
  }

  // Checks without a branch for each index: the sign bit is set if one is negative or too large.
  bool block_is_inside(const P* at) const {
    using Bits = std::make_unsigned_t<P>;
    const auto last =
        static_cast<Bits>(std::min<int64_t>(places_ - 1, std::numeric_limits<P>::max()));
    Bits outside = 0;
    for (int64_t i = 0; i < block; ++i)
      outside |= static_cast<Bits>(at[i]) | (last - static_cast<Bits>(at[i]));
    return static_cast<P>(outside) >= 0;
  }

  template <Reduction reduction>
  static constexpr T neutral() {
    if constexpr (reduction == Reduction::min) return std::numeric_limits<T>::max();
    if constexpr (reduction == Reduction::max) return std::numeric_limits<T>::lowest();
    return T{reduction == Reduction::all};
  }

  // Replaces the element at an index by f(element, value) for the values whose index is inside, in
  // order of the values of each index (or in reverse order).
  template <bool backwards, class F>
  void for_each_value(F f) {
    if (count_ >= values_worth_threads && cpu_threads() >= threads_worth_sorting)
      return in_ranges<backwards>(f);
    scattered_.template for_each_stretch<backwards>(0, count_, [&](const Values& v) {
      for (int64_t k = v.first; k < v.last; ++k) {
        const int64_t i = backwards ? v.last - 1 - (k - v.first) : k;
        if (is_inside(v.places[i])) out_[v.places[i]] = f(out_[v.places[i]], v.values[i]);
      }
    });
  }

  struct Entry {
    P place;
    T value;
  };

  // Some values of one thread with their indices, in lists by range. A list is a chain of blocks,
  // so that one pass over the values makes all of them.
  class Part {
   public:
    void clear(int64_t ranges) {
      if (!memory_) {
        const auto blocks = static_cast<size_t>(values_per_round / chain_block + ranges);
        memory_ = allocate(blocks * chain_block * sizeof(Entry));
        entries_ = static_cast<Entry*>(memory_->data());
        next_.resize(blocks);
      }
      cursors_.assign(static_cast<size_t>(ranges), 0);
      chains_.assign(static_cast<size_t>(ranges), {none, none});
      used_ = 0;
    }

    void add(size_t range, P place, T value) {
      uint32_t at = cursors_[range];
      if (at % chain_block == 0) at = begin_block(range);
      entries_[at] = {place, value};
      cursors_[range] = at + 1;
    }

    // Returns where the entries of a range begin.
    const Entry* first(size_t range) const {
      const uint32_t block = chains_[range].first;
      return block == none ? entries_ : entries_ + start_of(block);
    }

    // Calls f(place, value) for the entries of a range, in the order in which they were added. The
    // next block is fetched meanwhile, because another core has written it. After the last one that
    // is `then`.
    template <class F>
    void for_each(size_t range, const Entry* then, F f) const {
      const Chain& chain = chains_[range];
      for (uint32_t b = chain.first; b != none; b = b == chain.last ? none : next_[b]) {
        const bool is_last = b == chain.last;
        const Entry* const begin = entries_ + start_of(b);
        const Entry* const end = is_last ? entries_ + cursors_[range] : begin + chain_block;
        const Entry* ahead = is_last ? then : entries_ + start_of(next_[b]);
        for (const Entry* entry = begin; entry < end; ahead += entries_of_line) {
          __builtin_prefetch(ahead);
          for (const Entry* stop = std::min(entry + entries_of_line, end); entry < stop; ++entry)
            f(entry->place, entry->value);
        }
      }
    }

   private:
    static constexpr uint32_t chain_block = 256;  // entries
    static constexpr auto entries_of_line = static_cast<uint32_t>(64 / sizeof(Entry));
    static size_t start_of(uint32_t number) { return size_t{number} * chain_block; }
    static constexpr uint32_t none = UINT32_MAX;
    struct Chain {
      uint32_t first, last;
    };

    uint32_t begin_block(size_t range) {
      Chain& chain = chains_[range];
      (chain.first == none ? chain.first : next_[chain.last]) = used_;
      chain.last = used_++;
      if (used_ < next_.size())  // the block that begins next, whichever range that is for
        for (uint32_t i = 0; i < chain_block; i += entries_of_line)
          prefetch_to_write(entries_ + start_of(used_) + i);
      return chain.last * chain_block;
    }

    ir::BufferRef memory_;
    Entry* entries_ = nullptr;
    std::vector<uint32_t> next_, cursors_;  // by block, by range
    std::vector<Chain> chains_;             // of blocks, by range
    uint32_t used_ = 0;
  };

  template <bool backwards, class F>
  void in_ranges(F f) {
    const int64_t threads = cpu_threads();
    const int shift =
        std::bit_width(static_cast<uint64_t>(places_ / (ranges_per_thread * threads)));
    const int64_t ranges = ((places_ - 1) >> shift) + 1;
    std::vector<Part> parts(static_cast<size_t>(threads));
    const int64_t round = std::min(count_, threads * values_per_round);
    for (int64_t done = 0; done < count_; done += round) {
      const int64_t length = std::min(round, count_ - done);
      const int64_t first = backwards ? count_ - done - length : done;
      parallel_for(threads, [&](int64_t part) {
        sort<backwards>(first + length * part / threads, first + length * (part + 1) / threads,
                        shift, ranges, parts[static_cast<size_t>(part)]);
      });
      parallel_for(ranges, [&](int64_t range) {
        const auto at = static_cast<size_t>(range);
        const auto part = [&](int64_t k) -> const Part& {
          return parts[static_cast<size_t>(backwards ? threads - 1 - k : k)];
        };
        for (int64_t k = 0; k < threads; ++k)
          part(k).for_each(at, part(std::min(k + 1, threads - 1)).first(at),
                           [&](P place, T value) { out_[place] = f(out_[place], value); });
      });
    }
  }

  // Values whose index is outside go to an extra range that is not read, so they need no branch.
  template <bool backwards>
  void sort(int64_t begin, int64_t end, int shift, int64_t ranges, Part& part) {
    part.clear(ranges + 1);
    scattered_.template for_each_stretch<backwards>(begin, end, [&](const Values& v) {
      for (int64_t k = v.first; k < v.last; ++k) {
        const int64_t i = backwards ? v.last - 1 - (k - v.first) : k;
        const P place = v.places[i];
        const size_t range = static_cast<size_t>(place) >> shift;
        part.add(is_inside(place) ? range : static_cast<size_t>(ranges), place, v.values[i]);
      }
    });
  }

  const Collision collision_;
  const int64_t places_;
  const Scattered<T, P> scattered_;
  const int64_t count_;
  T* const out_;
};

}  // namespace

void scatter(const PrimitiveArguments& arguments) {
  auto* out = arguments.output<char>();
  const auto* base = arguments.input<char>(0);
  const compiler::Extents& shape = arguments.step.shape;
  if (out != base)  // otherwise the base is overwritten
    in_parts(shape.size() * size_of(arguments.step.type), copy_task,
             [&](int64_t begin, int64_t end) {
               std::memcpy(out + begin, base + begin, static_cast<size_t>(end - begin));
             });
  const bool narrow = shape.rank == 1 && arguments.step.inputs[2].type == ElementType::i32;
  visit_type(arguments.step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (narrow)
      Scatter<T, int32_t>(arguments).run();
    else
      Scatter<T, int64_t>(arguments).run();
  });
}

}  // namespace tutti::runtime
