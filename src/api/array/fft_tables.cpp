#include "api/array/fft_tables.hpp"

#include <list>
#include <mutex>

#include "core/process/fork.hpp"
#include "numerics/fourier.hpp"
#include "tutti/transform.hpp"

namespace tutti::detail {
namespace {

using ir::radices_of;
using ir::Root;
using ir::root_of_unity;

template <class F>
ComplexNodes table(ElementType type, std::initializer_list<int64_t> extents, F root) {
  Extents shape;
  for (const int64_t extent : extents) shape.push_back(extent);
  const auto count = static_cast<size_t>(shape.size());
  std::vector<double> real(count), imag(count);
  for (size_t i = 0; i < count; ++i) {
    const Root value = root(static_cast<int64_t>(i));
    real[i] = value.real;
    imag[i] = value.imag;
  }
  const auto leaf = [&](const std::vector<double>& values) {
    if (type == ElementType::f64) return from_host(type, shape, values.data(), count, Location());
    const std::vector<float> narrow(values.begin(), values.end());
    return from_host(type, shape, narrow.data(), count, Location());
  };
  return {leaf(real), leaf(imag)};
}

FftStep step_of(int64_t radix, int64_t rest, int64_t done, ElementType type) {
  FftStep step{radix, rest, done, rest >= done, {}, {}};
  const int64_t length = radix * rest;
  if (rest > 1) {
    if (step.by_transform)
      step.twiddles = table(type, {radix, 1, rest}, [&](int64_t i) {
        return root_of_unity(i / rest * (i % rest) % length, length);
      });
    else
      step.twiddles = table(type, {rest, radix, 1}, [&](int64_t i) {
        return root_of_unity(i / radix * (i % radix) % length, length);
      });
  }
  for (int64_t input = 1; input < (radix % 2 == 0 ? radix : radix / 2 + 1); ++input) {
    // Outputs k and radix - k of odd radices differ by a sign only.
    const auto root = [&](int64_t output) {
      const int64_t k = radix % 2 == 0 ? output : std::min(output, radix - output);
      return root_of_unity(input * k % radix, radix);
    };
    step.roots.push_back(step.by_transform ? table(type, {radix, 1, 1}, root)
                                           : table(type, {radix, 1}, root));
  }
  return step;
}

// Returns the least length of at least n without prime factors above 5.
int64_t smooth_length(int64_t n) {
  int64_t best = INT64_MAX;
  for (__int128 fives = 1; fives < 2 * n; fives *= 5)
    for (__int128 threes = fives; threes < 2 * n; threes *= 3) {
      __int128 length = threes;
      while (length < n) length *= 2;
      best = std::min(best, static_cast<int64_t>(length));
    }
  return best;
}

void add_chirp(FftTables& tables, ElementType type) {
  const int64_t n = tables.length;
  tables.convolved = smooth_length(2 * n - 1);
  const auto chirp = [&](int64_t t) {
    return root_of_unity(static_cast<int64_t>(static_cast<__int128>(t) * t % (2 * n)), 2 * n);
  };
  tables.chirp = table(type, {n}, chirp);
  const ComplexNodes mirrored = table(type, {tables.convolved}, [&](int64_t t) {
    if (t >= n) t = tables.convolved - t;
    if (t >= n) return Root{0, 0};
    const Root value = chirp(t);
    return Root{value.real, -value.imag};
  });
  tables.filter = fft(mirrored, 0, false, Location());
  const NodeRef both[] = {tables.filter.real, tables.filter.imag};
  evaluate(both);
}

enum class Kind : uint8_t { steps, half_circle };

std::shared_ptr<const FftTables> make_tables(int64_t length, ElementType type, Kind kind) {
  auto result = std::make_shared<FftTables>();
  result->length = length;
  if (kind == Kind::half_circle) {
    result->half_circle =
        table(type, {length / 2 + 1}, [&](int64_t k) { return root_of_unity(k, length); });
    return result;
  }
  const std::vector<int64_t> radices = radices_of(length);
  if (radices.empty() && length > 1) {
    add_chirp(*result, type);
    return result;
  }
  int64_t rest = length, done = 1;
  for (const int64_t radix : radices) {
    rest /= radix;
    result->steps.push_back(step_of(radix, rest, done, type));
    done *= radix;
  }
  return result;
}

// The tables of recently used lengths. Arrays keep the tables that they use alive.
class TableCache {
 public:
  std::shared_ptr<const FftTables> get(int64_t length, ElementType type, Kind kind) {
    {
      const auto lock = lock_renewable(mutex_, entries_);
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (entry->tables->length == length && entry->type == type && entry->kind == kind) {
          entries_.splice(entries_.begin(), entries_, entry);
          return entries_.front().tables;
        }
    }
    std::shared_ptr<const FftTables> made = make_tables(length, type, kind);  // may need others
    const auto lock = lock_renewable(mutex_, entries_);
    entries_.push_front({type, kind, made});
    // About two tables with two numbers for each element.
    constexpr int64_t most_elements = int64_t{1} << 23;
    int64_t elements = 0;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      elements += entry->tables->length + entry->tables->convolved;
      entry = elements > most_elements ? entries_.erase(entry) : std::next(entry);
    }
    return made;
  }

 private:
  struct Entry {
    ElementType type;
    Kind kind;
    std::shared_ptr<const FftTables> tables;
  };
  ForkMutex mutex_;
  std::list<Entry> entries_;
};

TableCache& cache() {
  // Never destroyed: devices free its buffers, and statics are destroyed in no fixed order.
  static auto* tables = new TableCache;
  return *tables;
}

}  // namespace

std::shared_ptr<const FftTables> fft_tables(int64_t length, ElementType type) {
  return cache().get(length, type, Kind::steps);
}

std::shared_ptr<const FftTables> half_circle(int64_t length, ElementType type) {
  return cache().get(length, type, Kind::half_circle);
}

}  // namespace tutti::detail
