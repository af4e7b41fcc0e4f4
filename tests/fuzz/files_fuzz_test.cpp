// Files of arrays with any damage: each is read, or refused with a FileError. Nothing else happens.
#include <gtest/gtest.h>
#include <tutti/files.hpp>

#include <cstring>

#include "fuzz/mutate.hpp"
#include "fuzz/watchdog.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

std::string text_of(const detail::Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

detail::Extents shape_of(std::initializer_list<int64_t> extents) {
  detail::Extents shape;
  for (const int64_t extent : extents) shape.push_back(extent);
  return shape;
}

// Valid files, and how they are read.
struct Sample {
  std::string file;
  void (*read)(detail::ByteView);
};

// Deflated texts, with the fixed codes and with codes of their own.
const std::string fixed_codes("\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00", 11);
const std::string own_codes(
    "\x4d\x8f\x8b\x0d\x00\x21\x08\x43\x67\xed\x67\xff\x19\xa4\x54\x2f\x47\x0c\x56\x78\x58\x05"
    "\xc0\x6f\x09\x56\x44\x82\x2d\xc0\xa3\x2d\xda\x8b\xdc\x92\x8a\x84\xca\x39\x22\x09\x22\x17"
    "\xf2\xf4\xe4\x77\x8d\xca\x26\x71\x5a\xc3\x8f\x88\xd5\x8b\x0c\x73\xa7\xfe\xae\xf5\xbb\x83"
    "\xda\x99\x75\x0c\xdd\x67\x32\xac\x5a\x8f\xfb\xee\x7e\x7f\x59\x93\x1a\x88\xfd\x0f\x70\x00",
    88);

constexpr FileLimits small{.most_bytes = 1 << 20};

std::vector<Sample> samples() {
  detail::Bytes elements(96);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::byte>(i * 37);
  const detail::Bytes npy = detail::format_npy(ElementType::f32, shape_of({4, 6}), elements);
  const std::vector<detail::ZipEntry> entries{{"a.npy", npy}, {"b.npy", npy}};
  return {
      {text_of(npy), [](detail::ByteView file) { detail::parse_npy(file, "x", small); }},
      {text_of(detail::format_npy(ElementType::f32, shape_of({4, 3}), elements, true)),
       [](detail::ByteView file) {
         const detail::FileArray array = detail::parse_npy(file, "x", small);
         detail::complex_array_of_file(array, ElementType::f32, array.shape.rank, "x", {});
       }},
      {text_of(detail::format_zip(entries)),
       [](detail::ByteView file) {
         for (const auto& entry : detail::parse_zip(file, "x", small))
           detail::parse_npy(entry.contents, "x", small);
       }},
      {text_of(detail::format_png(shape_of({4, 8, 3}), elements)),
       [](detail::ByteView file) { detail::parse_image(file, "x", small); }},
      {text_of(detail::format_ppm(shape_of({4, 8, 3}), elements)),
       [](detail::ByteView file) { detail::parse_image(file, "x", small); }},
      {text_of(detail::format_csv(ElementType::f32, shape_of({4, 6}), elements, ',')),
       [](detail::ByteView file) {
         for (const ElementType type : {ElementType::f32, ElementType::i64})
           detail::parse_csv(file, "x", type, ',', 0, small);
       }},
      {fixed_codes,
       [](detail::ByteView file) {
         detail::Bytes result;
         detail::inflate(file, 1 << 16, result);
       }},
      {own_codes,
       [](detail::ByteView file) {
         detail::Bytes result;
         detail::inflate(file, 1 << 16, result);
       }},
  };
}

TEST(Fuzz, DamagedFilesAreRefused) {
  const int64_t first = first_seed();
  const int64_t inputs = number_setting("TUTTI_TEST_INPUTS", 30000);
  const Watchdog watchdog;
  const std::vector<Sample> valid = samples();
  int64_t understood = 0;
  for (int64_t seed = first; seed < first + inputs; ++seed) {
    Watchdog::at(seed);
    Mutation mutation(static_cast<uint64_t>(seed));
    const Sample& sample = valid[mutation.pick(valid.size())];
    std::vector<Field> fields;
    for (size_t at = 0; at + 4 <= sample.file.size(); at += 1 + mutation.pick(4))
      fields.push_back({at, size_t{1} << mutation.pick(3)});
    const std::string damaged = mutation.apply(sample.file, fields);
    try {
      sample.read(std::as_bytes(std::span(damaged.data(), damaged.size())));
      ++understood;
    } catch (const FileError&) {
    }
  }
  EXPECT_GT(understood, inputs / 100);  // not everything is refused
}

}  // namespace
}  // namespace tutti::test
