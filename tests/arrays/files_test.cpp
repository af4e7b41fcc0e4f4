// Arrays in files: what is written is read back, what NumPy and others write is understood, damage
// is an error that says what is wrong.
#include <tutti/checkpoint.hpp>
#include <tutti/files.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

// A folder of its own for each test.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("tutti_files_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

detail::Bytes bytes(std::string_view text) {
  detail::Bytes result(text.size());
  std::memcpy(result.data(), text.data(), text.size());
  return result;
}

TEST_F(Files, NpyOfEveryType) {
  for_each_type([&](auto tag) {
    using T = typename decltype(tag)::type;
    const Array<2, T> a = plain_array<2, T>({7, 5});
    write_npy(path("a.npy"), a);
    EXPECT_EQ((read_npy<2, T>(path("a.npy"))).to_vector(), a.to_vector());
  });
  write_npy(path("scalar.npy"), Array<0, float>(2.5f));
  EXPECT_EQ((read_npy<0, float>(path("scalar.npy"))).item(), 2.5f);
  write_npy(path("none.npy"), Array<3, float>(2, 0, 4));
  EXPECT_EQ((read_npy<3, float>(path("none.npy"))).shape(), Shape<3>(2, 0, 4));
}

template <class T>
Array<2, std::complex<T>> complex_array() {
  return {plain_array<2, T>({7, 5}), plain_array<2, T>({7, 5}) * T(-3)};
}

template <class T>
void check_complex_files(const std::string& path) {
  using C = std::complex<T>;
  const Array<2, C> a = complex_array<T>();
  write_npy(path, a);
  EXPECT_EQ((read_npy<2, C>(path)).to_vector(), a.to_vector());
  write_npy(path, Array<3, C>(2, 0, 4));
  EXPECT_EQ((read_npy<3, C>(path)).shape(), Shape<3>(2, 0, 4));
  write_npy(path, Array<0, C>(C(1, 2)));
  EXPECT_EQ((read_npy<0, C>(path)).item(), C(1, 2));
  write_raw(path, a);
  EXPECT_EQ((read_raw<C>(path, a.shape())).to_vector(), a.to_vector());
  EXPECT_THROW((read_raw<C>(path, Shape<2>(7, 6))), FileError);
  NpzArchive archive;
  archive.add("z", a);
  archive.add("x", a.real());
  archive.write(path);
  const NpzArchive again = NpzArchive::read(path);
  EXPECT_EQ((again.array<2, C>("z")).to_vector(), a.to_vector());
  EXPECT_EQ((again.array<2, T>("x")).to_vector(), a.real().to_vector());
  EXPECT_THROW((again.array<2, C>("x")), FileError);
  EXPECT_THROW((again.array<2, T>("z")), FileError);
}

TEST_F(Files, OfComplexNumbers) {
  check_complex_files<float>(path("a"));
  check_complex_files<double>(path("a"));
  write_npy(path("z.npy"), complex_array<float>());
  EXPECT_NE(message_of<FileError>([&] {
              read_npy<2, float>(path("z.npy"));
            }).find("the elements are complex numbers of float, not float: read them as they are"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] {
              read_npy<2, std::complex<double>>(path("z.npy"));
            }).find("the elements are complex numbers of float, not complex numbers of double"),
            std::string::npos);
  EXPECT_THROW((read_npy<1, std::complex<float>>(path("z.npy"))), FileError);
}

TEST_F(Files, ComplexCheckpoints) {
  const Array<2, std::complex<double>> a = complex_array<double>();
  Checkpoint checkpoint(path("run"));
  checkpoint.put("z", a).put("x", a.real()).save(1);
  EXPECT_EQ((checkpoint.get<2, std::complex<double>>("z")).to_vector(), a.to_vector());
  EXPECT_THROW((checkpoint.get<2, std::complex<double>>("x")), FileError);
}

std::string npy(const std::string& header, const std::string& elements, char version = 1) {
  std::string result = "\x93NUMPY";
  result += {version, '\0', static_cast<char>(header.size()), '\0'};
  if (version > 1) result += {'\0', '\0'};
  return result + header + elements;
}

