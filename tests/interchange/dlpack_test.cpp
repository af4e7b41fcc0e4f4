// DLPack in both directions, with the lifetimes that the protocol asks for.
#include "tutti/dlpack.hpp"

#include <gtest/gtest.h>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

// A tensor of another library that counts how often it was deleted.
struct TestTensor {
  explicit TestTensor(std::vector<int64_t> extents, int64_t* strides = nullptr)
      : shape(std::move(extents)) {
    for (size_t i = 0; i < 12; ++i) data[i] = static_cast<float>(i);
    managed.version = {1, 2};
    managed.manager_ctx = this;
    managed.deleter = [](dlpack::ManagedTensorVersioned* self) {
      ++static_cast<TestTensor*>(self->manager_ctx)->deleted;
    };
    managed.dl_tensor = {data,         {dlpack::host, 0}, static_cast<int32_t>(shape.size()),
                         {2, 32, 1},   shape.data(),      strides,
                         sizeof(float)};
  }
  float data[12];
  std::vector<int64_t> shape;
  dlpack::ManagedTensorVersioned managed{};
  int deleted = 0;
};

TEST(Dlpack, TensorsAreTakenOverAndDeletedOnce) {
  TestTensor tensor({2, 3});
  {
    const auto a = Array<2, float>::view(&tensor.managed);
    const auto b = a + 1.0f;
    EXPECT_EQ(b.to_vector(), (std::vector<float>{2, 3, 4, 5, 6, 7}));  // behind a byte offset
    EXPECT_EQ(tensor.deleted, 0);
  }
  EXPECT_EQ(tensor.deleted, 1);
}

TEST(Dlpack, StridesAreHonoured) {
  int64_t strides[] = {1, 3};
  TestTensor tensor({3, 2}, strides);
  EXPECT_EQ((Array<2, float>::view(&tensor.managed).to_vector()),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(tensor.deleted, 1);
}

TEST(Dlpack, WhatIsRefusedIsDeletedToo) {
  for (const auto spoil :
       {+[](dlpack::ManagedTensorVersioned& t) { t.version.major = 2; },
        +[](dlpack::ManagedTensorVersioned& t) { t.dl_tensor.dtype = {5, 64, 1}; },
        +[](dlpack::ManagedTensorVersioned& t) { t.dl_tensor.dtype.lanes = 4; },
        +[](dlpack::ManagedTensorVersioned& t) { t.dl_tensor.ndim = 9; },
        +[](dlpack::ManagedTensorVersioned& t) { t.dl_tensor.ndim = 1; },
        +[](dlpack::ManagedTensorVersioned& t) { t.dl_tensor.device.device_type = 7; }}) {
    TestTensor tensor({2, 3});
    spoil(tensor.managed);
    EXPECT_THROW((Array<2, float>::view(&tensor.managed)), Error);
    EXPECT_EQ(tensor.deleted, 1);
  }
  EXPECT_THROW((Array<2, float>::view(static_cast<dlpack::ManagedTensor*>(nullptr))), Error);
}

TEST(Dlpack, LentElementsOutliveTheArrayAndStayAsTheyWere) {
  dlpack::ManagedTensorVersioned* lent = nullptr;
  {
    Array<1, int64_t> a = cast<int64_t>(index(Shape<1>(5), 0)) * int64_t{3};
    lent = as_dlpack(a);
    a = a + int64_t{1};  // must not be computed in place
    a.evaluate();
  }
  const dlpack::Tensor& tensor = lent->dl_tensor;
  EXPECT_EQ(lent->version.major, 1u);
  EXPECT_EQ(lent->flags, dlpack::read_only);
  EXPECT_EQ(tensor.ndim, 1);
  EXPECT_EQ(tensor.shape[0], 5);
  EXPECT_EQ(tensor.strides[0], 1);
  EXPECT_EQ(tensor.dtype.code, dlpack::integer);
  EXPECT_EQ(tensor.dtype.bits, 64);
  EXPECT_EQ(static_cast<const int64_t*>(tensor.data)[4], 12);
  lent->deleter(lent);
}

TEST(Dlpack, ARoundTripCopiesNothing) {
  const Array<2, double> a = Array<2, double>(Shape<2>(64, 64), 2.0) + 1.0;
  dlpack::ManagedTensor* lent = as_dlpack<dlpack::ManagedTensor>(a);
  const void* address = lent->dl_tensor.data;
  const auto b = Array<2, double>::view(lent);
  EXPECT_EQ(as_mdspan(b).data(), address);
  EXPECT_EQ(static_cast<double>(sum(b)), 64 * 64 * 3.0);
}

TEST(Elements, AreIndexedAndKeepThemselvesAlive) {
  Elements<2, int32_t> elements = as_mdspan(index(Shape<2>(3, 4), 1) * 10);
  EXPECT_EQ(elements(2, 3), 30);
  EXPECT_EQ(elements.extent(1), 4);
  EXPECT_EQ(elements.stride(0), 4);
  EXPECT_EQ(std::span<const int32_t>(elements).size(), 12u);
  const auto back = Array<2, int32_t>::view(elements, elements.owner());
  EXPECT_EQ(as_mdspan(back).data(), elements.data());
}

}  // namespace
}  // namespace tutti
