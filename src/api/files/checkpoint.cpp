// A checkpoint is a folder with a .npy file for each array and a list of them, "arrays". The list
// has a line for each, with the sum over the elements and the name. The sum does not depend on how
// an array is split. The folder is called by its number once it is complete.
#include "tutti/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "api/files/shared_files.hpp"
#include "engine/evaluate.hpp"
#include "ranks/redistribute.hpp"
#include "ranks/split_array.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/memory/buffer.hpp"

namespace tutti {
namespace {

using detail::Bytes;
using detail::Extents;
using detail::Location;
using detail::NodeRef;
namespace paths = std::filesystem;

constexpr const char* list_name = "arrays";
constexpr size_t kept = 2;  // checkpoints

// Hashes a position and its element: damaged and misplaced elements change the sum.
uint64_t mixed(uint64_t position, uint64_t bits) {
  uint64_t x = bits + (position + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

// Returns the sum over a box of elements in memory that holds a box around it.
uint64_t sum_over(const Extents& shape, const std::byte* held, const ranks::Box& room,
                  const ranks::Box& own, size_t each) {
  if (own.size() == 0) return 0;
  const int last = shape.rank - 1;
  const int64_t columns = shape.rank > 0 ? own[last].size() : 1;
  const int64_t rows = own.size() / columns;
  constexpr int64_t chunk = 256;
  std::vector<uint64_t> sums(static_cast<size_t>((rows + chunk - 1) / chunk));
  runtime::parallel_for(static_cast<int64_t>(sums.size()), [&](int64_t c) {
    uint64_t sum = 0;
    for (int64_t row = c * chunk; row < std::min(rows, (c + 1) * chunk); ++row) {
      ranks::Box first = own;
      int64_t rest = row;
      for (int i = last; i-- > 0;) {
        first[i].lo += rest % own[i].size();
        rest /= own[i].size();
      }
      const auto at = static_cast<uint64_t>(ranks::first_element(ranks::whole(shape), first));
      const std::byte* from = held + static_cast<size_t>(ranks::first_element(room, first)) * each;
      for (int64_t i = 0; i < columns; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, from + static_cast<size_t>(i) * each, each);
        sum += mixed(at + static_cast<uint64_t>(i), bits);
      }
    }
    sums[static_cast<size_t>(c)] = sum;
  });
  uint64_t total = 0;
  for (uint64_t sum : sums) total += sum;
  return total;
}

bool is_split(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return ranks::split_array_of(*node) != nullptr;
}

// Returns the sum over all elements of a computed array. Collective if it is split.
uint64_t sum_of(const NodeRef& node) {
  std::shared_ptr<ranks::SplitArray> array;
  ir::BufferRef buffer;
  {
    std::lock_guard lock(ir::graph_mutex());
    array = ranks::split_array_of(*node);
    buffer = node->buffer;
  }
  const auto each = static_cast<size_t>(size_of(node->type));
  if (!array) {
    const ranks::Box all = ranks::whole(node->shape);
    return sum_over(node->shape, ranks::host_bytes(buffer), all, all, each);
  }
  uint64_t total = 0;
  const std::vector<Bytes> sums = array->session.gather_after([&] {
    const auto own = static_cast<int64_t>(
        sum_over(node->shape, ranks::host_bytes(array->buffer), array->room, array->own(), each));
    return ranks::bytes_of({&own, 1});
  });
  for (const Bytes& sum : sums) total += static_cast<uint64_t>(ranks::numbers_of(sum)[0]);
  return total;
}

// Runs on one rank, or alone; what it throws is a FileError on all ranks. Returns its message.
template <class F>
Bytes on_first_rank(const std::string& what, const Location& where, F f) {
  const auto run = [&] {
    try {
      return f();
    } catch (const paths::filesystem_error& error) {
      throw FileError(error.path1().string() + ": " + error.code().message());
    }
  };
  ranks::Session* const session = detail::shared_session();
  if (!session) return run();
  return detail::agree_on_file(*session, what, where,
                               [&] { return session->rank() == 0 ? run() : Bytes(); })[0];
}

std::optional<int64_t> number_of(const std::string& name) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

// Complete checkpoints of a folder, in ascending order.
std::vector<int64_t> numbers_in(const std::string& folder) {
  std::vector<int64_t> numbers;
  if (!paths::exists(folder)) return numbers;
  for (const paths::directory_entry& entry : paths::directory_iterator(folder))
    if (const auto number = number_of(entry.path().filename().string())) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return Bytes(bytes.begin(), bytes.end());
}

std::string text_of(const Bytes& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() < 200 && name.front() != '.' && name != list_name &&
         name.find_first_of("/\n") == std::string::npos;
}

std::string hexadecimal(uint64_t sum) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

}  // namespace

void Checkpoint::put(const std::string& name, const NodeRef& node) {
  if (!is_file_name(name))
    throw FileError(folder_ + ": an array of a checkpoint cannot be called '" + name +
                    "': it is the name of a file");
  for (auto& [known, waiting] : waiting_)
    if (known == name) {
      waiting = node;
      return;
    }
  waiting_.emplace_back(name, node);
}

void Checkpoint::save(int64_t number, const Location& where) {
  if (number < 0) throw FileError(folder_ + ": a checkpoint has a number of at least 0");
  std::vector<NodeRef> nodes;
  for (const auto& [name, node] : waiting_) nodes.push_back(node);
  engine::evaluate(nodes);
  const std::string done = folder_ + "/" + std::to_string(number), part = done + ".part";
  const std::string what = "save a checkpoint in " + done;
  on_first_rank(what, where, [&] {
    paths::remove_all(part);
    paths::create_directories(part);
    return Bytes();
  });
  std::string list;
  for (const auto& [name, node] : waiting_) {
    const std::string file = part + "/" + name + ".npy";
    if (is_split(node))
      detail::write_npy(file, node, where);
    else
      on_first_rank(what, where, [&] {
        detail::write_npy(file, node, where);
        return Bytes();
      });
    list += hexadecimal(sum_of(node)) + " " + name + "\n";
  }
  on_first_rank(what, where, [&] {
    detail::write_file(part + "/" + list_name, bytes_of(list));
    paths::remove_all(done);
    paths::rename(part, done);
    const std::vector<int64_t> numbers = numbers_in(folder_);
    for (size_t i = 0; i + kept < numbers.size(); ++i)
      paths::remove_all(folder_ + "/" + std::to_string(numbers[i]));
    return Bytes();
  });
  waiting_.clear();
}

std::optional<int64_t> Checkpoint::newest(const Location& where) const {
  const Bytes answer = on_first_rank("look for a checkpoint in " + folder_, where, [&] {
    const std::vector<int64_t> numbers = numbers_in(folder_);
    return numbers.empty() ? Bytes() : ranks::bytes_of({&numbers.back(), 1});
  });
  if (answer.empty()) return std::nullopt;
  return ranks::numbers_of(answer)[0];
}

NodeRef Checkpoint::get(const std::string& name, ElementType type, int rank,
                        const Location& where) const {
  const std::optional<int64_t> number = newest(where);
  if (!number) throw FileError(folder_ + ": there is no checkpoint" + detail::at(where));
  const std::string from = folder_ + "/" + std::to_string(*number);
  const Bytes sum = on_first_rank("read a checkpoint in " + from, where, [&] {
    const std::string list = text_of(detail::read_file(from + "/" + list_name, {}));
    const size_t at = list.find(" " + name + "\n");
    if (at == std::string::npos || at < 16)
      throw FileError(from + ": there is no array '" + name + "'" + detail::at(where));
    return bytes_of(list.substr(at - 16, 16));
  });
  const FileLimits any_size{std::numeric_limits<int64_t>::max() / 2};
  const std::string file = from + "/" + name + ".npy";
  NodeRef result = detail::read_npy(file, type, rank, any_size, where);
  engine::evaluate({&result, 1});
  if (hexadecimal(sum_of(result)) != text_of(sum))
    throw FileError(file + ": it is damaged: the sum over its elements is another" +
                    detail::at(where));
  return result;
}

}  // namespace tutti
