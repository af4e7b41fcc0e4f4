// The Python array: a reference to a node of the graph, and what the files of this folder share.
// Functions here run with the interpreter lock held, unless they say otherwise.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "tutti/detail/graph.hpp"
#include "tutti/detail/interchange.hpp"
#include "tutti/detail/nested.hpp"
#include "tutti/error.hpp"
#include "tutti/seq_program.hpp"

namespace tutti::python {

namespace nb = nanobind;
using detail::Extents;
using detail::Location;
using detail::NodeRef;

// From the first call on, evaluations of this thread stop with KeyboardInterrupt, or with what a
// handler of a signal raises.
void watch_for_signals();

struct SectionUpdate;  // indexing.cpp

// An element of an evaluated array in the memory of the host.
struct ElementOf {
  NodeRef array;
  int64_t position;  // in row-major order
};

// The type of the elements of an array: a type of the graph, or a pair of them.
struct DType {
  ElementType part = ElementType::f64;
  bool is_complex = false;  // two parts, of float32 or float64
  DType() = default;
  DType(ElementType type, bool pair = false) : part(type), is_complex(pair) {}  // NOLINT: implicit
  bool operator==(const DType&) const = default;
  int itemsize() const { return size_of(part) * (is_complex ? 2 : 1); }
};

// A reference to a node of the graph; or to two, the real and the imaginary parts; or, inside of
// each(), to a value with one number or sequence for each element (nested.cpp).
struct Array {
  // The section that was set last, if only a small part of the elements: what is read back does not
  // depend on the others then.
  std::shared_ptr<const SectionUpdate> last_update;
  // Of x[3] and the like: where item() reads the number without an evaluation.
  std::shared_ptr<const ElementOf> element;
  ~Array();  // also frees what other threads have left to the holder of the lock
  Array() = default;
  explicit Array(NodeRef node) : node_(std::move(node)) { watch_for_signals(); }
  explicit Array(nested::Value value);
  Array(const Array& real, const Array& imag) : node_(real.node()), imag_(imag.node()) {}
  Array(const Array&) = default;
  Array(Array&&) = default;
  Array& operator=(const Array&) = default;
  Array& operator=(Array&&) = default;

  const Extents& shape() const {
    if (is_lifted()) refuse();
    return detail::shape_of(node_, "array");
  }
  bool is_complex() const { return static_cast<bool>(imag_); }
  bool is_lifted() const { return static_cast<bool>(lifted_); }
  const nested::Value& lifted() const { return *lifted_; }
  DType dtype() const {
    return is_lifted() ? lifted_type() : DType(detail::type_of(node_), is_complex());
  }
  // The node and the type of real elements. Throws TypeError for complex and lifted ones, so that a
  // function that knows nothing of them never takes a part for the whole.
  const NodeRef& node() const {
    if (is_complex() || is_lifted()) refuse();
    return node_;
  }
  ElementType type() const { return is_lifted() ? lifted_type().part : detail::type_of(node()); }
  Array real() const {
    if (is_lifted()) refuse();
    return Array(node_);
  }
  Array imag() const { return Array(imag_); }  // of complex elements only
  void append_to(std::vector<NodeRef>& nodes) const {
    nodes.push_back(is_complex() ? node_ : node());
    if (is_complex()) nodes.push_back(imag_);
  }
  // A function of nodes that treats elements alike, whatever they are.
  template <class F>
  Array for_parts(F&& f) const {
    if (!is_complex()) return Array(f(node()));
    return {Array(f(node_)), Array(f(imag_))};
  }

