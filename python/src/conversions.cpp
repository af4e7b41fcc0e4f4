// Objects of Python as arrays, and arrays as objects of Python: numbers, nested lists, DLPack
// tensors, the buffer protocol. Memory is shared wherever its layout allows it.
#include <nanobind/ndarray.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "array.hpp"
#include "tutti/concat.hpp"
#include "tutti/detail/capture.hpp"
#include "tutti/device.hpp"
#include "tutti/dlpack.hpp"

namespace tutti::python {
namespace {

// ---- what other threads leave to the holder of the interpreter lock

struct Waiting {
  void* object;
  void (*release)(void*);
};
struct ReleaseQueue {
  std::mutex mutex;
  std::vector<Waiting> items;
  std::atomic<bool> any{false};
};
ReleaseQueue& queue() {  // never destroyed: threads use it until the process ends
  static auto* instance = new ReleaseQueue;
  return *instance;
}

int release_in_main_thread(void*) {
  release_waiting();
  return 0;
}

void leave_to_lock_holder(void* object, void (*release)(void*)) {
  {
    std::lock_guard lock(queue().mutex);
    queue().items.push_back({object, release});
  }
  // If the list of pending calls is full, the next call of this module frees the object.
  if (!queue().any.exchange(true)) Py_AddPendingCall(release_in_main_thread, nullptr);
}

// ---- DLPack

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* plain_name = "dltensor";

constexpr uint8_t complex_code = 5;  // kDLComplex

// The memory of a tensor. The parts of complex elements are two views of it, each with twice the
// strides, so nothing is copied for them either. Throws before anything is taken over.
struct ForeignParts {
  explicit ForeignParts(const dlpack::Tensor& tensor) {
    if (tensor.dtype.code != complex_code || tensor.ndim > max_rank) {
      real = dlpack::memory_of(tensor, nullptr);
      return;
    }
    dlpack::Tensor part = tensor;
    part.dtype = {dlpack::floating, static_cast<uint8_t>(tensor.dtype.bits / 2),
                  tensor.dtype.lanes};
    int64_t strides[max_rank], dense = 1;
    for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
      strides[axis] = 2 * (tensor.strides ? tensor.strides[axis] : dense);
      dense *= tensor.shape[axis];
    }
    part.strides = strides;
    real = dlpack::memory_of(part, nullptr);
    part.byte_offset += tensor.dtype.bits / 16;
    imag = dlpack::memory_of(part, nullptr);
  }
  Array with_owner(const std::shared_ptr<const void>& owner) {
    const auto viewed = [&](detail::ForeignMemory& memory) {
      memory.owner = owner;
      return Array(detail::view(memory, Location()));
    };
    if (!imag) return viewed(real);
    return {viewed(real), viewed(*imag)};
  }
  detail::ForeignMemory real;
  std::optional<detail::ForeignMemory> imag;
};

template <class Managed>
void delete_managed(void* tensor) {
  auto* managed = static_cast<Managed*>(tensor);
  if (managed->deleter) managed->deleter(managed);
}

template <class Managed>
Array take_tensor(PyObject* capsule, const char* name, const char* used_name) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!managed) throw nb::python_error();
  if constexpr (std::is_same_v<Managed, dlpack::ManagedTensorVersioned>) {
    if (managed->version.major != 1) {
      PyErr_Format(PyExc_BufferError,
                   "from_dlpack: the tensor has version %u of DLPack, version 1 is known",
                   managed->version.major);
      throw nb::python_error();
    }
  }
  ForeignParts parts(managed->dl_tensor);
  if (PyCapsule_SetName(capsule, used_name) != 0) throw nb::python_error();
  return parts.with_owner(released_later(managed, delete_managed<Managed>));
}

Array from_capsule(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), versioned_name))
    return take_tensor<dlpack::ManagedTensorVersioned>(capsule.ptr(), versioned_name,
                                                       "used_dltensor_versioned");
  if (PyCapsule_IsValid(capsule.ptr(), plain_name))
    return take_tensor<dlpack::ManagedTensor>(capsule.ptr(), plain_name, "used_dltensor");
  throw nb::value_error(
      "from_dlpack: the capsule holds no tensor, or it was used before; a capsule is used once");
}

