// DLPack tensors as foreign memory, and nodes as DLPack tensors.
#include "tutti/dlpack.hpp"

#include <optional>

namespace tutti::dlpack {
namespace {

std::optional<ElementType> element_of(const DataType& type) {
  if (type.lanes != 1) return std::nullopt;
  using E = ElementType;
  const auto pick = [&](E of_8, E of_16, E of_32, E of_64) -> std::optional<E> {
    switch (type.bits) {
      case 8:
        return of_8;
      case 16:
        return of_16;
      case 32:
        return of_32;
      case 64:
        return of_64;
      default:
        return std::nullopt;
    }
  };
  switch (type.code) {
    case integer:
      return pick(E::i8, E::i16, E::i32, E::i64);
    case unsigned_integer:
      return pick(E::u8, E::u16, E::u32, E::u64);
    case boolean:
      return type.bits == 8 ? std::optional(E::b8) : std::nullopt;
    case floating:
      if (type.bits == 8) return std::nullopt;
      return pick(E::f16, E::f16, E::f32, E::f64);
    default:
      return std::nullopt;
  }
}

std::string device_name(const Device& device) {
  switch (device.device_type) {
    case host:
    case cuda_host:
      return "cpu";
    case cuda:
    case cuda_managed:
      return "cuda:" + std::to_string(device.device_id);
    default:
      throw DeviceError("view: the DLPack tensor is on a device of type " +
                        std::to_string(device.device_type) +
                        ", Tutti knows the host (1) and CUDA (2): copy it to the host first");
  }
}

// The data that a lent tensor refers to. Its deleter frees it.
struct Lease {
  detail::LentMemory memory;
  std::array<int64_t, max_rank> strides;
};

Tensor tensor_of(Lease& lease, const std::string& device) {
  Tensor tensor{};
  tensor.data = const_cast<void*>(lease.memory.data);
  tensor.device = {host, 0};
  if (device.starts_with("cuda"))
    tensor.device = {cuda, device.size() > 5 ? std::stoi(device.substr(5)) : 0};
  tensor.ndim = lease.memory.shape.rank;
  tensor.dtype = data_type(lease.memory.type);
  tensor.shape = lease.memory.shape.dims.data();
  tensor.strides = lease.strides.data();
  return tensor;
}

template <class Managed>
std::unique_ptr<Managed> lend_as(const detail::NodeRef& node, const std::string& device) {
  auto lease = std::make_unique<Lease>(Lease{detail::lend(node, device), {}});
  lease->strides = detail::row_major(lease->memory.shape);
  auto managed = std::make_unique<Managed>();
  managed->dl_tensor = tensor_of(*lease, device);
  managed->deleter = [](Managed* self) {
    delete static_cast<Lease*>(self->manager_ctx);
    delete self;
  };
  managed->manager_ctx = lease.release();
  return managed;
}

}  // namespace

DataType data_type(ElementType type) {
  const uint8_t code = type == ElementType::b8 ? boolean
                       : is_floating(type)     ? floating
                       : is_signed(type)       ? integer
                                               : unsigned_integer;
  return {code, static_cast<uint8_t>(8 * size_of(type)), 1};
}

detail::ForeignMemory memory_of(const Tensor& tensor, std::shared_ptr<const void> owner) {
  const std::optional<ElementType> type = element_of(tensor.dtype);
  if (!type)
    throw TypeError(
        "view: the DLPack tensor has elements of code " + std::to_string(tensor.dtype.code) +
        " with " + std::to_string(tensor.dtype.bits) + " bits and " +
        std::to_string(tensor.dtype.lanes) + " lanes, which Tutti does not have: convert it first");
  if (tensor.ndim < 0 || tensor.ndim > max_rank)
    throw ShapeError("view: the DLPack tensor has " + std::to_string(tensor.ndim) +
                     " dimensions, arrays have at most " + std::to_string(max_rank));
  detail::ForeignMemory memory;
  memory.type = *type;
  memory.device = device_name(tensor.device);
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) throw ShapeError("view: the DLPack tensor has a negative extent");
    memory.shape.push_back(tensor.shape[axis]);
  }
  memory.strides = detail::row_major(memory.shape);
  for (int axis = 0; axis < tensor.ndim && tensor.strides; ++axis)
    memory.strides[axis] = tensor.strides[axis];
  if (tensor.data) memory.data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  memory.owner = std::move(owner);
  return memory;
}

ManagedTensorVersioned* lend_versioned(const detail::NodeRef& node, const std::string& device) {
  auto managed = lend_as<ManagedTensorVersioned>(node, device);
  managed->version = {1, 0};
  managed->flags = read_only;
  return managed.release();
}

ManagedTensor* lend(const detail::NodeRef& node, const std::string& device) {
  return lend_as<ManagedTensor>(node, device).release();
}

}  // namespace tutti::dlpack
