// Element types: their names, their objects in Python, and how they mix.
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "array.hpp"

namespace tutti::python {
namespace {

constexpr const char* names[] = {"bool",   "int8",   "int16",  "int32",   "int64",   "uint8",
                                 "uint16", "uint32", "uint64", "float16", "float32", "float64"};

bool is_unsigned(ElementType type) { return is_integer(type) && !is_signed(type); }

ElementType signed_of_size(int bytes) {
  return bytes == 1   ? ElementType::i8
         : bytes == 2 ? ElementType::i16
         : bytes == 4 ? ElementType::i32
                      : ElementType::i64;
}

ElementType with_floating(ElementType integer, ElementType floating) {
  const int bytes = size_of(integer);
  if (floating == ElementType::f16 && bytes == 2) return ElementType::f32;
  if (bytes >= 4) return ElementType::f64;
  return floating;
}

ElementType with_unsigned(ElementType integer, ElementType natural) {
  if (size_of(integer) > size_of(natural)) return integer;
  return natural == ElementType::u64 ? ElementType::f64 : signed_of_size(2 * size_of(natural));
}

// NumPy's short names: "f4", "<i8", "d", "int".
std::optional<DType> type_of_code(std::string name) {
  if (name.size() > 1 && (name[0] == '<' || name[0] == '=' || name[0] == '|')) name.erase(0, 1);
  if (name.size() > 1 && name[0] == '>')
    throw nb::type_error("elements in big-endian order are not supported: convert them first");
  static constexpr const char* codes[] = {
      "?,b1", "b,i1", "h,i2",        "i,i4", "l,q,i8,int,intp", "B,u1",
      "H,u2", "I,u4", "L,Q,u8,uint", "e,f2", "f,f4,single",     "d,f8,float,double"};
  const auto has = [&](std::string_view all) {
    while (!all.empty()) {
      const size_t end = std::min(all.find(','), all.size());
      if (all.substr(0, end) == name) return true;
      all.remove_prefix(std::min(end + 1, all.size()));
    }
    return false;
  };
  for (int i = 0; i < 12; ++i)
    if (has(codes[i])) return static_cast<ElementType>(i);
  if (has("F,c8")) return DType{ElementType::f32, true};
  if (has("D,c16,complex")) return DType{ElementType::f64, true};
  return std::nullopt;
}

DType type_named(const std::string& name) {
  for (int i = 0; i < 12; ++i)
    if (name == names[i]) return static_cast<ElementType>(i);
  if (name == "complex64") return {ElementType::f32, true};
  if (name == "complex128") return {ElementType::f64, true};
  if (const std::optional<DType> type = type_of_code(name)) return *type;
  throw nb::type_error(("there is no element type '" + name +
                        "': bool, int8 to int64, uint8 to uint64, float16, float32, float64, "
                        "complex64, complex128")
                           .c_str());
}

[[noreturn]] void refuse_integer(nb::handle object, ElementType type) {
  PyErr_Format(PyExc_OverflowError, "the integer %S does not fit into %s", object.ptr(),
               type_name(type));
  throw nb::python_error();
}

ScalarValue integer_from(nb::handle object, ElementType type) {
  const nb::object exact = nb::steal(PyNumber_Index(object.ptr()));
  if (!exact.is_valid()) throw nb::python_error();
  if (type == ElementType::u64) {
    const unsigned long long value = PyLong_AsUnsignedLongLong(exact.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      refuse_integer(object, type);
    }
    return {type, value};
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(exact.ptr(), &overflow);
  if (overflow) refuse_integer(object, type);
  const int bits = 8 * size_of(type);
  const bool fits = is_signed(type)
                        ? bits == 64 || (value >= -(1ll << (bits - 1)) && value < 1ll << (bits - 1))
                        : value >= 0 && value < 1ll << bits;
  if (!fits) refuse_integer(object, type);
  return {type, static_cast<uint64_t>(value) & (bits == 64 ? ~0ull : (1ull << bits) - 1)};
}

}  // namespace

const char* type_name(DType type) {
  if (type.is_complex) return type.part == ElementType::f32 ? "complex64" : "complex128";
  return names[static_cast<int>(type.part)];
}

static ElementType promote_real(ElementType a, ElementType b) {
  if (a == b) return a;
  if (a == ElementType::b8) return b;
  if (b == ElementType::b8) return a;
  if (is_floating(a) && is_floating(b)) return size_of(a) > size_of(b) ? a : b;
  if (is_floating(a)) return with_floating(b, a);
  if (is_floating(b)) return with_floating(a, b);
  if (is_unsigned(a) == is_unsigned(b)) return size_of(a) > size_of(b) ? a : b;
  return is_unsigned(a) ? with_unsigned(b, a) : with_unsigned(a, b);
}

// Complex numbers have parts of at least 32 bits.
static DType complex_of(ElementType part) {
  const ElementType floating = as_floating(part);
  return {floating == ElementType::f16 ? ElementType::f32 : floating, true};
}

DType promote(DType a, DType b) {
  const ElementType part = promote_real(a.part, b.part);
  return a.is_complex || b.is_complex ? complex_of(part) : DType(part);
}

bool is_stored_as(DType from, DType to) {
  const auto kind = [](DType type) {
    return type.is_complex ? 3 : is_floating(type.part) ? 2 : type.part == ElementType::b8 ? 0 : 1;
  };
  return kind(from) <= kind(to) || (kind(from) == 1 && kind(to) == 0);
}

bool is_scalar(nb::handle object) {
  PyObject* o = object.ptr();
  if (PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o))
    return true;
  return (PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o)) && !is_numpy_scalar(object);
}