Array from_dlpack(nb::handle object) {
  if (PyCapsule_CheckExact(object.ptr())) return from_capsule(object);
  if (!nb::hasattr(object, "__dlpack__"))
    throw nb::type_error("from_dlpack: the object has no __dlpack__()");
  const nb::object method = object.attr("__dlpack__");
  nb::dict arguments;
  static const nb::object& version = *new nb::object(nb::make_tuple(1, 0));
  arguments["max_version"] = version;
  // The owner orders its work before ours: on the stream that Tutti uses, if there is one.
  const auto ours = reinterpret_cast<uintptr_t>(stream());
  if (ours != 0 && nb::hasattr(object, "__dlpack_device__")) {
    const nb::object device = object.attr("__dlpack_device__")();
    if (nb::cast<int>(nb::int_(nb::object(device[0]))) == dlpack::cuda) arguments["stream"] = ours;
  }
  nb::object capsule;
  try {
    capsule = method(**arguments);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    PyDict_DelItemString(arguments.ptr(), "max_version");  // a library that knows no versions
    capsule = method(**arguments);
  }
  return from_capsule(capsule);
}

template <class Managed>
void free_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;  // used: its user deletes the tensor
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

// A lent tensor of pairs as one of complex elements. Its shape and strides are its own.
template <class Managed>
Managed* as_complex_tensor(Managed* managed, bool is_complex) {
  if (!is_complex) return managed;
  dlpack::Tensor& tensor = managed->dl_tensor;
  --tensor.ndim;
  tensor.dtype = {complex_code, static_cast<uint8_t>(2 * tensor.dtype.bits), 1};
  for (int axis = 0; axis < tensor.ndim; ++axis) tensor.strides[axis] /= 2;
  return managed;
}

nb::object to_dlpack(const Array& a, nb::object max_version, const std::string& device) {
  const NodeRef node = interleaved(a);
  int version = 0;
  if (!max_version.is_none() &&
      (!nb::isinstance<nb::tuple>(max_version) || nb::len(max_version) != 2 ||
       !nb::try_cast<int>(max_version[0], version)))
    throw nb::type_error("__dlpack__: max_version is a pair of integers");
  const bool versioned = version >= 1;
  PyObject* capsule = nullptr;
  if (versioned) {
    auto* managed = as_complex_tensor(
        without_lock([&] { return dlpack::lend_versioned(node, device); }), a.is_complex());
    capsule = PyCapsule_New(managed, versioned_name, [](PyObject* c) {
      free_capsule<dlpack::ManagedTensorVersioned>(c, versioned_name);
    });
  } else {
    auto* managed =
        as_complex_tensor(without_lock([&] { return dlpack::lend(node, device); }), a.is_complex());
    capsule = PyCapsule_New(managed, plain_name, [](PyObject* c) {
      free_capsule<dlpack::ManagedTensor>(c, plain_name);
    });
  }
  if (!capsule) throw nb::python_error();
  return nb::steal(capsule);
}

nb::tuple dlpack_device(const std::string& device) {
  if (!device.starts_with("cuda")) return nb::make_tuple(1, 0);
  return nb::make_tuple(2, device.size() > 5 ? std::stoi(device.substr(5)) : 0);
}

// ---- the buffer protocol