TEST_F(Files, NpyAsOthersWriteIt) {
  const FileLimits limits;
  const auto parse = [&](const std::string& file) {
    return detail::parse_npy(bytes(file), "x.npy", limits);
  };
  // Big-endian, the keys in another order, no last comma, version 2.
  const auto big = parse(npy("{\"shape\": (2,), 'fortran_order': False, 'descr': '>i2'}",
                             std::string("\x01\x02\xff\xfe", 4), 2));
  const Array<1, int16_t> numbers(detail::array_of_file(big, ElementType::i16, 1, "x", {}));
  EXPECT_EQ(numbers.to_vector(), (std::vector<int16_t>{0x0102, -2}));
  // Columns first.
  const auto fortran = parse(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
                                 std::string("\1\2\3\4\5\6", 6)));
  const Array<2, uint8_t> matrix(detail::array_of_file(fortran, ElementType::u8, 2, "x", {}));
  EXPECT_EQ(matrix.shape(), Shape<2>(2, 3));
  EXPECT_EQ(matrix.to_vector(), (std::vector<uint8_t>{1, 3, 5, 2, 4, 6}));
  // Columns first, big-endian, complex: (1, 2) (3, 4) are the first column.
  std::string elements;
  for (const char number : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const float value = number;
    char part[4];
    std::memcpy(part, &value, 4);
    std::reverse(part, part + 4);
    elements.append(part, 4);
  }
  const auto pairs =
      parse(npy("{'descr': '>c8', 'fortran_order': True, 'shape': (2, 2), }", elements));
  const detail::ComplexNodes parts =
      detail::complex_array_of_file(pairs, ElementType::f32, 2, "x", {});
  EXPECT_EQ((Array<2, float>(parts.real)).to_vector(), (std::vector<float>{1, 5, 3, 7}));
  EXPECT_EQ((Array<2, float>(parts.imag)).to_vector(), (std::vector<float>{2, 6, 4, 8}));
  // Any byte but 0 is true.
  const auto flags = parse(
      npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", std::string("\0\7", 2)));
  const Array<1, bool> both(detail::array_of_file(flags, ElementType::b8, 1, "x", {}));
  EXPECT_EQ(int(sum(both)), 1);
}

TEST_F(Files, NpyErrors) {
  const auto error = [](const std::string& file) {
    return message_of<FileError>(
        [&] { detail::parse_npy(bytes(file), "x.npy", {.most_bytes = 1000}); });
  };
  EXPECT_EQ(error(""), "x.npy: no .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234")),
            "x.npy: no .npy file: it has 4 bytes of elements, the shape {2} needs 8");
  EXPECT_NE(error(npy("{'descr': '<c32', 'fortran_order': False, 'shape': (0,), }", ""))
                .find("the type '<c32'"),
            std::string::npos);
  EXPECT_NE(error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (900,900,), }", ""))
                .find("more than 1000 bytes, the limit of FileLimits"),
            std::string::npos);
  for (const char* header :
       {"", "{", "{}", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
        "{'descr': '', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"})
    EXPECT_NE(error(npy(header, "")), "no error") << header;
  write_npy(path("a.npy"), Array<2, float>(2, 3));
  EXPECT_NE(message_of<FileError>([&] {
              read_npy<2, double>(path("a.npy"));
            }).find("the elements are float, not double: read them as they are and cast"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] {
              read_npy<1, float>(path("a.npy"));
            }).find("the array has the shape {2, 3}, not 1 axes"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] {
              read_npy<1, float>(path("missing.npy"));
            }).find("cannot be opened: No such file or directory"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] {
              write_npy(path("no/such/a.npy"), Array<1, float>(1));
            }).find("cannot be written"),
            std::string::npos);
}

TEST_F(Files, Npz) {
  NpzArchive archive;
  const Array<2, float> a = plain_array<2, float>({30, 40});
  archive.add("a", a);
  archive.add("counts", plain_array<1, int64_t>({9}));
  archive.add("a", a * 2.0f);  // replaces
  archive.write(path("x.npz"));
  const NpzArchive back = NpzArchive::read(path("x.npz"));
  EXPECT_EQ(back.names(), (std::vector<std::string>{"a", "counts"}));
  EXPECT_EQ((back.array<2, float>("a")).to_vector(), (a * 2.0f).to_vector());
  EXPECT_EQ((back.array<1, int64_t>("counts")).to_vector(),
            (plain_array<1, int64_t>({9})).to_vector());
  EXPECT_NE(message_of<FileError>([&] {
              back.array<1, float>("b");
            }).find("there is no array 'b'; there are: a, counts"),
            std::string::npos);
  // Every byte matters, or does not: no change goes unnoticed but in dates and such.
  detail::Bytes file = detail::read_file(path("x.npz"), {});
  for (size_t cut = 0; cut < file.size(); cut += 97) {
    const detail::ByteView part(file.data(), cut);
    EXPECT_THROW(detail::parse_zip(part, "x", {}), FileError) << cut;
  }
  file[file.size() / 2] ^= std::byte{1};
  EXPECT_NE(message_of<FileError>([&] { detail::parse_zip(file, "x", {}); }).find("checksum"),
            std::string::npos);
  EXPECT_THROW(detail::parse_zip(file, "x", {.most_bytes = 100}), FileError);
}

