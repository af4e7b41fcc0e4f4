// Images: PNG (colours, greys and palettes of 1 to 16 bits, not interlaced) and the binary forms of
// PGM and PPM. Pixels are rows, columns and channels of 8 bits.
#include <algorithm>
#include <cstring>
#include <optional>

#include "api/files/checksums.hpp"
#include "graph/node.hpp"

namespace tutti::detail {
namespace {

constexpr unsigned char png_mark[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

uint32_t big_endian(ByteView bytes, size_t at) {
  uint32_t result = 0;
  for (size_t i = 0; i < 4; ++i) result = result << 8 | static_cast<uint32_t>(bytes[at + i]);
  return result;
}

Extents image_shape(int64_t rows, int64_t columns, int64_t channels) {
  Extents shape;
  for (const int64_t extent : {rows, columns, channels}) shape.push_back(extent);
  return shape;
}

// Throws if an image of this size is larger than allowed.
void check_size(uint64_t rows, uint64_t columns, uint64_t channels, const std::string& name,
                const FileLimits& limits) {
  if (rows == 0 || columns == 0 || rows > INT32_MAX || columns > INT32_MAX)
    throw FileError(name + ": an image of " + std::to_string(rows) + " rows and " +
                    std::to_string(columns) + " columns");
  if (static_cast<unsigned __int128>(rows) * columns * channels >
      static_cast<unsigned __int128>(std::max<int64_t>(limits.most_bytes, 0)))
    throw FileError(name + ": its pixels take more than " + std::to_string(limits.most_bytes) +
                    " bytes, the limit of FileLimits");
}

class PngReader {
 public:
  PngReader(ByteView file, const std::string& name, const FileLimits& limits)
      : file_(file), name_(name), limits_(limits) {}

  FileArray run() {
    Bytes compressed;
    bool ended = false;
    for (size_t at = sizeof png_mark; !ended;) {
      if (file_.size() - at < 12) refuse("it is cut off");
      const size_t length = big_endian(file_, at);
      if (length > file_.size() - at - 12) refuse("a chunk of it is cut off");
      const ByteView kind_and_data = file_.subspan(at + 4, length + 4);
      if (crc32(kind_and_data) != big_endian(file_, at + 8 + length))
        refuse("a checksum is wrong: it is damaged");
      const std::string_view kind(reinterpret_cast<const char*>(kind_and_data.data()), 4);
      const ByteView data = kind_and_data.subspan(4);
      if (columns_ == 0 && kind != "IHDR") refuse("it does not begin with its header");
      if (kind == "IHDR")
        header(data);
      else if (kind == "PLTE")
        palette_.assign(data.begin(), data.end());
      else if (kind == "IDAT")
        compressed.insert(compressed.end(), data.begin(), data.end());
      else if (kind == "IEND")
        ended = true;
      else if (kind[0] >= 'A' && kind[0] <= 'Z')
        refuse("it needs the unknown chunk " + std::string(kind));
      at += 12 + length;
    }
    return pixels(lines(compressed));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(name_ + ": not a PNG image that can be read: " + what);
  }

  void header(ByteView data) {
    if (data.size() != 13 || columns_ != 0) refuse("its header is damaged");
    columns_ = big_endian(data, 0);
    rows_ = big_endian(data, 4);
    depth_ = static_cast<unsigned>(data[8]);
    const auto colour = static_cast<unsigned>(data[9]);
    static constexpr unsigned channels[] = {1, 0, 3, 1, 2, 0, 4};
    if (colour > 6 || channels[colour] == 0) refuse("its colour type is unknown");
    indexed_ = colour == 3;
    stored_channels_ = channels[colour];
    const bool narrow = colour == 0 || colour == 3;
    const bool known = depth_ == 8 || (depth_ == 16 && !indexed_) ||
                       (narrow && (depth_ == 1 || depth_ == 2 || depth_ == 4));
    if (!known) refuse("its channels have " + std::to_string(depth_) + " bits");
    if (data[10] != std::byte{0} || data[11] != std::byte{0}) refuse("its compression is unknown");
    if (data[12] != std::byte{0}) refuse("it is interlaced; save it without that");
    check_size(rows_, columns_, std::max(stored_channels_ * std::max(depth_ / 8, 1u), 3u), name_,
               limits_);
    line_bytes_ = (static_cast<size_t>(columns_) * stored_channels_ * depth_ + 7) / 8;
  }

  // Returns the lines with their filters undone.
  Bytes lines(ByteView compressed) const {
    const size_t bytes = (line_bytes_ + 1) * rows_;
    Bytes filtered;
    if (compressed.size() < 6 || (static_cast<unsigned>(compressed[0]) & 15) != 8 ||
        (static_cast<unsigned>(compressed[1]) & 32) != 0)
      refuse("its compressed data does not begin as zlib's does");
    if (!inflate(compressed.subspan(2), bytes, filtered) || filtered.size() != bytes)
      refuse("its pixels cannot be decompressed: it is damaged");
    const size_t step = std::max<size_t>(1, stored_channels_ * depth_ / 8);
    Bytes result(line_bytes_ * rows_);
    for (size_t row = 0; row < rows_; ++row) {
      const std::byte* from = filtered.data() + row * (line_bytes_ + 1);
      const auto filter = static_cast<unsigned>(*from);
      if (filter > 4) refuse("line " + std::to_string(row) + " has an unknown filter");
      auto* to = reinterpret_cast<uint8_t*>(result.data()) + row * line_bytes_;
      unfilter(filter, reinterpret_cast<const uint8_t*>(from) + 1, to,
               row > 0 ? to - line_bytes_ : nullptr, step);
    }
    return result;
  }

  void unfilter(unsigned filter, const uint8_t* from, uint8_t* to, const uint8_t* above,
                size_t step) const {
    for (size_t i = 0; i < line_bytes_; ++i) {
      const int left = i >= step ? to[i - step] : 0, up = above ? above[i] : 0,
                corner = above && i >= step ? above[i - step] : 0;
      int guess = 0;
      if (filter == 1) guess = left;
      if (filter == 2) guess = up;
      if (filter == 3) guess = (left + up) / 2;
      if (filter == 4) guess = nearest(left, up, corner);
      to[i] = static_cast<uint8_t>(from[i] + guess);
    }
  }

  // Returns the one of the three neighbours that is closest to left + up - corner.
  static int nearest(int left, int up, int corner) {
    const int to_left = std::abs(up - corner), to_up = std::abs(left - corner),
              to_corner = std::abs(left + up - 2 * corner);
    if (to_left <= to_up && to_left <= to_corner) return left;
    return to_up <= to_corner ? up : corner;
  }

  FileArray pixels(const Bytes& lines) const {
    const size_t channels = indexed_ ? 3 : stored_channels_;
    FileArray result{
        ElementType::u8, image_shape(rows_, columns_, static_cast<int64_t>(channels)), false, {}};
    result.elements.resize(size_t{rows_} * columns_ * channels);
    const size_t samples = size_t{columns_} * stored_channels_;
    std::byte* to = result.elements.data();
    for (size_t row = 0; row < rows_; ++row)
      for (size_t i = 0; i < samples; ++i) {
        const unsigned value = sample(lines.data() + row * line_bytes_, i);
        if (!indexed_) {
          *to++ =
              static_cast<std::byte>(depth_ >= 8 ? value : value * (255 / ((1u << depth_) - 1)));
          continue;
        }
        if (3 * size_t{value} + 3 > palette_.size()) refuse("a pixel is not in its palette");
        std::memcpy(to, palette_.data() + 3 * size_t{value}, 3);
        to += 3;
      }
    return result;
  }

  unsigned sample(const std::byte* line, size_t i) const {
    if (depth_ == 16) return static_cast<unsigned>(line[2 * i]);
    if (depth_ == 8) return static_cast<unsigned>(line[i]);
    const size_t bit = i * depth_;
    return static_cast<unsigned>(line[bit / 8]) >> (8 - depth_ - bit % 8) & ((1u << depth_) - 1);
  }

  const ByteView file_;
  const std::string& name_;
  const FileLimits& limits_;
  uint32_t rows_ = 0, columns_ = 0;
  unsigned depth_ = 0, stored_channels_ = 0;
  bool indexed_ = false;
  size_t line_bytes_ = 0;
  Bytes palette_;
};

// Reads the numbers before the pixels of a PGM or PPM file.
class NetpbmHeader {
 public:
  NetpbmHeader(ByteView file, const std::string& name) : file_(file), name_(name) {}

  uint64_t number() {
    skip();
    uint64_t result = 0;
    size_t digits = 0;
    for (; at < file_.size() && is_digit(file_[at]) && digits < 10; ++at, ++digits)
      result = 10 * result + static_cast<uint64_t>(file_[at]) - '0';
    if (digits == 0) throw FileError(name_ + ": no PGM or PPM image: its header is damaged");
    return result;
  }
  size_t at = 2;

 private:
  static bool is_digit(std::byte b) { return b >= std::byte{'0'} && b <= std::byte{'9'}; }
  void skip() {
    while (at < file_.size()) {
      const char c = static_cast<char>(file_[at]);
      if (c == '#')
        while (at < file_.size() && file_[at] != std::byte{'\n'}) ++at;
      else if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
        return;
      else
        ++at;
    }
  }
  const ByteView file_;
  const std::string& name_;
};

FileArray parse_netpbm(ByteView file, const std::string& name, const FileLimits& limits) {
  NetpbmHeader header(file, name);
  const size_t channels = file[1] == std::byte{'6'} ? 3 : 1;
  const uint64_t columns = header.number(), rows = header.number(), greatest = header.number();
  if (greatest == 0 || greatest > 65535)
    throw FileError(name + ": its greatest value is " + std::to_string(greatest) +
                    ", not between 1 and 65535");
  const size_t bytes = greatest > 255 ? 2 : 1;
  check_size(rows, columns, channels * bytes, name, limits);
  const size_t samples = rows * columns * channels, from = header.at + 1;
  if (from > file.size() || file.size() - from != samples * bytes)
    throw FileError(name + ": " + std::to_string(file.size() - std::min(file.size(), from)) +
                    " bytes of pixels where " + std::to_string(samples * bytes) + " are needed");
  FileArray result{ElementType::u8,
                   image_shape(static_cast<int64_t>(rows), static_cast<int64_t>(columns),
                               static_cast<int64_t>(channels)),
                   false,
                   {}};
  result.elements.resize(samples);
  for (size_t i = 0; i < samples; ++i) {
    uint64_t value = static_cast<uint64_t>(file[from + i * bytes]);
    if (bytes == 2) value = value << 8 | static_cast<uint64_t>(file[from + 2 * i + 1]);
    result.elements[i] =
        static_cast<std::byte>((std::min(value, greatest) * 255 + greatest / 2) / greatest);
  }
  return result;
}

void put_big_endian(Bytes& to, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::byte>(value >> shift));
}

void put_chunk(Bytes& to, const char* kind, const Bytes& data) {
  put_big_endian(to, static_cast<uint32_t>(data.size()));
  const size_t from = to.size();
  for (int i = 0; i < 4; ++i) to.push_back(static_cast<std::byte>(kind[i]));
  to.insert(to.end(), data.begin(), data.end());
  put_big_endian(to, crc32(ByteView(to).subspan(from)));
}

// Returns data in the format of zlib, without compression: blocks of at most 65535 bytes.
Bytes stored(const Bytes& data) {
  Bytes result{std::byte{0x78}, std::byte{0x01}};
  for (size_t at = 0; at == 0 || at < data.size();) {
    const size_t length = std::min<size_t>(65535, data.size() - at);
    result.push_back(static_cast<std::byte>(at + length == data.size()));
    for (const size_t word : {length, length ^ 0xffff})
      for (const size_t shift : {0, 8}) result.push_back(static_cast<std::byte>(word >> shift));
    result.insert(result.end(), data.begin() + static_cast<ptrdiff_t>(at),
                  data.begin() + static_cast<ptrdiff_t>(at + length));
    at += length;
    if (length == 0) break;
  }
  put_big_endian(result, adler32(data));
  return result;
}

}  // namespace

FileArray parse_image(ByteView file, const std::string& name, const FileLimits& limits) {
  if (file.size() >= sizeof png_mark && std::memcmp(file.data(), png_mark, sizeof png_mark) == 0)
    return PngReader(file, name, limits).run();
  if (file.size() >= 2 && file[0] == std::byte{'P'} &&
      (file[1] == std::byte{'5'} || file[1] == std::byte{'6'}))
    return parse_netpbm(file, name, limits);
  throw FileError(name + ": neither a PNG image nor a binary PGM or PPM image");
}

Bytes format_png(const Extents& shape, ByteView pixels) {
  static constexpr std::byte colour_types[] = {std::byte{0}, std::byte{4}, std::byte{2},
                                               std::byte{6}};
  Bytes header;
  put_big_endian(header, static_cast<uint32_t>(shape[1]));
  put_big_endian(header, static_cast<uint32_t>(shape[0]));
  header.push_back(std::byte{8});
  header.push_back(colour_types[shape[2] - 1]);
  header.insert(header.end(), 3, std::byte{0});
  const auto line = static_cast<ptrdiff_t>(shape[1] * shape[2]);
  Bytes lines;
  for (ptrdiff_t row = 0; row < shape[0]; ++row) {
    lines.push_back(std::byte{0});  // no filter
    lines.insert(lines.end(), pixels.begin() + row * line, pixels.begin() + (row + 1) * line);
  }
  Bytes result;
  for (const unsigned char byte : png_mark) result.push_back(static_cast<std::byte>(byte));
  put_chunk(result, "IHDR", header);
  const Bytes compressed = stored(lines);
  constexpr size_t most = size_t{1} << 30;  // of a chunk: its length has 31 bits
  for (size_t at = 0; at < compressed.size(); at += most)
    put_chunk(
        result, "IDAT",
        Bytes(compressed.begin() + static_cast<ptrdiff_t>(at),
              compressed.begin() + static_cast<ptrdiff_t>(std::min(compressed.size(), at + most))));
  put_chunk(result, "IEND", {});
  return result;
}

Bytes format_ppm(const Extents& shape, ByteView pixels) {
  const std::string header = std::string(shape[2] == 1 ? "P5\n" : "P6\n") +
                             std::to_string(shape[1]) + " " + std::to_string(shape[0]) + "\n255\n";
  Bytes result(header.size());
  std::memcpy(result.data(), header.data(), header.size());
  result.insert(result.end(), pixels.begin(), pixels.end());
  return result;
}

void write_image(const std::string& path, const NodeRef& pixels, const Location& where) {
  const Extents& shape = shape_of(pixels, "write_image");
  const bool png = path.ends_with(".png"), ppm = path.ends_with(".ppm"),
             pgm = path.ends_with(".pgm");
  if (!png && !ppm && !pgm)
    throw FileError("write_image: " + path + " ends with none of .png, .ppm and .pgm" + at(where));
  const int64_t channels = shape[2];
  if (shape.size() == 0 || channels > 4 || shape[0] > INT32_MAX || shape[1] > INT32_MAX ||
      (ppm && channels != 3) || (pgm && channels != 1))
    throw ShapeError("write_image: the shape " + to_string(shape) + " for " + path +
                     ": rows, columns and " +
                     (png   ? "1 to 4 channels"
                      : ppm ? "3 channels"
                            : "1 channel") +
                     " are needed" + at(where));
  const Bytes elements = bytes_of(pixels);
  write_file(path, png ? format_png(shape, elements) : format_ppm(shape, elements));
}

}  // namespace tutti::detail