[[noreturn]] void refuse_buffer(nb::handle object) {
  nb::object type = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
  if (nb::hasattr(object, "toarray")) {  // sparse matrices
    PyErr_Format(PyExc_TypeError, "no array is made of %R: x.toarray() has its elements",
                 type.ptr());
    throw nb::python_error();
  }
  if (nb::hasattr(object, "dtype")) {
    type = object.attr("dtype");
  } else {
    // An owner that does not lend its memory, such as a memoryview that was released, says why.
    const nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
    if (!view.is_valid() && !PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
  }
  PyErr_Format(PyExc_TypeError,
               "no array is made of %R: numbers, nested lists and memory of bool, integers, floats "
               "and complex numbers in the order of this machine are taken; convert other elements "
               "(big-endian numbers, text, objects, records) first, with astype() for example",
               type.ptr());
  throw nb::python_error();
}

// Whom nanobind asks for memory: a memoryview where the object is a buffer. It completes what an
// owner leaves out, such as the strides of ctypes, and nanobind 3.1 reads strides without a test.
nb::object lender_of(nb::handle object) {
  nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (view.is_valid()) return view;
  PyErr_Clear();
  return nb::borrow(object);
}

bool lends_memory(nb::handle object, nb::ndarray<nb::ro>& memory) {
  return nb::try_cast<nb::ndarray<nb::ro>>(lender_of(object), memory);
}

Array from_buffer(nb::handle object) {
  nb::ndarray<nb::ro> memory;
  if (!lends_memory(object, memory)) refuse_buffer(object);
  auto* held = new nb::ndarray<nb::ro>(memory);
  std::shared_ptr<const void> owner =
      released_later(held, [](void* kept) { delete static_cast<nb::ndarray<nb::ro>*>(kept); });
  const nb::dlpack::dtype type = memory.dtype();
  int64_t shape[max_rank], strides[max_rank];
  if (memory.ndim() > max_rank) throw nb::value_error("arrays have at most 8 dimensions");
  for (size_t axis = 0; axis < memory.ndim(); ++axis) {
    shape[axis] = static_cast<int64_t>(memory.shape(axis));
    strides[axis] = memory.stride(axis);
  }
  const dlpack::Tensor tensor{const_cast<void*>(memory.data()),
                              {memory.device_type(), memory.device_id()},
                              static_cast<int32_t>(memory.ndim()),
                              {type.code, type.bits, type.lanes},
                              shape,
                              strides,
                              0};
  return ForeignParts(tensor).with_owner(owner);
}

// ---- nested lists

bool is_list(nb::handle object) {
  return nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object);
}

// Calls f with each item. Lists and tuples are read by position, which is faster; classes of users
// say themselves what their items are.
template <class F>
void for_each_item(nb::handle list, F&& f) {
  PyObject* const o = list.ptr();
  if (!PyList_CheckExact(o) && !PyTuple_CheckExact(o)) {
    for (nb::handle item : list) f(item);
    return;
  }
  const bool is_tuple = PyTuple_CheckExact(o);
  for (Py_ssize_t i = 0; i < (is_tuple ? PyTuple_Size(o) : PyList_Size(o)); ++i) {
    const nb::object item = nb::borrow(is_tuple ? PyTuple_GetItem(o, i) : PyList_GetItem(o, i));
    f(item);
  }
}

// Elements of a given type are converted one by one, so that an integer that does not fit is found.
// Lists that hold arrays are stacked by the Python files.
class ListReader {
 public:
  explicit ListReader(nb::handle list, std::optional<DType> given = std::nullopt) {
    find_shape(list, 0);
    if (!holds_arrays_) find_type(list, 0);
    if (shape_.size() == 0) type_ = ElementType::f64;
    if (!given) return;
    if (is_complex_ && !given->is_complex && given->part != ElementType::b8)
      throw TypeError(std::string("a complex number does not become ") + type_name(*given));
    type_ = given->part;
    is_complex_ = is_complex_ || given->is_complex;
    becomes_flags_ = !given->is_complex && is_complex_;
  }
  bool holds_arrays() const { return holds_arrays_; }
  Array read(nb::handle list) const {
    const Array real = read_part(list, false);
    if (!is_complex_ || becomes_flags_) return real;
    return {real, read_part(list, true)};
  }

