// Arrays in files: NumPy's .npy and .npz, images as PNG and PPM, numbers as CSV, raw bytes. A file
// that is damaged, of another type or too large throws a FileError with its name and the reason. A
// file is written under a temporary name and renamed, so an interrupted write leaves the old one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/complex_operators.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class FileError : public Error {  // a file that cannot be read, written or understood
 public:
  using Error::Error;
};

// Limits the bytes of an array that is read from a file: a damaged or malicious file may name any
// size.
struct FileLimits {
  int64_t most_bytes = int64_t{1} << 34;
};

namespace detail {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

// An array in the layout of a file. The extents are in the order of the stored elements; a
// transposed array has the reverse of the extents that the file states. A complex element is two
// numbers of the type.
struct FileArray {
  ElementType type{};
  Extents shape;
  bool transposed = false;
  Bytes elements;
  bool is_complex = false;
};

Bytes read_file(const std::string& path, const FileLimits& limits);
void write_file(const std::string& path, ByteView contents);

// Formats, independent of the file system: errors name `name`.
FileArray parse_npy(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_npy(ElementType type, const Extents& shape, ByteView elements,
                 bool is_complex = false);
// What stands before the elements; `begin` is where they begin. `front` holds all of it.
struct NpyHeader {
  ElementType type{};
  Extents shape;  // as in FileArray
  bool transposed = false, swapped = false;
  int64_t begin = 0;
  bool is_complex = false;
};
NpyHeader parse_npy_header(ByteView front, int64_t file_bytes, const std::string& name,
                           const FileLimits& limits);
Bytes format_npy_header(ElementType type, const Extents& shape, bool is_complex = false);
// Elements as they lie in the file become those of an array.
void normalise_npy(const NpyHeader& header, std::span<std::byte> elements);
// Read and write .npy files. Ranks read and write one file together, each its own part.
NodeRef read_npy(const std::string& path, ElementType type, int rank, const FileLimits& limits,
                 const Location& where);
void write_npy(const std::string& path, const NodeRef& node, const Location& where);
// The same of complex arrays. Each rank reads the whole file.
ComplexNodes read_complex_npy(const std::string& path, ElementType part, int rank,
                              const FileLimits& limits, const Location& where);
void write_npy(const std::string& path, const ComplexNodes& nodes);
struct ZipEntry {
  std::string name;
  Bytes contents;
};
std::vector<ZipEntry> parse_zip(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_zip(std::span<const ZipEntry> entries);
// Returns rows, columns and channels of bytes.
FileArray parse_image(ByteView file, const std::string& name, const FileLimits& limits);
Bytes format_png(const Extents& shape, ByteView pixels);
Bytes format_ppm(const Extents& shape, ByteView pixels);
// Returns rows of numbers of the type.
FileArray parse_csv(ByteView file, const std::string& name, ElementType type, char separator,
                    int64_t skip_rows, const FileLimits& limits);
Bytes format_csv(ElementType type, const Extents& shape, ByteView elements, char separator);
// Decompresses a zlib deflate stream. Returns false if it is damaged or exceeds `most` bytes.
bool inflate(ByteView compressed, size_t most, Bytes& result);

// Evaluates an array and returns its elements. Those of complex arrays are pairs.
Bytes bytes_of(const NodeRef& node);
Bytes bytes_of(const ComplexNodes& nodes);
// Checks type and rank, and makes a leaf of the elements. A transposed array is transposed back.
NodeRef array_of_file(const FileArray& file, ElementType type, int rank, const std::string& name,
                      const Location& where);
ComplexNodes complex_array_of_file(const FileArray& file, ElementType part, int rank,
                                   const std::string& name, const Location& where);
void write_image(const std::string& path, const NodeRef& pixels, const Location& where);

}  // namespace detail

// Reads and writes NumPy's .npy (numpy.save, numpy.load). Throws if the file has another element
// type or rank.
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

template <int D, detail::ComplexNumber T>
Array<D, T> read_npy(const std::string& path, const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  using Part = typename T::value_type;
  return detail::array_of<D, Part>(
      detail::read_complex_npy(path, element_type<Part>, D, limits, where));
}
template <int D, detail::ComplexNumber T>
void write_npy(const std::string& path, const Array<D, T>& a) {
  detail::write_npy(path, detail::nodes_of(a));
}

// NumPy's .npz: several named arrays. It is written without compression, like numpy.savez; files of
// numpy.savez_compressed can be read as well.
class NpzArchive {
 public:
  NpzArchive() = default;
  // Read an archive with all of its arrays, and write one.
  static NpzArchive read(const std::string& path, const FileLimits& limits = {});
  void write(const std::string& path) const;

  // Return the names of the arrays, and one of them. Throws FileError if there is no such array, or
  // if it has another type or rank.
  std::vector<std::string> names() const;
  template <int D, ScalarType T>
  Array<D, T> array(const std::string& name,
                    const std::source_location& where = std::source_location::current()) const {
    return Array<D, T>(
        detail::array_of_file(find(name, where), element_type<T>, D, path_ + ":" + name, where));
  }
  template <int D, detail::ComplexNumber T>
  Array<D, T> array(const std::string& name,
                    const std::source_location& where = std::source_location::current()) const {
    using Part = typename T::value_type;
    return detail::array_of<D, Part>(detail::complex_array_of_file(
        find(name, where), element_type<Part>, D, path_ + ":" + name, where));
  }
  // Adds an array, or replaces the array of the same name.
  template <int D, ScalarType T>
  void add(const std::string& name, const Array<D, T>& a) {
    put(name, {element_type<T>, a.shape().extents(), false, detail::bytes_of(a.node())});
  }
  template <int D, detail::ComplexNumber T>
  void add(const std::string& name, const Array<D, T>& a) {
    put(name, {element_type<typename T::value_type>, a.shape().extents(), false,
               detail::bytes_of(detail::nodes_of(a)), true});
  }

 private:
  const detail::FileArray& find(const std::string& name, const std::source_location& where) const;
  void put(const std::string& name, detail::FileArray array);

  std::string path_ = "archive";
  std::vector<std::pair<std::string, detail::FileArray>> arrays_;
};

// Reads an image as rows, columns and channels (1: grey, 2: grey and opacity, 3: colours, 4:
// colours and opacity) of 8 bits each. Of images with 16 bits only the upper 8 are kept. PNG and
// the binary PGM and PPM are recognised by their contents.
inline Array<3, uint8_t> read_image(
    const std::string& path, const FileLimits& limits = {},
    const std::source_location& where = std::source_location::current()) {
  const detail::Bytes file = detail::read_file(path, limits);
  return Array<3, uint8_t>(detail::array_of_file(detail::parse_image(file, path, limits),
                                                 ElementType::u8, 3, path, where));
}
// Writes an image. The name of the file must end with .png, .ppm or .pgm.
inline void write_image(const std::string& path, const Array<3, uint8_t>& pixels,
                        const std::source_location& where = std::source_location::current()) {
  detail::write_image(path, pixels.node(), where);
}
inline void write_image(const std::string& path, const Array<2, uint8_t>& grey,
                        const std::source_location& where = std::source_location::current()) {
  detail::write_image(path, detail::add_dimension(grey.node(), 2, 1, where), where);
}

// Reads numbers in rows of equal length, between separators. Empty lines and the first `skip_rows`
// lines are skipped.
struct CsvFormat {
  char separator = ',';
  int64_t skip_rows = 0;
};
// Reads a matrix of numbers in this format. A fraction is cut off if T is an integer; numbers
// beyond the range of T are refused.
template <ScalarType T = double>
Array<2, T> read_csv(const std::string& path, const CsvFormat& format = {},
                     const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  const detail::Bytes file = detail::read_file(path, limits);
  return Array<2, T>(detail::array_of_file(
      detail::parse_csv(file, path, element_type<T>, format.separator, format.skip_rows, limits),
      element_type<T>, 2, path, where));
}
// Writes as many digits as are needed to read the same number back.
template <ScalarType T>
void write_csv(const std::string& path, const Array<2, T>& a, const CsvFormat& format = {}) {
  detail::write_file(path, detail::format_csv(element_type<T>, a.shape().extents(),
                                              detail::bytes_of(a.node()), format.separator));
}

// Reads and writes the elements in row-major order in their binary representation, without a
// header.
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
template <detail::ComplexNumber T, int D>
Array<D, T> read_raw(const std::string& path, const Shape<D>& shape, const FileLimits& limits = {},
                     const std::source_location& where = std::source_location::current()) {
  using Part = typename T::value_type;
  const detail::FileArray file{element_type<Part>, shape.extents(), false,
                               detail::read_file(path, limits), true};
  return detail::array_of<D, Part>(
      detail::complex_array_of_file(file, element_type<Part>, D, path, where));
}
template <int D, detail::ComplexNumber T>
void write_raw(const std::string& path, const Array<D, T>& a) {
  detail::write_file(path, detail::bytes_of(detail::nodes_of(a)));
}

}  // namespace tutti
TUTTI_END_EXPORTS