TEST_F(Files, CompressedByDeflate) {
  // What zlib makes of a short text with the fixed codes, and of a longer one with codes of its
  // own.
  const unsigned char fixed[] = {0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0xb9, 0x00};
  const unsigned char dynamic[] = {
      0x4d, 0x8f, 0x8b, 0x0d, 0x00, 0x21, 0x08, 0x43, 0x67, 0xed, 0x67, 0xff, 0x19, 0xa4, 0x54,
      0x2f, 0x47, 0x0c, 0x56, 0x78, 0x58, 0x05, 0xc0, 0x6f, 0x09, 0x56, 0x44, 0x82, 0x2d, 0xc0,
      0xa3, 0x2d, 0xda, 0x8b, 0xdc, 0x92, 0x8a, 0x84, 0xca, 0x39, 0x22, 0x09, 0x22, 0x17, 0xf2,
      0xf4, 0xe4, 0x77, 0x8d, 0xca, 0x26, 0x71, 0x5a, 0xc3, 0x8f, 0x88, 0xd5, 0x8b, 0x0c, 0x73,
      0xa7, 0xfe, 0xae, 0xf5, 0xbb, 0x83, 0xda, 0x99, 0x75, 0x0c, 0xdd, 0x67, 0x32, 0xac, 0x5a,
      0x8f, 0xfb, 0xee, 0x7e, 0x7f, 0x59, 0x93, 0x1a, 0x88, 0xfd, 0x0f, 0x70, 0x00};
  std::string letters;
  uint32_t state = 1;
  for (int i = 0; i < 240; ++i) {
    state = state * 1664525u + 1013904223u;
    const uint32_t dice = state >> 28;
    letters += static_cast<char>('a' + (dice >= 9) + (dice >= 13) + (dice >= 15));
  }
  detail::Bytes result;
  const auto text = [&] {
    return std::string(reinterpret_cast<const char*>(result.data()), result.size());
  };
  ASSERT_TRUE(detail::inflate(std::as_bytes(std::span(fixed)), 100, result));
  EXPECT_EQ(text(), "hello hello hello hello\n");
  ASSERT_TRUE(detail::inflate(std::as_bytes(std::span(dynamic)), 1000, result));
  EXPECT_EQ(text(), letters);
  EXPECT_FALSE(detail::inflate(std::as_bytes(std::span(fixed)), 20, result));
  for (size_t cut = 0; cut < sizeof fixed; ++cut)
    EXPECT_FALSE(detail::inflate(std::as_bytes(std::span(fixed, cut)), 100, result)) << cut;
  for (size_t cut = 0; cut < sizeof dynamic; ++cut)
    EXPECT_FALSE(detail::inflate(std::as_bytes(std::span(dynamic, cut)), 1000, result)) << cut;
}

TEST_F(Files, Images) {
  for (const int64_t channels : {1, 2, 3, 4}) {
    const Array<3, uint8_t> image = plain_array<3, uint8_t>({17, 300, channels});
    write_image(path("a.png"), image);
    EXPECT_EQ(read_image(path("a.png")).to_vector(), image.to_vector());
    EXPECT_EQ(read_image(path("a.png")).shape(), image.shape());
  }
  const Array<3, uint8_t> colours = plain_array<3, uint8_t>({5, 7, 3});
  write_image(path("a.ppm"), colours);
  EXPECT_EQ(read_image(path("a.ppm")).to_vector(), colours.to_vector());
  const Array<2, uint8_t> grey = plain_array<2, uint8_t>({5, 7});
  write_image(path("a.pgm"), grey);
  EXPECT_EQ(read_image(path("a.pgm")).to_vector(), grey.to_vector());
  const auto wide = detail::parse_image(
      bytes(std::string("P5 # a comment\n2 1\n65535\n\xff\xff\0\0", 29)), "x", {});
  EXPECT_EQ(wide.elements, (detail::Bytes{std::byte{255}, std::byte{0}}));
  EXPECT_THROW(write_image(path("a.jpg"), colours), FileError);
  EXPECT_THROW(write_image(path("a.pgm"), colours), ShapeError);
  EXPECT_THROW(write_image(path("a.png"), Array<3, uint8_t>(0, 4, 3)), ShapeError);
  EXPECT_THROW(write_image(path("a.png"), Array<3, uint8_t>(2, 2, 5)), ShapeError);
}