 private:
  static bool is_array_like(nb::handle object) {
    return nb::hasattr(object, "dtype") || PyRange_Check(object.ptr());
  }
  Array read_part(nb::handle list, bool imaginary) const {
    const auto elements = static_cast<size_t>(shape_.size());
    std::vector<std::byte> bytes(elements * static_cast<size_t>(size_of(type_)));
    std::byte* next = bytes.data();
    store(list, 0, imaginary, next);
    return Array(detail::from_host(type_, shape_, bytes.data(), elements, Location()));
  }
  void find_shape(nb::handle object, int depth) {
    if (!is_list(object)) {
      holds_arrays_ = !is_scalar(object) && is_array_like(object);
      return;
    }
    if (depth == max_rank) throw nb::value_error("arrays have at most 8 dimensions");
    shape_.push_back(static_cast<int64_t>(nb::len(object)));
    if (shape_[depth] > 0) find_shape(nb::object(object[0]), depth + 1);
  }
  void find_type(nb::handle object, int depth) {
    if (holds_arrays_) return;
    const bool list = is_list(object);
    if (!list && !is_scalar(object) && is_array_like(object)) {
      holds_arrays_ = true;
      return;
    }
    if (list != (depth < shape_.rank) ||
        (list && static_cast<int64_t>(nb::len(object)) != shape_[depth]))
      throw nb::value_error(
          "the lists have different lengths, so they are no array; tt.Seq takes ragged lists");
    if (list) {
      int64_t found = 0;  // a class of the user's may give other items than its length says
      for_each_item(object, [&](nb::handle item) {
        ++found;
        if (depth + 1 == shape_.rank && PyFloat_CheckExact(item.ptr()))
          type_ = promote(type_, ElementType::f64).part;
        else
          find_type(item, depth + 1);
      });
      if (!holds_arrays_) check_length(found, depth);
    } else if (is_scalar(object)) {
      const DType type = scalar_type(object);
      type_ = promote(type_, type.part).part;
      is_complex_ = is_complex_ || type.is_complex;
    } else {
      throw nb::type_error("the elements of lists must be bool, int, float or complex");
    }
  }
  void check_length(int64_t found, int depth, bool may_be_less = false) const {
    if (found > shape_[depth] || (found < shape_[depth] && !may_be_less))
      throw nb::value_error(
          "a list has other items than its length says, or changes while it is read");
  }
  void store(nb::handle object, int depth, bool imaginary, std::byte*& next) const {
    if (depth < shape_.rank) {
      int64_t found = 0;
      for_each_item(object, [&](nb::handle item) {
        check_length(++found, depth, true);
        store(item, depth + 1, imaginary, next);
      });
      return check_length(found, depth);
    }
    if (type_ == ElementType::f64 && !is_complex_ && PyFloat_CheckExact(object.ptr())) {
      const double value = PyFloat_AsDouble(object.ptr());
      std::memcpy(next, &value, sizeof value);
      next += sizeof value;
      return;
    }
    const ScalarValue value =
        is_complex_ && !becomes_flags_ ? part_of(object, imaginary) : scalar_from(object, type_);
    const auto size = static_cast<size_t>(size_of(type_));
    std::memcpy(next, &value.bits, size);
    next += size;
  }
  ScalarValue part_of(nb::handle object, bool imaginary) const {
    const double value =
        imaginary ? PyComplex_ImagAsDouble(object.ptr()) : PyComplex_RealAsDouble(object.ptr());
    if (value == -1.0 && PyErr_Occurred()) throw nb::python_error();
    return convert(scalar_value(value), type_);
  }
  Extents shape_;
  ElementType type_ = ElementType::b8;
  bool is_complex_ = false, becomes_flags_ = false, holds_arrays_ = false;
};

// ---- arrays as numbers, lists and NumPy arrays

template <class F>
auto with_type(ElementType type, F&& f) {
  switch (type) {
    case ElementType::b8:
      return f(bool{});
    case ElementType::i8:
      return f(int8_t{});
    case ElementType::i16:
      return f(int16_t{});
    case ElementType::i32:
      return f(int32_t{});
    case ElementType::i64:
      return f(int64_t{});
    case ElementType::u8:
      return f(uint8_t{});
    case ElementType::u16:
      return f(uint16_t{});
    case ElementType::u32:
      return f(uint32_t{});
    case ElementType::u64:
      return f(uint64_t{});
    case ElementType::f16:
      return f(half{});
    case ElementType::f32:
      return f(float{});
    default:
      return f(double{});
  }
}

template <class T>
nb::object number_object(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return nb::bool_(value);
  else if constexpr (detail::kind<T> == 2)
    return nb::float_(static_cast<double>(value));
  else
    return nb::int_(value);
}

nb::object real_object(ElementType type, const void* element) {
  return with_type(type, [&]<class T>(T) -> nb::object {
    T value;
    std::memcpy(&value, element, sizeof value);
    return number_object(value);
  });
}

