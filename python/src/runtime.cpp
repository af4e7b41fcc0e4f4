// Devices, settings, counters and explanations, and the exceptions of Tutti as those of Python.
#include <nanobind/stl/pair.h>

#include "array.hpp"
#include "tutti/device.hpp"
#include "tutti/explain.hpp"
#include "tutti/precision.hpp"
#include "tutti/runtime.hpp"

namespace tutti::python {
namespace {

// Calls visit(name, member) for every setting.
template <class S, class Visit>
void for_each_setting(S& settings, Visit visit) {
  visit("cache_dir", settings.cache_dir);
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) visit(#member, settings.member);
#define TUTTI_SWITCH(variable, member, meaning) visit(#member, settings.member);
#include "core/settings/settings.def"
}

nb::dict settings_as_dict() {
  const Settings s = settings();
  nb::dict result;
  for_each_setting(s, [&](const char* name, const auto& member) { result[name] = member; });
  return result;
}

template <class T>
T setting_from(nb::handle value, const char* name) {
  T result{};
  if (!nb::try_cast<T>(value, result)) {
    PyErr_Format(PyExc_TypeError, "the setting '%s' does not take %R", name, value.ptr());
    throw nb::python_error();
  }
  return result;
}

void change_settings(const nb::dict& changes) {
  Settings s = settings();
  for (const auto& [key, value] : changes) {
    const auto name = nb::cast<std::string>(key);
    bool known = false;
    for_each_setting(s, [&, &value = value](const char* setting, auto& member) {
      if (name != setting) return;
      member = setting_from<std::remove_reference_t<decltype(member)>>(value, setting);
      known = true;
    });
    if (!known) throw nb::value_error(("there is no setting '" + name + "'").c_str());
  }
  set_settings(s);
}

nb::dict statistics_as_dict() {
  const Statistics s = statistics();
  nb::dict result;
#define TUTTI_ROW(name) result[#name] = s.name
  TUTTI_ROW(evaluations);
  TUTTI_ROW(plans_built);
  TUTTI_ROW(kernels_compiled);
  TUTTI_ROW(kernels_from_disk);
  TUTTI_ROW(kernel_launches);
  TUTTI_ROW(buffers_allocated);
  TUTTI_ROW(buffers_reused_in_place);
  TUTTI_ROW(bytes_in_use);
  TUTTI_ROW(bytes_in_pool);
  TUTTI_ROW(peak_bytes_in_use);
  TUTTI_ROW(compile_seconds);
#undef TUTTI_ROW
  return result;
}

// A ScopedPrecision as a context manager of Python.
class PrecisionScope {
 public:
  explicit PrecisionScope(const std::string& name) {
    if (name == "contracted")
      precision_ = Precision::contracted;
    else if (name == "fast")
      precision_ = Precision::fast;
    else if (name != "exact")
      throw nb::value_error(
          ("precision: '" + name + "' is not 'exact', 'contracted' or 'fast'").c_str());
  }
  PrecisionScope& enter() {
    if (scope_) throw Error("precision: this scope has been entered already");
    scope_ = std::make_unique<ScopedPrecision>(precision_);
    return *this;
  }
  void exit(const nb::args&) { scope_.reset(); }

 private:
  Precision precision_ = Precision::exact;
  std::unique_ptr<ScopedPrecision> scope_;
};

void bind_exceptions(nb::module_& m) {
  // Each is a kind of the Python exception that fits, so that programs need not know Tutti's.
  // The last that is registered is tried first.
  nb::exception<Error>(m, "Error", PyExc_RuntimeError);
  nb::exception<ShapeError>(m, "ShapeError", PyExc_ValueError);
  nb::exception<TypeError>(m, "ElementTypeError", PyExc_TypeError);
  nb::exception<OutOfMemory>(m, "OutOfMemory", PyExc_MemoryError);
  nb::exception<DeviceError>(m, "DeviceError", PyExc_RuntimeError);
  nb::exception<CompileError>(m, "CompileError", PyExc_RuntimeError);
  nb::exception<InternalError>(m, "InternalError", PyExc_RuntimeError);
}

}  // namespace

void bind_runtime(nb::module_& m) {
  bind_exceptions(m);
  m.def("version", [] { return version(); });
  m.def("devices", [] {
    std::vector<std::pair<std::string, std::string>> result;
    for (const DeviceInfo& d : devices()) result.push_back({d.name, d.description});
    return result;
  });
  m.def("device", [] { return device().name; });
  m.def("use", [](const std::string& name) { without_lock([&] { use(name); }); });
  nb::class_<PrecisionScope>(m, "PrecisionScope")
      .def(nb::init<const std::string&>())
      .def("__enter__", &PrecisionScope::enter, nb::rv_policy::reference_internal)
      .def("__exit__", &PrecisionScope::exit);
  m.def("move_to", [](const Array& a, const std::string& device) {
    std::vector<NodeRef> nodes;
    a.append_to(nodes);
    without_lock([&] { detail::move_to(nodes, device); });
  });
  m.def("synchronize", [] { without_lock([] { synchronize(); }); });
  m.def("stream", [] { return reinterpret_cast<uintptr_t>(stream()); });
  m.def("settings", &settings_as_dict);
  m.def("change_settings", &change_settings);
  m.def("statistics", &statistics_as_dict);
  m.def("trim_pool", [] { without_lock([] { trim_pool(); }); });
  m.def("clear_kernel_cache", [] { without_lock([] { clear_kernel_cache(); }); });
  m.def("explain", [](const std::vector<Array>& arrays, const std::string& format) {
    std::vector<NodeRef> nodes;
    for (const Array& a : arrays) a.append_to(nodes);
    return without_lock([&] {
      const Explanation explained = detail::explain(nodes);
      if (format == "json") return explained.json();
      if (format == "dot") return explained.dot();
      if (format == "html") return explained.html();
      return explained.text();
    });
  });
}

}  // namespace tutti::python