bool is_numpy_scalar(nb::handle object) {
  static PyObject* generic = nullptr;  // numpy.generic, once NumPy is imported
  if (!generic) {
    PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    if (!numpy) return false;
    generic = PyObject_GetAttrString(numpy, "generic");
    if (!generic) {  // half imported
      PyErr_Clear();
      return false;
    }
  }
  return PyObject_IsInstance(object.ptr(), generic) == 1;
}

DType scalar_type(nb::handle object) {
  if (PyBool_Check(object.ptr())) return ElementType::b8;
  if (PyComplex_Check(object.ptr())) return {ElementType::f64, true};
  if (!PyLong_Check(object.ptr())) return ElementType::f64;
  int overflow = 0;
  (void)PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  return overflow > 0 ? ElementType::u64 : ElementType::i64;  // as NumPy
}

DType mixed_with_scalar(DType array, nb::handle scalar) {
  if (PyBool_Check(scalar.ptr())) return array;
  if (PyLong_Check(scalar.ptr())) return array == ElementType::b8 ? ElementType::i64 : array;
  if (PyComplex_Check(scalar.ptr())) return complex_of(array.part);
  return {as_floating(array.part), array.is_complex};
}

Array number_from(nb::handle object, DType type, const Extents& shape) {
  const auto part = [&](ScalarValue value) {
    return Array(detail::constant(value, shape, Location()));
  };
  if (PyComplex_Check(object.ptr()) && type == DType(ElementType::b8))
    return part(scalar_value(PyObject_IsTrue(object.ptr()) == 1));
  if (!type.is_complex) return part(scalar_from(object, type.part));
  if (!PyComplex_Check(object.ptr()))
    return {part(scalar_from(object, type.part)), part(ScalarValue{type.part, 0})};
  const auto of = [&](double value) { return part(convert(scalar_value(value), type.part)); };
  return {of(PyComplex_RealAsDouble(object.ptr())), of(PyComplex_ImagAsDouble(object.ptr()))};
}

ScalarValue scalar_from(nb::handle object, ElementType type) {
  if (type == ElementType::b8) {
    const int truth = PyObject_IsTrue(object.ptr());
    if (truth < 0) throw nb::python_error();
    return scalar_value(truth == 1);
  }
  if (is_integer(type) && !PyFloat_Check(object.ptr())) return integer_from(object, type);
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred()) throw nb::python_error();
  return convert(scalar_value(value), type);
}

