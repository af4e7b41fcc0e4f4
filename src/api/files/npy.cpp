// The .npy format of NumPy: a magic word, the length of a header, the header as a Python dictionary
// with the keys descr, fortran_order and shape, then the elements. And .npz: such files in a zip
// archive.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "tutti/files.hpp"

namespace tutti {
namespace detail {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

struct NamedType {
  const char* word;  // without the byte order
  ElementType type;
  bool is_complex = false;
};
constexpr NamedType types[] = {
    {"b1", ElementType::b8},        {"i1", ElementType::i8},        {"i2", ElementType::i16},
    {"i4", ElementType::i32},       {"i8", ElementType::i64},       {"u1", ElementType::u8},
    {"u2", ElementType::u16},       {"u4", ElementType::u32},       {"u8", ElementType::u64},
    {"f2", ElementType::f16},       {"f4", ElementType::f32},       {"f8", ElementType::f64},
    {"c8", ElementType::f32, true}, {"c16", ElementType::f64, true}};

// Reads the dictionary from left to right.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    expect('{');
    while (!accept('}')) {
      const std::string key(quoted());
      expect(':');
      if (key == "descr")
        descr_ = quoted();
      else if (key == "fortran_order")
        fortran_ = flag();
      else if (key == "shape")
        shape();
      else
        refuse("the header has the unknown key '" + key + "'");
      seen_ += 1;
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (descr_.empty() || !has_shape_ || seen_ != 3)
      refuse("the header lacks descr, fortran_order or shape");
  }

  std::string_view descr_;
  bool fortran_ = false;
  Extents shape_;

  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(name_ + ": no .npy file: " + what);
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(std::string("the header lacks a '") + c + "'");
  }
  std::string_view quoted() {
    skip_blanks();
    const char mark = text_.empty() ? '\0' : text_.front();
    if (mark != '\'' && mark != '"') refuse("the header is no dictionary of plain fields");
    const size_t end = text_.find(mark, 1);
    if (end == std::string_view::npos) refuse("a text of the header has no end");
    const std::string_view result = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return result;
  }
  bool flag() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"})
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    refuse("fortran_order is neither True nor False");
  }
  void shape() {
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      int64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0) refuse("an extent of the shape is no number");
      if (shape_.rank == max_rank) refuse("the array has more than 8 axes");
      shape_.push_back(extent);
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    has_shape_ = true;
  }

  std::string_view text_;
  const std::string& name_;
  bool has_shape_ = false;
  int seen_ = 0;
};

uint32_t little_endian(ByteView bytes, size_t at, size_t count) {
  uint32_t result = 0;
  for (size_t i = 0; i < count; ++i) result |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
  return result;
}

}  // namespace

NpyHeader parse_npy_header(ByteView front, int64_t file_bytes, const std::string& name,
                           const FileLimits& limits) {
  const auto refuse = [&](const std::string& what) {
    throw FileError(name + ": no .npy file: " + what);
  };
  if (front.size() < 10 || std::memcmp(front.data(), magic.data(), magic.size()) != 0)
    refuse("it does not begin with \\x93NUMPY");
  const auto version = static_cast<int>(front[6]);
  if (version < 1 || version > 3) refuse("version " + std::to_string(version) + " is unknown");
  const size_t length_bytes = version == 1 ? 2 : 4, begin = 8 + length_bytes;
  if (front.size() < begin) refuse("it is cut off");
  const size_t length = little_endian(front, 8, length_bytes);
  if (length > front.size() - begin) refuse("it is cut off in its header");
  HeaderReader header({reinterpret_cast<const char*>(front.data()) + begin, length}, name);
  header.run();

  const char order = header.descr_.front();
  const std::string_view word = header.descr_.substr(1);
  const auto* found = std::find_if(std::begin(types), std::end(types),
                                   [&](const NamedType& type) { return word == type.word; });
  if (std::string_view("<>|=").find(order) == std::string_view::npos || found == std::end(types))
    refuse("elements of the type '" + std::string(header.descr_) + "' are not known here");

  NpyHeader result{found->type,
                   header.shape_,
                   header.fortran_,
                   order == '>',
                   static_cast<int64_t>(begin + length),
                   found->is_complex};
  if (header.fortran_)
    std::reverse(result.shape.dims.begin(), result.shape.dims.begin() + result.shape.rank);
  __int128 bytes = size_of(result.type) * (result.is_complex ? 2 : 1);
  bool has_elements = true;
  for (const int64_t extent : result.shape) has_elements = has_elements && extent > 0;
  for (const int64_t extent : result.shape) {
    bytes *= has_elements ? extent : 0;
    if (bytes > limits.most_bytes)
      refuse("its shape " + to_string(header.shape_) + " takes more than " +
             std::to_string(limits.most_bytes) + " bytes, the limit of FileLimits");
  }
  const int64_t there = file_bytes - result.begin;
  if (there != static_cast<int64_t>(bytes))
    refuse("it has " + std::to_string(there) + " bytes of elements, the shape " +
           to_string(header.shape_) + " needs " + std::to_string(static_cast<int64_t>(bytes)));
  return result;
}