TEST_F(Files, ImagesWithErrors) {
  write_image(path("a.png"), plain_array<3, uint8_t>({9, 9, 3}));
  detail::Bytes file = detail::read_file(path("a.png"), {});
  for (size_t cut = 0; cut < file.size(); ++cut)
    EXPECT_THROW(detail::parse_image({file.data(), cut}, "x", {}), FileError) << cut;
  EXPECT_THROW(detail::parse_image(file, "x", {.most_bytes = 100}), FileError);
  file[20] ^= std::byte{1};
  EXPECT_NE(message_of<FileError>([&] { detail::parse_image(file, "x", {}); }).find("checksum"),
            std::string::npos);
  EXPECT_THROW(detail::parse_image(bytes("P6 3 3 255\n"), "x", {}), FileError);
  EXPECT_THROW(detail::parse_image(bytes("P6 0 3 255\n"), "x", {}), FileError);
  EXPECT_THROW(detail::parse_image(bytes("P6 4294967296 4294967296 255\n"), "x", {}), FileError);
  EXPECT_THROW(detail::parse_image(bytes("GIF89a"), "x", {}), FileError);
}

TEST_F(Files, Csv) {
  const Array<2, double> a(std::vector<double>{1, -2.5, 1e300, 0.1, std::nan(""), 3}, 2, 3);
  write_csv(path("a.csv"), a);
  const std::vector<double> back = read_csv(path("a.csv")).to_vector();
  EXPECT_EQ(back[3], 0.1);
  EXPECT_TRUE(std::isnan(back[4]));
  std::ofstream(path("b.csv")) << "x;y\r\n 1 ; 2 \r\n\r\n+3;4e1\n";
  EXPECT_EQ(read_csv<int>(path("b.csv"), {.separator = ';', .skip_rows = 1}).to_vector(),
            (std::vector<int>{1, 2, 3, 40}));
  std::ofstream(path("mark.csv")) << "\xEF\xBB\xBF"
                                     "1,2\n";  // as spreadsheets write it
  EXPECT_EQ(read_csv<int>(path("mark.csv")).to_vector(), (std::vector<int>{1, 2}));
  std::ofstream(path("none.csv")) << "\n\n";
  EXPECT_EQ(read_csv(path("none.csv")).size(), 0);
  const auto error = [](const char* text, ElementType type = ElementType::f64) {
    return message_of<FileError>(
        [&] { detail::parse_csv(bytes(text), "x.csv", type, ',', 0, {.most_bytes = 80}); });
  };
  EXPECT_EQ(error("1,2\n3\n"), "x.csv: line 2: it has 1 numbers, the lines before have 2");
  EXPECT_EQ(error("1,a\tb\x01z\n"), "x.csv: line 1: column 2 is no number: 'a?b?z'");
  EXPECT_EQ(error("1,,2\n"), "x.csv: line 1: column 2 is no number: ''");
  EXPECT_EQ(error("1e999\n"), "x.csv: line 1: column 1 is beyond the range of double");
  EXPECT_NE(error("1,2,3,4,5,6,7,8,9,0,1\n"), "no error");
  EXPECT_EQ(error("1,300\n", ElementType::u8),
            "x.csv: line 1: column 2 is beyond the range of uint8: '300'");
  for (const char* text : {"-1\n", "nan\n", "1e20\n", "18446744073709551616\n"})
    EXPECT_NE(error(text, ElementType::u64).find("beyond the range of uint64"), std::string::npos)
        << text;
  write_csv(path("i.csv"), Array<2, int>(std::vector<int>{1, -2, 3, 4}, 2, 2));
  std::ifstream stream(path("i.csv"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "1,-2\n3,4\n");
}

TEST_F(Files, CsvKeepsEveryNumberOfEveryType) {
  for_each_type([&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, bool>) {
      const std::vector<T> numbers = interesting<T>();
      const Array<2, T> a(numbers, 1, static_cast<int64_t>(numbers.size()));
      write_csv(path("x.csv"), a);
      EXPECT_TRUE(same(read(a.node()), read(read_csv<T>(path("x.csv")).node())))
          << name(element_type<T>);
    }
  });
}

TEST_F(Files, Raw) {
  const Array<2, float> a = plain_array<2, float>({6, 7});
  write_raw(path("a.raw"), a);
  EXPECT_EQ(read_raw<float>(path("a.raw"), Shape<2>(6, 7)).to_vector(), a.to_vector());
  EXPECT_NE(message_of<FileError>([&] {
              read_raw<float>(path("a.raw"), Shape<2>(6, 8));
            }).find("168 bytes of elements for the shape {6, 8} of float"),
            std::string::npos);
  EXPECT_THROW(read_raw<float>(path("a.raw"), Shape<2>(6, 7), {.most_bytes = -2'000'000}),
               FileError);
}

}  // namespace
}  // namespace tutti::test
