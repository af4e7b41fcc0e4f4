// Files that ranks read and write together, and checkpoints: the bytes of one process, and the same
// error on all ranks.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ranks/on_ranks.hpp"

namespace tutti::test {
namespace {

namespace paths = std::filesystem;

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() : path_(paths::temp_directory_path() / ("tutti_ranks_" + std::to_string(getpid()))) {
    paths::remove_all(path_);
    paths::create_directories(path_);
  }
  ~Folder() { paths::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  const paths::path path_;
};

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Array<3, float> block(int64_t a, int64_t b, int64_t c) {
  const Shape<3> shape(a, b, c);
  return sin(cast<float>(index(shape, 0) * 1009 + index(shape, 1) * 31 + index(shape, 2)));
}

TEST(RanksFiles, ManyRanksWriteTheFileOfOne) {
  const SplitFrom small(100);
  const Folder folder;
  const Array<3, float> a = block(23, 11, 7);
  write_npy(folder / "alone.npy", a);
  for (int count : {2, 3, 7})
    for (int axis : {0, 1, 2}) {
      ranks::run_on_threads(count, [&] {
        write_npy(folder / "shared.npy", ranks::distribute(block(23, 11, 7), axis));
      });
      EXPECT_EQ(contents_of(folder / "shared.npy"), contents_of(folder / "alone.npy"))
          << count << " ranks, axis " << axis;
      EXPECT_FALSE(paths::exists(folder / "shared.npy.part"));
    }
}

TEST(RanksFiles, EveryRankReadsItsPart) {
  const SplitFrom small(100);
  const Folder folder;
  write_npy(folder / "a.npy", block(23, 11, 7));
  write_npy(folder / "flags.npy", block(23, 11, 7) > 0.0f);
  write_npy(folder / "few.npy", block(2, 3, 4));
  expect_same_on_ranks([&] { return read_npy<3, float>(folder / "a.npy") * 2.0f; });
  expect_same_on_ranks([&] { return read_npy<3, bool>(folder / "flags.npy"); });
  expect_same_on_ranks([&] { return read_npy<3, float>(folder / "few.npy"); });
  ranks::run_on_threads(3, [&] {
    const Array<3, float> a = read_npy<3, float>(folder / "a.npy");
    EXPECT_LT(ranks::local_part(a).shape().extents()[0], 10);
    EXPECT_EQ(ranks::traffic().messages, 0);
  });
}

TEST(RanksFiles, OfComplexNumbers) {
  using Complex = std::complex<float>;
  const SplitFrom small(100);
  const Folder folder;
  const auto waves = [] { return Array<3, Complex>(block(23, 11, 7), block(23, 11, 7) * 2.0f); };
  write_npy(folder / "alone.npy", waves());
  const auto want = contents_of(folder / "alone.npy");
  for (int count : {2, 3}) {
    ranks::run_on_threads(count, [&] {
      write_npy(folder / "shared.npy", waves());
      EXPECT_EQ((read_npy<3, Complex>(folder / "alone.npy")).to_vector(), waves().to_vector());
      EXPECT_THROW((read_npy<3, std::complex<double>>(folder / "alone.npy")), FileError);
    });
    EXPECT_EQ(contents_of(folder / "shared.npy"), want) << count << " ranks";
  }
}

// The message of a FileError on every rank; "" where there was none.
template <class Body>
std::vector<std::string> errors_on(int count, const Body& body) {
  std::vector<std::string> errors(static_cast<size_t>(count));
  ranks::run_on_threads(count, [&] {
    try {
      body();
    } catch (const FileError& error) {
      errors[static_cast<size_t>(ranks::rank())] = error.what();
    }
  });
  return errors;
}

template <class Body>
void expect_error_on_all(const std::string& words, const Body& body) {
  const std::vector<std::string> errors = errors_on(3, body);
  for (const std::string& error : errors) {
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_EQ(error, errors[0]);
  }
}

TEST(RanksFiles, ErrorsAreTheSameOnAllRanks) {
  const SplitFrom small(100);
  const Folder folder;
  const auto read = [&] { read_npy<3, float>(folder / "a.npy"); };
  expect_error_on_all("cannot be opened", read);
  write_npy(folder / "a.npy", block(23, 11, 7));
  expect_error_on_all("the elements are float", [&] { read_npy<3, double>(folder / "a.npy"); });
  expect_error_on_all("not 2 axes", [&] { read_npy<2, float>(folder / "a.npy"); });
  paths::resize_file(folder / "a.npy", 500);
  expect_error_on_all("bytes of elements", read);
  std::ofstream(folder / "a.npy") << "nothing";
  expect_error_on_all("it does not begin with", read);
  expect_error_on_all("cannot be written", [&] {
    write_npy(folder / "missing/a.npy", ranks::distribute(block(23, 11, 7)));
  });
}

void save(const Folder& folder, int64_t step) {
  const Array<3, float> plate = block(23, 11, 7) + static_cast<float>(step);
  const Array<1, int64_t> seeds = index<int64_t>(Shape<1>(5), 0) + step;
  Checkpoint(folder / "run").put("plate", plate).put("seeds", seeds).save(step);
}

TEST(RanksFiles, ACheckpointIsReadByAnyNumberOfRanks) {
  const SplitFrom small(100);
  const Folder folder;
  EXPECT_FALSE(Checkpoint(folder / "run").newest());
  for (int64_t step = 1; step <= 4; ++step)
    ranks::run_on_threads(static_cast<int>(step), [&] { save(folder, step); });
  EXPECT_EQ(Checkpoint(folder / "run").newest(), 4);
  EXPECT_TRUE(paths::exists(folder / "run/3"));
  EXPECT_FALSE(paths::exists(folder / "run/2"));
  expect_same_on_ranks([&] { return Checkpoint(folder / "run").get<3, float>("plate"); });
  ranks::run_on_threads(3, [&] {
    const Checkpoint checkpoint(folder / "run");
    EXPECT_EQ(checkpoint.newest(), 4);
    EXPECT_EQ((checkpoint.get<1, int64_t>("seeds").to_vector()),
              (std::vector<int64_t>{4, 5, 6, 7, 8}));
    EXPECT_TRUE(all(checkpoint.get<3, float>("plate") == block(23, 11, 7) + 4.0f).item());
  });
}

TEST(RanksFiles, ADamagedCheckpointIsAnErrorOnAllRanks) {
  const SplitFrom small(100);
  const Folder folder;
  const auto load = [&] { Checkpoint(folder / "run").get<3, float>("plate"); };
  expect_error_on_all("there is no checkpoint", load);
  ranks::run_on_threads(3, [&] { save(folder, 7); });
  expect_error_on_all("there is no array 'hull'",
                      [&] { Checkpoint(folder / "run").get<3, float>("hull"); });
  {
    std::fstream file(folder / "run/7/plate.npy", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3000);
    file.put('x');
  }
  expect_error_on_all("it is damaged", load);
  paths::remove(folder / "run/7/plate.npy");
  expect_error_on_all("cannot be opened", load);
  paths::create_directories(folder / "run/9.part");  // of a run that was interrupted
  EXPECT_EQ(Checkpoint(folder / "run").newest(), 7);
}

}  // namespace
}  // namespace tutti::test
