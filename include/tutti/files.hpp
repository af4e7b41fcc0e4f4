// Arrays in files: NumPy's .npy and .npz, images as PNG and PPM, numbers as CSV, raw bytes. A file
// that is damaged, of another type or too large is a FileError that names the file and what is
// wrong with it. A file is written beside its name and renamed, so an interrupted write leaves the
// old one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class FileError : public Error {  // a file that cannot be read, written or understood
 public:
  using Error::Error;
};

// The most bytes that an array read from a file may have: a damaged or malicious file may name
// any size.
struct FileLimits {
  int64_t most_bytes = int64_t{1} << 34;
};

namespace detail {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

// An array as it lies in a file. The extents are in the order of the elements; those of a
// transposed one are the reverse of what the file says.
struct FileArray {
  ElementType type{};
  Extents shape;
  bool transposed = false;
  Bytes elements;
};

Bytes read_file(const std::string& path, const FileLimits& limits);
void write_file(const std::string& path, ByteView contents);

// Formats, apart from files: `name` is named in errors.
FileArray parse_npy(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_npy(ElementType type, const Extents& shape, ByteView elements);
// What stands before the elements; `begin` is where they begin. `front` holds all of it.
struct NpyHeader {
  ElementType type{};
  Extents shape;  // as in FileArray
  bool transposed = false, swapped = false;
  int64_t begin = 0;
};
NpyHeader parse_npy_header(ByteView front, int64_t file_bytes, const std::string& name,
                           const FileLimits& limits);
Bytes format_npy_header(ElementType type, const Extents& shape);
// Elements as they lie in the file become those of an array.
void normalise_npy(const NpyHeader& header, std::span<std::byte> elements);
// A .npy file as an array and back. Ranks read and write one file together, each its own part.
NodeRef read_npy(const std::string& path, ElementType type, int rank, const FileLimits& limits,
                 const Location& where);
void write_npy(const std::string& path, const NodeRef& node, const Location& where);
struct ZipEntry {
  std::string name;
  Bytes contents;
};
std::vector<ZipEntry> parse_zip(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_zip(std::span<const ZipEntry> entries);
// Rows, columns and channels of bytes.
FileArray parse_image(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_png(const Extents& shape, ByteView pixels);
Bytes format_ppm(const Extents& shape, ByteView pixels);
// Rows of numbers, as doubles.
FileArray parse_csv(ByteView file, const std::string& name, char separator, int64_t skip_rows,
                    const FileLimits& limits);
Bytes format_csv(ElementType type, const Extents& shape, ByteView elements, char separator);
// Decompresses what zlib's deflate made: at most `most` bytes. False if it is damaged or longer.
bool inflate(ByteView compressed, size_t most, Bytes& result);

// The elements of an array on the host.
Bytes bytes_of(const NodeRef& node);
// Checks type and rank, and makes a leaf of the elements; a transposed one is turned back.
NodeRef array_of_file(const FileArray& file, ElementType type, int rank, const std::string& name,
                      const Location& where);
void write_image(const std::string& path, const NodeRef& pixels, const Location& where);

}  // namespace detail

// NumPy's .npy: numpy.save and numpy.load. The type and the rank must be those of the file.
template <int D, ScalarType T>
Array<D, T> read_npy(const std::string& path, const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::read_npy(path, element_type<T>, D, limits, where));
}
template <int D, ScalarType T>
void write_npy(const std::string& path, const Array<D, T>& a,
               const std::source_location& where = std::source_location::current()) {
  detail::write_npy(path, a.node(), where);
}

// NumPy's .npz: several arrays with names. It is written without compression, as numpy.savez does;
// what numpy.savez_compressed wrote is read as well.
class NpzArchive {
 public:
  NpzArchive() = default;
  static NpzArchive read(const std::string& path, const FileLimits& limits = {});
  void write(const std::string& path) const;

  std::vector<std::string> names() const;
  template <int D, ScalarType T>
  Array<D, T> array(const std::string& name,
                    const std::source_location& where = std::source_location::current()) const {
    return Array<D, T>(
        detail::array_of_file(find(name, where), element_type<T>, D, path_ + ":" + name, where));
  }
  // Replaces an array of the same name.
  template <int D, ScalarType T>
  void add(const std::string& name, const Array<D, T>& a) {
    put(name, {element_type<T>, a.shape().extents(), false, detail::bytes_of(a.node())});
  }

 private:
  const detail::FileArray& find(const std::string& name, const std::source_location& where) const;
  void put(const std::string& name, detail::FileArray array);

  std::string path_ = "archive";
  std::vector<std::pair<std::string, detail::FileArray>> arrays_;
};

// An image of rows, columns and channels (1: grey, 2: grey and opacity, 3: colours, 4: colours and
// opacity), 8 bits each; of images with 16 bits the upper ones. PNG and the binary PGM and PPM are
// recognised by their contents.
inline Array<3, uint8_t> read_image(
    const std::string& path, const FileLimits& limits = {},
    const std::source_location& where = std::source_location::current()) {
  const detail::Bytes file = detail::read_file(path, limits);
  return Array<3, uint8_t>(detail::array_of_file(detail::parse_image(file, path, limits),
                                                 ElementType::u8, 3, path, where));
}
// The name of the file ends with .png, .ppm or .pgm.
inline void write_image(const std::string& path, const Array<3, uint8_t>& pixels,
                        const std::source_location& where = std::source_location::current()) {
  detail::write_image(path, pixels.node(), where);
}
inline void write_image(const std::string& path, const Array<2, uint8_t>& grey,
                        const std::source_location& where = std::source_location::current()) {
  detail::write_image(path, detail::add_dimension(grey.node(), 2, 1, where), where);
}

// Numbers in rows of equal length, between separators. Empty lines are left out, and so are the
// first `skip_rows` lines.
struct CsvFormat {
  char separator = ',';
  int64_t skip_rows = 0;
};
template <ScalarType T = double>
Array<2, T> read_csv(const std::string& path, const CsvFormat& format = {},
                     const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  const detail::Bytes file = detail::read_file(path, limits);
  const Array<2, double> numbers(detail::array_of_file(
      detail::parse_csv(file, path, format.separator, format.skip_rows, limits), ElementType::f64,
      2, path, where));
  return cast<T>(numbers, where);
}
// With as many digits as are needed to read the same number back.
template <ScalarType T>
void write_csv(const std::string& path, const Array<2, T>& a, const CsvFormat& format = {}) {
  detail::write_file(path, detail::format_csv(element_type<T>, a.shape().extents(),
                                              detail::bytes_of(a.node()), format.separator));
}

// The elements in row-major order as they lie in memory, and nothing else.
template <ScalarType T, int D>
Array<D, T> read_raw(const std::string& path, const Shape<D>& shape, const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  detail::FileArray file{element_type<T>, shape.extents(), false, detail::read_file(path, limits)};
  return Array<D, T>(detail::array_of_file(file, element_type<T>, D, path, where));
}
template <int D, ScalarType T>
void write_raw(const std::string& path, const Array<D, T>& a) {
  detail::write_file(path, detail::bytes_of(a.node()));
}

}  // namespace tutti
TUTTI_END_EXPORTS