ElementType type_from(nb::handle object) {
  const DType dtype = dtype_from(object);
  if (dtype.is_complex)
    throw nb::type_error((std::string("elements of type ") + type_name(dtype) +
                          " are not taken here: take their real and imaginary parts")
                             .c_str());
  return dtype.part;
}

DType dtype_from(nb::handle object) {
  DType dtype;
  if (nb::try_cast<DType>(object, dtype)) return dtype;
  if (nb::isinstance<nb::str>(object)) return type_named(nb::cast<std::string>(object));
  if (object.is(reinterpret_cast<PyObject*>(&PyBool_Type))) return ElementType::b8;
  if (object.is(reinterpret_cast<PyObject*>(&PyLong_Type))) return ElementType::i64;
  if (object.is(reinterpret_cast<PyObject*>(&PyFloat_Type))) return ElementType::f64;
  if (object.is(reinterpret_cast<PyObject*>(&PyComplex_Type))) return {ElementType::f64, true};
  if (nb::hasattr(object, "dtype") && nb::isinstance<nb::type_object>(object))  // np.float32
    return type_named(nb::cast<std::string>(object.attr("__name__")));
  if (nb::hasattr(object, "byteorder") && nb::hasattr(object, "name")) {  // np.dtype("float32")
    const std::string order = nb::cast<std::string>(object.attr("byteorder"));
    if (order == ">")
      throw nb::type_error("elements in big-endian order are not supported: convert them first");
    return type_named(nb::cast<std::string>(object.attr("name")));
  }
  if (nb::hasattr(object, "__name__"))
    return type_named(nb::cast<std::string>(object.attr("__name__")));
  throw nb::type_error("an element type was expected: tt.float32, 'float32' or a NumPy dtype");
}

void bind_types(nb::module_& m) {
  nb::class_<DType>(m, "DType", "The type of the elements of an array: tt.float32.")
      .def("__init__", [](DType* self, nb::object of) { new (self) DType{dtype_from(of)}; })
      .def_prop_ro("name", [](const DType& t) { return type_name(t); })
      .def_prop_ro("itemsize", [](const DType& t) { return t.itemsize(); })
      .def_prop_ro("kind",
                   [](const DType& t) {
                     return t.is_complex                ? "c"
                            : t.part == ElementType::b8 ? "b"
                            : is_floating(t.part)       ? "f"
                            : is_signed(t.part)         ? "i"
                                                        : "u";
                   })
      .def_prop_ro(
          "dtype",  // np.dtype(tt.float32)
          [](const DType& t) { return nb::module_::import_("numpy").attr("dtype")(type_name(t)); })
      .def(
          "__eq__",
          [](const DType& t, nb::handle other) {
            DType dtype;
            if (nb::try_cast<DType>(other, dtype)) return dtype == t;
            try {
              return dtype_from(other) == t;
            } catch (const nb::builtin_exception&) {
              return false;
            }
          },
          nb::arg().none())
      .def("__hash__",
           [](const DType& t) { return static_cast<int>(t.part) + (t.is_complex ? 16 : 0); })
      .def("__reduce__",
           [](nb::handle self) {
             return nb::make_tuple(self.type(), nb::make_tuple(self.attr("name")));
           })
      .def(
          "__call__",  // as np.float32(3)
          [](const DType& t, nb::handle value) { return as_array(value, t); },
          "An array of this type.")
      .def("__repr__", [](const DType& t) { return std::string("tutti.") + type_name(t); });
  for (int i = 0; i < 12; ++i)
    m.attr(i == 0 ? "bool" : names[i]) = nb::cast(DType{static_cast<ElementType>(i)});
  for (const ElementType part : {ElementType::f32, ElementType::f64})
    m.attr(type_name({part, true})) = nb::cast(DType{part, true});
  m.def("promote", [](const DType& a, const DType& b) { return promote(a, b); });
}

}  // namespace tutti::python
