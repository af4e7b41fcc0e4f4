// The part of the zip format that .npz needs: entries that are stored or deflated, found by the
// directory at the end, with 64-bit sizes where entries have them. Checksums are verified.
#include <cstring>

#include "api/files/checksums.hpp"

namespace tutti::detail {
namespace {

constexpr uint32_t local_mark = 0x04034b50, directory_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr size_t local_bytes = 30, directory_bytes = 46, end_bytes = 22;
constexpr uint32_t elsewhere = 0xffffffff;  // marks a size that is in the 64-bit field

uint64_t number_at(ByteView bytes, size_t at, size_t count) {
  uint64_t result = 0;
  for (size_t i = 0; i < count; ++i) result |= static_cast<uint64_t>(bytes[at + i]) << (8 * i);
  return result;
}

class ZipReader {
 public:
  ZipReader(ByteView file, const std::string& name, const FileLimits& limits)
      : file_(file), name_(name), left_(limits.most_bytes) {}

  std::vector<ZipEntry> run() {
    const size_t end = find_end();
    const uint64_t count = number_at(file_, end + 10, 2);
    uint64_t at = number_at(file_, end + 16, 4);
    std::vector<ZipEntry> result;
    for (uint64_t i = 0; i < count; ++i) {
      if (at > end || end - at < directory_bytes || number_at(file_, at, 4) != directory_mark)
        refuse("its directory is damaged");
      result.push_back(entry(at, end));
    }
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(name_ + ": no .npz file: " + what);
  }

  // A comment of up to 64 KB may follow the end.
  size_t find_end() const {
    if (file_.size() < end_bytes) refuse("it is cut off");
    const size_t last = file_.size() - end_bytes, first = last > 65535 ? last - 65535 : 0;
    for (size_t at = last;; --at) {
      if (number_at(file_, at, 4) == end_mark) return at;
      if (at == first) break;
    }
    refuse("it has no directory at its end; it may be cut off");
  }

  // Reads the entry of the directory at `at`, and advances `at` to the next one.
  ZipEntry entry(uint64_t& at, size_t end) {
    const uint64_t method = number_at(file_, at + 10, 2), checksum = number_at(file_, at + 16, 4);
    uint64_t packed = number_at(file_, at + 20, 4), size = number_at(file_, at + 24, 4),
             local = number_at(file_, at + 42, 4);
    const uint64_t name_length = number_at(file_, at + 28, 2), extra = number_at(file_, at + 30, 2),
                   comment = number_at(file_, at + 32, 2);
    const uint64_t all = directory_bytes + name_length + extra + comment;
    if (all > end - at) refuse("its directory is cut off");
    ZipEntry result;
    result.name.assign(reinterpret_cast<const char*>(file_.data()) + at + directory_bytes,
                       name_length);
    if (number_at(file_, at + 8, 2) & 1) refuse("'" + result.name + "' is encrypted");
    read_wide(at + directory_bytes + name_length, extra, size, packed, local);
    at += all;
    result.contents = contents(result.name, local, packed, size, method);
    if (crc32(result.contents) != checksum)
      refuse("the checksum of '" + result.name + "' is wrong: it is damaged");
    return result;
  }

  // Reads the 64-bit sizes, which are in the order in which they are missing from the entry.
  void read_wide(uint64_t at, uint64_t bytes, uint64_t& size, uint64_t& packed,
                 uint64_t& local) const {
    const uint64_t end = at + bytes;
    while (end - at >= 4) {
      const uint64_t id = number_at(file_, at, 2), length = number_at(file_, at + 2, 2);
      at += 4;
      if (length > end - at) return;
      if (id == 1) {
        uint64_t from = at;
        for (uint64_t* field : {&size, &packed, &local})
          if (*field == elsewhere && at + length - from >= 8) {
            *field = number_at(file_, from, 8);
            from += 8;
          }
      }
      at += length;
    }
  }