nb::object object_of(DType type, const void* element) {
  if (!type.is_complex) return real_object(type.part, element);
  const auto part = [&](int i) {
    const auto* at = static_cast<const char*>(element) + i * size_of(type.part);
    return nb::cast<double>(real_object(type.part, at));
  };
  return nb::steal(PyComplex_FromDoubles(part(0), part(1)));
}

// The number that x[3] names, from the memory of x. The array is that number afterwards, and no
// longer needs x.
nb::object item_in_memory(Array& a) {
  const std::shared_ptr<const ElementOf> element = a.element;
  const detail::LentMemory memory = detail::lend(element->array, "cpu");
  const auto size = static_cast<size_t>(size_of(memory.type));
  const auto* at =
      static_cast<const std::byte*>(memory.data) + static_cast<size_t>(element->position) * size;
  ScalarValue value{memory.type, 0};
  std::memcpy(&value.bits, at, size);
  a = number(value);
  return real_object(value.type, at);
}

nb::object item(Array& a) {
  refuse_to_read_symbols();
  if (a.element) return item_in_memory(a);
  if (a.shape().size() != 1)
    throw nb::value_error(("item: the array has the shape " + detail::to_string(a.shape()) +
                           "; only an array with one element is a number")
                              .c_str());
  alignas(8) char element[16] = {};
  const NodeRef node = interleaved(a);
  without_lock([&] { detail::copy_to_host(node, element); });
  return object_of(a.dtype(), element);
}

nb::object list_of(DType type, const Extents& shape, int axis, const char*& next) {
  if (axis == shape.rank) {
    const nb::object result = object_of(type, next);
    next += type.itemsize();
    return result;
  }
  const nb::object result = nb::steal(PyList_New(shape[axis]));
  if (!result.is_valid()) throw nb::python_error();
  const auto set = [&](int64_t i, nb::object item) {
    PyList_SetItem(result.ptr(), i, item.release().ptr());
  };
  if (axis + 1 < shape.rank || type.is_complex) {
    for (int64_t i = 0; i < shape[axis]; ++i) set(i, list_of(type, shape, axis + 1, next));
    return result;
  }
  with_type(type.part, [&]<class T>(T) {
    for (int64_t i = 0; i < shape[axis]; ++i, next += sizeof(T)) {
      T value;
      std::memcpy(&value, next, sizeof value);
      set(i, number_object(value));
    }
  });
  return result;
}

nb::object to_list(const Array& a) {
  refuse_to_read_symbols();
  const NodeRef node = interleaved(a);
  const auto memory = without_lock([&] { return detail::lend(node, "cpu"); });
  const auto* next = static_cast<const char*>(memory.data);
  return list_of(a.dtype(), a.shape(), 0, next);
}

void require_numpy() {
  static bool is_there = false;
  if (is_there) return;
  const nb::object numpy = nb::steal(PyImport_ImportModule("numpy"));
  if (!numpy.is_valid()) {
    PyErr_Clear();
    throw nb::import_error("NumPy is not installed: x.tolist() and memoryview(x) do without it");
  }
  is_there = true;
}

// A read-only NumPy array over the elements, which it keeps. Complex ones are interleaved for it.
nb::object to_numpy(const Array& a) {
  refuse_to_read_symbols();
  require_numpy();
  const NodeRef node = interleaved(a);
  auto* lent = new detail::LentMemory(without_lock([&] { return detail::lend(node, "cpu"); }));
  const nb::capsule owner(
      lent, [](void* held) noexcept { delete static_cast<detail::LentMemory*>(held); });
  size_t shape[max_rank];
  const Extents& extents = a.shape();
  for (int axis = 0; axis < extents.rank; ++axis) shape[axis] = static_cast<size_t>(extents[axis]);
  dlpack::DataType type = dlpack::data_type(lent->type);
  if (a.is_complex()) type = {complex_code, static_cast<uint8_t>(2 * type.bits), 1};
  static double nothing = 0;  // NumPy wants an address for an empty array, too
  const void* data = lent->data ? lent->data : &nothing;
  return nb::cast(
      nb::ndarray<nb::numpy, nb::ro>(data, static_cast<size_t>(extents.rank), shape, owner, nullptr,
                                     nb::dlpack::dtype{type.code, type.bits, type.lanes}));
}

}  // namespace

