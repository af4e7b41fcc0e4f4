// The buffer protocol: memoryview(x), bytes(x) and numpy.frombuffer(x) read the elements where they
// are. Buffers are read-only; each keeps the memory until it is released. Elements on a GPU are not
// exported.
#include "array.hpp"

#include <cstddef>

namespace tutti::python {
namespace {

// Py_buffer and its flags. A wheel for Python 3.10 is compiled without their declarations, which
// the limited API has from 3.11 on. Their layout and the slot numbers are the same in 3.10.
struct Buffer {
  void* buf;
  PyObject* obj;
  Py_ssize_t len, itemsize;
  int readonly, ndim;
  char* format;
  Py_ssize_t *shape, *strides, *suboffsets;
  void* internal;
};
constexpr int wants_writing = 0x1, wants_format = 0x4, wants_shape = 0x8, wants_strides = 0x10,
              wants_column_major = 0x40;
constexpr int get_buffer_slot = 1, release_buffer_slot = 2;
#if !defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030b0000
static_assert(sizeof(Buffer) == sizeof(Py_buffer) &&
              offsetof(Buffer, internal) == offsetof(Py_buffer, internal) &&
              offsetof(Buffer, format) == offsetof(Py_buffer, format));
static_assert(wants_writing == PyBUF_WRITABLE && wants_format == PyBUF_FORMAT &&
              wants_shape == PyBUF_ND && (wants_strides | wants_shape) == PyBUF_STRIDES &&
              (wants_column_major | wants_strides | wants_shape) == PyBUF_F_CONTIGUOUS);
static_assert(get_buffer_slot == Py_bf_getbuffer && release_buffer_slot == Py_bf_releasebuffer);
#endif

// What one buffer holds on to.
struct Export {
  detail::LentMemory memory;
  bool is_complex = false;  // the last axis of the memory is the two parts of an element
  Py_ssize_t shape[max_rank] = {}, strides[max_rank] = {};
};
constexpr const char* export_name = "tutti.buffer";

// The letters of NumPy on systems where long has 64 bits.
constexpr const char* formats[] = {"?", "b", "h", "i", "l", "B", "H", "I", "L", "e", "f", "d"};
static_assert(sizeof(long) == 8);
const char* format_of(const Export& exported) {
  if (!exported.is_complex) return formats[static_cast<int>(exported.memory.type)];
  return exported.memory.type == ElementType::f32 ? "Zf" : "Zd";
}

PyObject* export_function = nullptr;  // export_elements() in Python, which translates exceptions
thread_local bool was_interrupted = false;

nb::object export_elements(const Array& a) {
  refuse_to_read_symbols();
  const NodeRef node = interleaved(a);
  without_lock([&] { detail::evaluate({&node, 1}); });
  const std::string device = detail::device_of(node);
  if (device != "cpu") {
    PyErr_Format(PyExc_BufferError,
                 "the elements are on %s, and buffers are memory of the host: use numpy.asarray(x) "
                 "or x.to_device('cpu')",
                 device.c_str());
    throw nb::python_error();
  }
  auto* made = new Export{without_lock([&] { return detail::lend(node, "cpu"); })};
  made->is_complex = a.is_complex();
  const auto strides = detail::row_major(made->memory.shape);
  for (int axis = 0; axis < made->memory.shape.rank; ++axis) {
    made->shape[axis] = made->memory.shape[axis];
    made->strides[axis] = strides[static_cast<size_t>(axis)] * size_of(made->memory.type);
  }
  return nb::capsule(made, export_name,
                     [](void* held) noexcept { delete static_cast<Export*>(held); });
}

bool is_column_major(const Extents& shape) {
  int long_axes = 0;
  for (const int64_t extent : shape) long_axes += extent > 1 ? 1 : 0;
  return long_axes <= 1 || shape.size() == 0;
}

int refuse(const char* text) {
  PyErr_SetString(PyExc_BufferError, text);
  return -1;
}

int fill(Buffer& view, PyObject* self, PyObject* owner, int flags) {
  auto* exported = static_cast<Export*>(PyCapsule_GetPointer(owner, export_name));
  if (!exported) return -1;
  const detail::LentMemory& memory = exported->memory;
  if ((flags & wants_column_major) && !is_column_major(memory.shape))
    return refuse("the elements are in row-major order, and column-major order was asked for");
  static char nothing[16];  // the address of an empty array
  view.buf = memory.data ? const_cast<void*>(memory.data) : nothing;
  view.itemsize = size_of(memory.type) * (exported->is_complex ? 2 : 1);
  view.len = memory.shape.size() * size_of(memory.type);
  view.readonly = 1;
  view.ndim = memory.shape.rank - (exported->is_complex ? 1 : 0);
  view.format = flags & wants_format ? const_cast<char*>(format_of(*exported)) : nullptr;
  view.shape = flags & wants_shape ? exported->shape : nullptr;
  view.strides = flags & wants_strides ? exported->strides : nullptr;
  view.suboffsets = nullptr;
  view.internal = owner;
  Py_INCREF(owner);
  view.obj = self;
  Py_INCREF(self);
  return 0;
}

int get_buffer(PyObject* self, Buffer* view, int flags) {
  view->obj = nullptr;
  was_interrupted = false;
  if (flags & wants_writing)
    return refuse("the elements of an array cannot be written: a buffer of them is read-only");
  PyObject* owner = PyObject_CallFunctionObjArgs(export_function, self, nullptr);
  if (!owner) {
    was_interrupted = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0;
    return -1;
  }
  const int failed = fill(*view, self, owner, flags);
  Py_DECREF(owner);
  return failed;
}

void release_buffer(PyObject*, Buffer* view) { Py_DECREF(static_cast<PyObject*>(view->internal)); }

}  // namespace

PyType_Slot* buffer_slots() {
  static PyType_Slot slots[] = {{get_buffer_slot, reinterpret_cast<void*>(&get_buffer)},
                                {release_buffer_slot, reinterpret_cast<void*>(&release_buffer)},
                                {0, nullptr}};
  return slots;
}

void raise_if_export_was_interrupted() {
  if (!std::exchange(was_interrupted, false)) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

void bind_buffer(nb::module_& m) {
  m.def("export_elements", &export_elements);
  export_function = m.attr("export_elements").inc_ref().ptr();
}

}  // namespace tutti::python
