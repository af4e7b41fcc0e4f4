// Several processes that run one program: the functions of tutti/ranks.hpp for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace tutti::python {

void bind_ranks(nanobind::module_& m);

}  // namespace tutti::python