void refuse_to_read_symbols() {
  if (!detail::capturing()) return;
  throw nb::type_error(
      "an element was read while a program is captured: its value exists only when the program "
      "runs. Decide with tt.where, tt.if_ or tt.while_");
}

NodeRef interleaved(const Array& a) {
  if (!a.is_complex()) return a.node();
  const NodeRef parts[] = {a.real().node(), a.imag().node()};
  if (a.shape().rank == max_rank)
    throw ShapeError("complex arrays of 8 dimensions cannot be read: reshape them to 7 or fewer");
  return detail::stack(parts, a.shape().rank, Location());
}

Array::~Array() {
  node_ = imag_ = NodeRef();
  release_waiting();
}

std::shared_ptr<const void> released_later(void* object, void (*release)(void*)) {
  return {object, [release](void* held) { leave_to_lock_holder(held, release); }};
}

void release_waiting() {
  if (!queue().any.load(std::memory_order_relaxed)) return;
  std::vector<Waiting> items;
  {
    std::lock_guard lock(queue().mutex);
    queue().any = false;
    items.swap(queue().items);
  }
  for (const Waiting& item : items) item.release(item.object);
}

// An array of NumPy whose elements are not at multiples of their size: they are copied.
static bool is_misaligned(nb::handle object) {
  if (!nb::hasattr(object, "flags") || !nb::hasattr(object, "strides")) return false;
  if (!nb::cast<bool>(nb::bool_(nb::object(object.attr("flags").attr("aligned"))))) return true;
  const auto size = nb::cast<int64_t>(object.attr("itemsize"));
  for (nb::handle stride : nb::object(object.attr("strides")))
    if (nb::cast<int64_t>(stride) % size != 0) return true;
  return false;
}

Array as_array(nb::handle object) {
  Array* array = nullptr;
  if (nb::try_cast<Array*>(object, array) && array) return *array;
  if (is_scalar(object)) return number_from(object, scalar_type(object));
  if (is_list(object)) {
    const ListReader reader(object);
    if (!reader.holds_arrays()) return reader.read(object);
    return nb::cast<Array>(nb::module_::import_("tutti").attr("asarray")(object));
  }
  if (PyRange_Check(object.ptr()))
    return nb::cast<Array>(nb::module_::import_("tutti").attr("asarray")(object));
  if (is_numpy_scalar(object))
    return number_from(object.attr("item")(), dtype_from(object.attr("dtype")));
  if (nb::hasattr(object, "__dlpack__")) {
    try {
      return from_dlpack(object);
    } catch (const Error&) {
      // Fields of packed records lie at odd addresses, which only NumPy's arrays do.
      if (!is_misaligned(object)) throw;
      return from_buffer(object.attr("copy")());
    } catch (nb::python_error& error) {
      // What NumPy does not export (read-only memory of old versions, big-endian numbers).
      if (!error.matches(PyExc_BufferError) && !error.matches(PyExc_TypeError)) throw;
      if (is_misaligned(object)) {
        const nb::object copy = object.attr("copy")();
        if (!is_misaligned(copy)) return as_array(copy);
      }
    }
  }
  if (PyObject_HasAttrString(object.ptr(), "__cuda_array_interface__"))
    throw nb::type_error("the object has no __dlpack__(), which memory of GPUs is taken by");
  if (nb::isinstance<nb::str>(object) || object.is_none())
    throw nb::type_error(
        "an array, a number, a nested list or an object with __dlpack__ or a buffer was expected");
  nb::ndarray<nb::ro> memory;
  if (!lends_memory(object, memory)) {
    // A column of a table and the like: the array of NumPy that it gives. Images of Pillow describe
    // their memory to NumPy alone.
    if (nb::hasattr(object, "__array__")) return from_buffer(object.attr("__array__")());
    if (nb::hasattr(object, "__array_interface__"))
      return from_buffer(nb::module_::import_("numpy").attr("asarray")(object));
  }
  return from_buffer(object);
}

