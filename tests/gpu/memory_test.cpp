// More arrays than a GPU holds: idle ones move to the host and come back, and allocations beyond
// that end in OutOfMemory and a working process. Skipped where there is no GPU.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>
#include <vector>

namespace tutti {
namespace {

bool has_gpu() { return devices().size() > 1; }

constexpr int64_t gigabyte = int64_t{1} << 30;

// Two axes, because a coordinate is an int32.
Array<1, float> filled(int64_t bytes, float value) {
  const Shape<2> shape{bytes / 4096, 1024};
  const Array<2, float> rows = cast<float>(index(shape, 1) % 2) * 0.0f + value;
  return reshape(rows, Shape<1>{shape.size()}).evaluate();
}

TEST(GpuMemory, ArraysThatDoNotFitMoveToTheHost) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU here";
  const ScopedDevice gpu("cuda");
  std::vector<Array<1, float>> arrays;
  for (int i = 0; i < 40; ++i)
    arrays.push_back(filled(4 * gigabyte, static_cast<float>(i)));  // 160 GiB
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(max_val(arrays[static_cast<size_t>(i)]).item(), static_cast<float>(i));
    EXPECT_EQ(min_val(arrays[static_cast<size_t>(i)]).item(), static_cast<float>(i));
  }
}

TEST(GpuMemory, WhatCannotBeHadIsAnErrorAndNothingIsLost) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU here";
  const ScopedDevice gpu("cuda");
  const Array<1, float> kept = filled(gigabyte, 3.0f);
  EXPECT_THROW(filled(400 * gigabyte, 1.0f), OutOfMemory);
  EXPECT_EQ(max_val(kept).item(), 3.0f);
  EXPECT_EQ((filled(gigabyte, 2.0f) + kept).evaluate().size(), gigabyte / 4);
}

TEST(GpuMemory, ArraysMoveBetweenDevices) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU here";
  const Array<1, float> a(std::vector<float>(1000, 2.0f));
  std::vector<float> on_gpu, on_cpu;
  Array<1, float> half_way;
  {
    const ScopedDevice gpu("cuda");
    half_way = (a * 3.0f).evaluate();
    on_gpu = (half_way + 1.0f).to_vector();
  }
  {
    const ScopedDevice host("cpu");
    on_cpu = (half_way + 1.0f).to_vector();
  }
  EXPECT_EQ(on_gpu, std::vector<float>(1000, 7.0f));
  EXPECT_EQ(on_cpu, on_gpu);
}

TEST(Devices, ArraysGoWhereTheyAreTold) {
  const Array<1, float> a(std::vector<float>(1000, 2.0f)), b = a + 1.0f;
  for (const DeviceInfo& info : devices()) {
    EXPECT_EQ(b.to(info.name).to_vector(), std::vector<float>(1000, 3.0f));
    const ScopedDevice there(info.name);
    EXPECT_EQ((b * 2.0f).to_vector(), std::vector<float>(1000, 6.0f));
  }
  EXPECT_THROW(b.to("cuda:99"), DeviceError);
}

TEST(Devices, TheCpuIsAlwaysThere) {
  EXPECT_EQ(devices()[0].name, "cpu");
  const std::string before = device().name;
  {
    const ScopedDevice cpu("cpu");
    EXPECT_EQ(device().name, "cpu");
  }
  EXPECT_EQ(device().name, before);
}

TEST(Devices, UnknownOnesAreNamed) {
  try {
    use("cuda:77");
    FAIL() << "there is no such device";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("cuda:77"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos);
  }
}

}  // namespace
}  // namespace tutti