  Bytes contents(const std::string& entry, uint64_t local, uint64_t packed, uint64_t size,
                 uint64_t method) {
    if (local > file_.size() || file_.size() - local < local_bytes ||
        number_at(file_, local, 4) != local_mark)
      refuse("'" + entry + "' is not where the directory says");
    const uint64_t from =
        local + local_bytes + number_at(file_, local + 26, 2) + number_at(file_, local + 28, 2);
    if (from > file_.size() || packed > file_.size() - from) refuse("'" + entry + "' is cut off");
    if (size > static_cast<uint64_t>(left_))
      refuse("its arrays take more bytes than the limit of FileLimits");
    left_ -= static_cast<int64_t>(size);
    const ByteView compressed = file_.subspan(from, packed);
    Bytes result;
    if (method == 0) {
      if (packed != size) refuse("the sizes of '" + entry + "' differ");
      result.assign(compressed.begin(), compressed.end());
    } else if (method == 8) {
      if (!inflate(compressed, size, result) || result.size() != size)
        refuse("'" + entry + "' cannot be decompressed: it is damaged");
    } else {
      refuse("'" + entry + "' is compressed by method " + std::to_string(method) +
             ", which is not known here");
    }
    return result;
  }

  const ByteView file_;
  const std::string& name_;
  int64_t left_;  // bytes that may still be read
};

class ZipWriter {
 public:
  void add(const ZipEntry& entry) {
    const uint32_t checksum = crc32(entry.contents);
    const uint64_t local = out_.size();
    begin(out_, local_mark, false, entry, checksum);
    put(out_, 20, 2);  // the 64-bit field
    append(out_, entry.name);
    wide(out_, entry, {});
    out_.insert(out_.end(), entry.contents.begin(), entry.contents.end());
    begin(directory_, directory_mark, true, entry, checksum);
    put(directory_, 28, 2);
    for (const size_t bytes : {2, 2, 2, 4}) put(directory_, 0, bytes);
    put(directory_, elsewhere, 4);
    append(directory_, entry.name);
    wide(directory_, entry, local);
    ++count_;
  }

  Bytes finish() {
    const uint64_t from = out_.size();
    if (count_ > 65534 || from + directory_.size() >= elsewhere)
      throw FileError("an archive of " + std::to_string(from) + " bytes and " +
                      std::to_string(count_) +
                      " arrays is more than .npz can hold here: write several files");
    out_.insert(out_.end(), directory_.begin(), directory_.end());
    put(out_, end_mark, 4);
    put(out_, 0, 4);
    put(out_, count_, 2);
    put(out_, count_, 2);
    put(out_, directory_.size(), 4);
    put(out_, from, 4);
    put(out_, 0, 2);
    return std::move(out_);
  }

 private:
  static void put(Bytes& to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  static void append(Bytes& to, std::string_view text) {
    for (const char c : text) to.push_back(static_cast<std::byte>(c));
  }
  // Writes the common part of both headers, up to the length of the name.
  static void begin(Bytes& to, uint32_t mark, bool directory, const ZipEntry& entry,
                    uint32_t checksum) {
    put(to, mark, 4);
    if (directory) put(to, 45, 2);  // made by
    put(to, 45, 2);                 // 64-bit sizes
    put(to, 0, 2);
    put(to, 0, 2);       // stored
    put(to, 0, 2);       // midnight
    put(to, 0x0021, 2);  // of 1 January 1980
    put(to, checksum, 4);
    put(to, elsewhere, 4);
    put(to, elsewhere, 4);
    put(to, entry.name.size(), 2);
  }
  static void wide(Bytes& to, const ZipEntry& entry, std::optional<uint64_t> local) {
    put(to, 1, 2);
    put(to, local ? 24 : 16, 2);
    put(to, entry.contents.size(), 8);
    put(to, entry.contents.size(), 8);
    if (local) put(to, *local, 8);
  }

  Bytes out_, directory_;
  uint64_t count_ = 0;
};

}  // namespace

std::vector<ZipEntry> parse_zip(ByteView file, const std::string& name, const FileLimits& limits) {
  return ZipReader(file, name, limits).run();
}

Bytes format_zip(std::span<const ZipEntry> entries) {
  ZipWriter writer;
  for (const ZipEntry& entry : entries) {
    if (entry.name.size() > 65535) throw FileError("a name of an array is too long for .npz");
    writer.add(entry);
  }
  return writer.finish();
}

}  // namespace tutti::detail