Array as_array(nb::handle object, DType type) {
  if (is_list(object)) {
    if (const ListReader reader(object, type); !reader.holds_arrays()) return reader.read(object);
  } else if (is_scalar(object)) {
    return number_from(object, type);
  }
  return cast_to(as_array(object), type);
}

bool as_operands(nb::handle a, nb::handle b, Array& first, Array& second, bool floating) {
  const bool scalar_a = is_scalar(a), scalar_b = is_scalar(b);
  const auto usable = [](nb::handle object) {
    return nb::isinstance<Array>(object) || nb::isinstance<nb::list>(object) ||
           nb::isinstance<nb::tuple>(object) || nb::hasattr(object, "__dlpack__") ||
           PyRange_Check(object.ptr()) || is_numpy_scalar(object);
  };
  if ((!scalar_a && !usable(a)) || (!scalar_b && !usable(b))) return false;
  if (scalar_a && scalar_b) {
    const DType type = promote(scalar_type(a), scalar_type(b));
    first = number_from(a, type);
    second = number_from(b, type);
    return true;
  }
  if (scalar_a || scalar_b) {
    Array& array = scalar_a ? second : first;
    Array& other = scalar_a ? first : second;
    array = as_array(scalar_a ? b : a);
    const nb::handle scalar = scalar_a ? a : b;
    if (floating && !array.is_complex()) array = cast_to(array, as_floating(array.type()));
    const DType type = mixed_with_scalar(array.dtype(), scalar);
    array = cast_to(array, type);
    other = number_from(scalar, type);
    return true;
  }
  first = as_array(a);
  second = as_array(b);
  const DType type = promote(first.dtype(), second.dtype());
  first = cast_to(first, type);
  second = cast_to(second, type);
  return true;
}

void bind_conversions(nb::module_& m, nb::class_<Array>& array) {
  m.def("as_array", [](nb::handle object) { return as_array(object); }, nb::arg("object").none());
  m.def(
      "as_array_of",
      [](nb::handle object, nb::handle type) { return as_array(object, dtype_from(type)); },
      nb::arg("object").none(), nb::arg("dtype"));
  m.def("from_dlpack", [](nb::handle object) { return from_dlpack(object); });
  m.def("item", &item);
  m.def("to_list", &to_list);
  m.def("to_numpy", &to_numpy);
  m.def("to_numpy_again", [](const Array& a) {  // for __array__()
    raise_if_export_was_interrupted();
    return to_numpy(a);
  });
  m.def("copied", [](const Array& given) {  // elements in memory of their own
    const Array a = given;                  // other threads may update the object meanwhile
    return a.for_parts([](const NodeRef& node) {
      const auto memory = without_lock([&] { return detail::lend(node, "cpu"); });
      const auto elements = static_cast<size_t>(memory.shape.size());
      return detail::from_host(memory.type, memory.shape, memory.data, elements, Location());
    });
  });
  m.def("to_dlpack", &to_dlpack, nb::arg(), nb::arg().none(), nb::arg());
  m.def("dlpack_device", &dlpack_device);
  m.def("device_of", [](const Array& a) { return detail::device_of(a.real().node()); });
  m.def("address_of", [](const Array& a, const std::string& device) {
    const NodeRef node = a.node();
    auto memory = without_lock([&] { return detail::lend(node, device); });
    return reinterpret_cast<uintptr_t>(memory.data);
  });
  array.def("item", &item, "The only element, as a number; item(i), item(i, j): that at an index.");
  array.def("item", [](const Array& a, const nb::args& index) {
    if (index.size() != 1 || nb::isinstance<nb::tuple>(index[0])) {
      Array found = get_item(a, index.size() == 1 ? nb::handle(index[0]) : nb::handle(index));
      return item(found);
    }
    Extents line;  // one index: in row-major order
    line.push_back(a.shape().size());
    Array found = get_item(
        a.for_parts([&](const NodeRef& node) { return detail::reshape(node, line, Location()); }),
        index[0]);
    return item(found);
  });
  array.def("tolist", &to_list, "The elements as a nested list.");
}

}  // namespace tutti::python
