// NESL programs from a text: values of Python in, the value of the last expression out.
#include "array.hpp"
#include "nesl/session/session.hpp"

namespace tutti::python {
namespace {

using nesl::Mono;
using nesl::Value;

struct Typed {
  Value value;
  Mono type;
};

[[noreturn]] void refuse_mixed() {
  throw nb::type_error("nesl: the elements of a list must have one type");
}

Typed from_python(nb::handle object);

Typed sequence_from(nb::handle list) {
  nesl::Values elements;
  Mono type = nullptr;
  for (nb::handle item : list) {
    Typed element = from_python(item);
    if (type && element.type != type) refuse_mixed();
    type = element.type;
    elements.push_back(std::move(element.value));
  }
  if (!type) type = nesl::mono::integer();
  return {Value(std::move(elements)), nesl::mono::sequence(type)};
}

// (a, b, c) is (a, (b, c)).
Typed tuple_from(const std::vector<nb::object>& items, size_t first) {
  Typed head = from_python(items[first]);
  if (first + 1 == items.size()) return head;
  Typed rest = tuple_from(items, first + 1);
  return {Value(std::move(head.value), std::move(rest.value)),
          nesl::mono::pair(head.type, rest.type)};
}

// Counts the depth of lists in lists: one that holds itself is a RecursionError.
struct Depth {
  Depth() {
    if (Py_EnterRecursiveCall(" in a value for nesl")) throw nb::python_error();
  }
  ~Depth() { Py_LeaveRecursiveCall(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
};

Typed from_python(nb::handle object) {
  const Depth depth;
  if (PyBool_Check(object.ptr())) return {Value(nb::cast<bool>(object)), nesl::mono::boolean()};
  if (PyLong_Check(object.ptr())) {
    const ScalarValue value = scalar_from(object, ElementType::i32);
    return {Value(static_cast<int>(static_cast<uint32_t>(value.bits))), nesl::mono::integer()};
  }
  if (PyFloat_Check(object.ptr()))
    return {nesl::rounded(nb::cast<double>(object), nesl::mono::floating()),
            nesl::mono::floating()};
  if (nb::isinstance<nb::str>(object))
    return {Value::text(nb::cast<std::string>(object)),
            nesl::mono::sequence(nesl::mono::character())};
  if (nb::isinstance<nb::tuple>(object) && nb::len(object) > 0) {
    std::vector<nb::object> items;
    for (nb::handle item : object) items.push_back(nb::borrow(item));
    return tuple_from(items, 0);
  }
  if (nb::isinstance<nb::list>(object)) return sequence_from(object);
  if (nb::hasattr(object, "tolist")) return from_python(nb::object(object.attr("tolist")()));
  throw nb::type_error("nesl: values are bool, int, float, str, tuples and lists of them, arrays");
}

// Characters of NESL are bytes: those of Python's text in UTF-8. Other bytes are read as Latin-1.
nb::object text_from(const std::string& bytes) {
  const auto size = static_cast<Py_ssize_t>(bytes.size());
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(bytes.data(), size, nullptr));
  if (text.is_valid()) return text;
  PyErr_Clear();
  return nb::steal(PyUnicode_DecodeLatin1(bytes.data(), size, nullptr));
}

nb::object to_python(const Value& value, Mono type) {
  using Kind = nesl::MonoType::Kind;
  switch (type->kind) {
    case Kind::integer:
      return nb::int_(value.integer());
    case Kind::floating:
      return nb::float_(value.floating());
    case Kind::boolean:
      return nb::bool_(value.boolean());
    case Kind::character:
      return text_from({static_cast<char>(value.character())});
    case Kind::sequence: {
      if (type->a->kind == Kind::character) return text_from(value.text());
      nb::list result;
      for (const Value& element : value.elements()) result.append(to_python(element, type->a));
      return result;
    }
    case Kind::pair: {  // (a, (b, c)) is (a, b, c)
      nb::list parts;
      const Value* rest = &value;
      Mono of = type;
      while (of->kind == Kind::pair) {
        parts.append(to_python(rest->first(), of->a));
        rest = &rest->second();
        of = of->b;
      }
      parts.append(to_python(*rest, of));
      return nb::tuple(parts);
    }
    default:
      return to_python(value, nesl::mono::representation(type));
  }
}

nb::object run_nesl(const std::string& text, const nb::dict& inputs) {
  std::vector<std::pair<std::string, Typed>> values;
  for (const auto& [key, object] : inputs)
    values.emplace_back(nb::cast<std::string>(key), from_python(object));
  std::string written;
  bool good = false;
  std::shared_ptr<nesl::StoredValue> result;
  std::atomic<bool> stop{false};
  run_stoppable(stop, [&] {
    nesl::Session session([&](const std::string& out) { written += out; });
    session.machine().stop = &stop;
    for (auto& [name, typed] : values)
      session.define(name, nesl::StoredValue(typed.type, std::move(typed.value)));
    const auto source = std::make_shared<nesl::Source>(nesl::Source{"<nesl>", text});
    good = session.run(source, false);
    const nesl::DefinitionRef it = session.environment().find_own("it");
    if (good && it && it->value) {
      it->value->plain();  // computed while the interpreter lock is free
      result = it->value;
    }
  });
  if (!good) throw Error("nesl: " + written);
  if (!written.empty())
    nb::module_::import_("sys").attr("stdout").attr("write")(text_from(written));
  return result ? to_python(result->plain(), result->type()) : nb::none();
}

}  // namespace

void bind_nesl(nb::module_& m) { m.def("nesl", &run_nesl); }

}  // namespace tutti::python