 private:
  [[noreturn]] void refuse() const;
  DType lifted_type() const;
  NodeRef node_, imag_;
  std::shared_ptr<const nested::Value> lifted_;
};

// Type promotion as in NumPy 2; where the Array API says something, it says the same.
DType promote(DType a, DType b);
// float64 for bool and integers: what functions of real numbers compute in.
inline ElementType as_floating(ElementType type) {
  return is_floating(type) ? type : ElementType::f64;
}
// Whether an assignment converts elements: to the same kind or a wider one (bool, integers, floats,
// complex numbers), whatever their sizes, and integers to bool.
bool is_stored_as(DType from, DType to);
const char* type_name(DType type);         // "float32"
DType dtype_from(nb::handle object);       // a DType, a name, a NumPy dtype, bool, int or float
ElementType type_from(nb::handle object);  // the same, but not complex

// A number of Python takes the type of the array beside it, unless its kind is wider. A scalar of
// NumPy has a type of its own, as in NumPy 2: it is an array without axes.
bool is_scalar(nb::handle object);
bool is_numpy_scalar(nb::handle object);
ScalarValue scalar_from(nb::handle object, ElementType type);
DType scalar_type(nb::handle object);  // where no array is beside it
DType mixed_with_scalar(DType array, nb::handle scalar);
// A number of Python in all elements.
Array number_from(nb::handle object, DType type, const Extents& shape = {});

// Any object as an array; throws TypeError or ValueError. Memory is viewed, not copied, where that
// can be.
Array as_array(nb::handle object);
// The same with elements of a type. Integers of Python that do not fit raise OverflowError.
Array as_array(nb::handle object, DType type);
// Two operands with one type; false if one of them is nothing that arrays are made of. With
// `floating`, integers become floats before a number of Python takes their type.
bool as_operands(nb::handle a, nb::handle b, Array& first, Array& second, bool floating = false);
Array number(ScalarValue value);
Array cast_to(const Array& a, DType type);
// Interleaves the parts of complex elements in a last axis of two, as other libraries store them.
NodeRef interleaved(const Array& a);

// Element-wise operations by their Array API names.
enum class Binary : uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  pow,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  bitwise_left_shift,
  bitwise_right_shift,
  logical_and,
  logical_or,
  logical_xor,
  maximum,
  minimum,
  atan2,
  hypot,
  copysign,
  logaddexp,
  nextafter
};
Array apply(Op op, const Array& a);
Array apply(Op op, const Array& a, const Array& b);
Array choose(const Array& flags, const Array& yes, const Array& no);
// Operations on complex operands, which have one type; `binary` and `unary` call them.
Array complex_binary(Binary operation, const Array& a, const Array& b, const char* name);
Array complex_unary(const std::string& name, const Array& a);
Array binary(Binary operation, const Array& a, const Array& b);

// The same for values inside of each(). An array of rank 0 is a number there, of rank 1 a sequence.
nested::Value lifted_value(const Array& a);
bool is_lifted_key(nb::handle key);  // an index, or a slice with such an end
Array lifted_apply(Op op, std::initializer_list<const Array*> operands);
Array lifted_length(const Array& a);
Array lifted_cast(const Array& a, ElementType type);
Array lifted_reduce(Reduction reduction, const Array& a);
Array lifted_scan(Reduction reduction, const Array& a, bool exclusive);
Array lifted_sort(const Array& a, bool descending);
Array lifted_extreme_index(Reduction max_or_min, const Array& a);
Array lifted_concat(const std::vector<Array>& arrays);
Array lifted_item(const Array& a, nb::handle key);
std::vector<Array> lifted_run(const detail::ProgramHandle& program,
                              const std::vector<Array>& arrays, size_t results);

// A reduction by its name in Python; throws ValueError.
Reduction reduction_named(const std::string& name);

Array get_item(const Array& a, nb::handle key);
// How the elements at a key change: set, add, multiply, min, max.
Array update_item(const Array& a, nb::handle key, nb::handle values, const std::string& how);

// The line of Python that called into the package, and the first line of a function; unknown where
// there is none. For operations whose errors are found when they are computed.
Location python_line();
Location python_line_of(nb::handle function);

// Objects that other threads let go of: their owners are Python objects, which only the holder of
// the interpreter lock may free.
std::shared_ptr<const void> released_later(void* object, void (*release)(void*));
void release_waiting();

// Takes the interpreter lock back. While the interpreter ends, a thread that asks for it is ended
// by Python where it stands, which the C++ functions that called it cannot bear. It waits here
// instead, for the end of the process.
void take_lock_back(PyThreadState* state);
PyGILState_STATE take_lock();

// Computes without the interpreter lock.
template <class F>
auto without_lock(F&& compute) {
  watch_for_signals();
  PyThreadState* const state = PyEval_SaveThread();
  try {
    if constexpr (std::is_void_v<decltype(compute())>) {
      compute();
      take_lock_back(state);
    } else {
      auto result = compute();
      take_lock_back(state);
      return result;
    }
  } catch (...) {
    take_lock_back(state);
    throw;
  }
}

void bind_types(nb::module_& m);
void bind_conversions(nb::module_& m, nb::class_<Array>& array);
void bind_elementwise(nb::module_& m, nb::class_<Array>& array);
void bind_complex(nb::module_& m);
void bind_indexing(nb::module_& m, nb::class_<Array>& array);
void bind_operations(nb::module_& m);
void bind_functions(nb::module_& m);
void bind_linear_algebra(nb::module_& m);
void bind_runtime(nb::module_& m);
void bind_nesl(nb::module_& m);
void bind_programs(nb::module_& m);
void bind_nested(nb::module_& m);
void bind_buffer(nb::module_& m);
void bind_interruption();

PyType_Slot* buffer_slots();
// NumPy asks for a buffer first, forgets any exception and asks again with __array__(): an
// interrupt of the first computation is raised there.
void raise_if_export_was_interrupted();

// Runs work on a thread with a large stack, without the lock. If a signal raises an exception,
// `stop` becomes true and stays so until the work ends; then the exception is raised.
void run_stoppable(std::atomic<bool>& stop, const std::function<void()>& work);

// Throws where elements are to be read while a program is captured: symbols have none.
void refuse_to_read_symbols();

}  // namespace tutti::python