void normalise_npy(const NpyHeader& header, std::span<std::byte> elements) {
  const auto size = static_cast<size_t>(size_of(header.type));
  if (header.swapped)
    for (size_t i = 0; i + size <= elements.size(); i += size)
      std::reverse(elements.begin() + static_cast<ptrdiff_t>(i),
                   elements.begin() + static_cast<ptrdiff_t>(i + size));
  if (header.type == ElementType::b8)  // anything but 0 is true; kernels rely on 0 and 1
    for (std::byte& flag : elements) flag = std::byte{flag != std::byte{0}};
}

FileArray parse_npy(ByteView file, const std::string& name, const FileLimits& limits) {
  const NpyHeader header = parse_npy_header(file, static_cast<int64_t>(file.size()), name, limits);
  const ByteView elements = file.subspan(static_cast<size_t>(header.begin));
  FileArray result{header.type, header.shape, header.transposed,
                   Bytes(elements.begin(), elements.end()), header.is_complex};
  normalise_npy(header, result.elements);
  return result;
}

Bytes format_npy_header(ElementType type, const Extents& shape, bool is_complex) {
  const auto* found = std::find_if(std::begin(types), std::end(types), [&](const NamedType& known) {
    return known.type == type && known.is_complex == is_complex;
  });
  std::string extents;
  for (const int64_t extent : shape) extents += std::to_string(extent) + ",";
  std::string header = std::string("{'descr': '") + (size_of(type) == 1 ? "|" : "<") + found->word +
                       "', 'fortran_order': False, 'shape': (" + extents + "), }";
  // The elements begin at a multiple of 64 bytes.
  const size_t before = magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string front(magic);
  front +=
      {'\1', '\0', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  front += header;
  const auto bytes = std::as_bytes(std::span(front.data(), front.size()));
  return Bytes(bytes.begin(), bytes.end());
}

Bytes format_npy(ElementType type, const Extents& shape, ByteView elements, bool is_complex) {
  Bytes result = format_npy_header(type, shape, is_complex);
  result.insert(result.end(), elements.begin(), elements.end());
  return result;
}

}  // namespace detail

NpzArchive NpzArchive::read(const std::string& path, const FileLimits& limits) {
  NpzArchive result;
  result.path_ = path;
  const detail::Bytes file = detail::read_file(path, limits);
  for (const detail::ZipEntry& entry : detail::parse_zip(file, path, limits)) {
    std::string name = entry.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    result.put(name, detail::parse_npy(entry.contents, path + ":" + entry.name, limits));
  }
  return result;
}

void NpzArchive::write(const std::string& path) const {
  std::vector<detail::ZipEntry> entries;
  for (const auto& [name, array] : arrays_) {
    if (array.transposed)
      throw FileError(path + ": " + name + " was read in Fortran's order; add() it again");
    entries.push_back({name + ".npy", detail::format_npy(array.type, array.shape, array.elements,
                                                         array.is_complex)});
  }
  detail::write_file(path, detail::format_zip(entries));
}

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> result;
  for (const auto& [name, array] : arrays_) result.push_back(name);
  return result;
}

const detail::FileArray& NpzArchive::find(const std::string& name,
                                          const std::source_location& where) const {
  for (const auto& [known, array] : arrays_)
    if (known == name) return array;
  std::string known;
  for (const std::string& other : names()) known += (known.empty() ? "" : ", ") + other;
  throw FileError(path_ + ": there is no array '" + name + "'; there are: " + known +
                  detail::at(where));
}

void NpzArchive::put(const std::string& name, detail::FileArray array) {
  for (auto& [known, other] : arrays_)
    if (known == name) {
      other = std::move(array);
      return;
    }
  arrays_.emplace_back(name, std::move(array));
}

}  // namespace tutti
