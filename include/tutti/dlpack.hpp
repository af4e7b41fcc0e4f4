// DLPack: exchanges arrays with other libraries without a copy (https://dmlc.github.io/dlpack).
// The structures repeat the published ABI, version 1.x, so that no other header is needed. Pointers
// to the structures of <dlpack/dlpack.h> are accepted as well.
#pragma once
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/interchange.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace dlpack {

enum DeviceType : int32_t { host = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum TypeCode : uint8_t { integer = 0, unsigned_integer = 1, floating = 2, boolean = 6 };
constexpr uint64_t read_only = 1, is_copied = 2;  // flags

struct Device {
  int32_t device_type;
  int32_t device_id;
};
struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null: row-major
  uint64_t byte_offset;
};
struct Version {
  uint32_t major;
  uint32_t minor;
};
struct ManagedTensor {
  Tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(ManagedTensor*);
};
struct ManagedTensorVersioned {
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensorVersioned*);
  uint64_t flags;
  Tensor dl_tensor;
};

DataType data_type(ElementType type);
// Describes the memory of a tensor that `owner` keeps alive. Throws TypeError or DeviceError if
// Tutti does not have its element type or its device.
detail::ForeignMemory memory_of(const Tensor& tensor, std::shared_ptr<const void> owner);
// Returns a tensor that lends the elements of a node on a device. Its deleter ends the loan.
ManagedTensorVersioned* lend_versioned(const detail::NodeRef& node, const std::string& device);
ManagedTensor* lend(const detail::NodeRef& node, const std::string& device);

}  // namespace dlpack

namespace detail {

template <class M>
concept DlpackTensor = requires(M* tensor) {
  tensor->dl_tensor.byte_offset;
  tensor->deleter(tensor);
};

// Takes ownership of a tensor: its deleter runs when no array needs the memory.
template <DlpackTensor M>
ForeignMemory foreign_memory(M* tensor) {
  if (!tensor) throw Error("view: the DLPack tensor is a null pointer");
  std::shared_ptr<M> owner(tensor, [](M* held) {
    if (held->deleter) held->deleter(held);
  });
  if constexpr (requires { tensor->version; }) {
    if (tensor->version.major != 1)
      throw TypeError("view: the DLPack tensor has version " +
                      std::to_string(tensor->version.major) + ", only version 1 is known");
  }
  static_assert(sizeof tensor->dl_tensor == sizeof(dlpack::Tensor));
  return dlpack::memory_of(reinterpret_cast<const dlpack::Tensor&>(tensor->dl_tensor),
                           std::move(owner));
}

}  // namespace detail

// Evaluates an array and lends its elements to a library that takes DLPack tensors. They must not
// be written; the deleter of the tensor ends the loan. as_dlpack<DLManagedTensorVersioned>(a).
template <class M = dlpack::ManagedTensorVersioned, int D, class T>
requires(components<T> == 1)
M* as_dlpack(const Array<D, T>& a, const std::string& device = "cpu") {
  if constexpr (requires(M* tensor) { tensor->version; }) {
    static_assert(sizeof(M) == sizeof(dlpack::ManagedTensorVersioned));
    return reinterpret_cast<M*>(dlpack::lend_versioned(a.node(), device));
  } else {
    static_assert(sizeof(M) == sizeof(dlpack::ManagedTensor));
    return reinterpret_cast<M*>(dlpack::lend(a.node(), device));
  }
}

}  // namespace tutti
TUTTI_END_EXPORTS
