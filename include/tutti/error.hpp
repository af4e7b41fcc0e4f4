// The exceptions of Tutti. An error is thrown at the call that caused it, names the operation, its
// operands and the source line, and leaves every array usable.
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The base class of all errors.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ShapeError : public Error {  // shapes, axes or ranges that do not fit
 public:
  using Error::Error;
};
class TypeError : public Error {  // an element type that the operation does not take
 public:
  using Error::Error;
};
class OutOfMemory : public Error {
 public:
  using Error::Error;
};
class DeviceError : public Error {
 public:
  using Error::Error;
};
class CompileError : public Error {  // the code generator of the machine rejected a kernel
 public:
  using Error::Error;
};
class InternalError : public Error {  // a bug in Tutti, with the evidence
 public:
  using Error::Error;
};

namespace detail {
std::string at(const std::source_location& where);  // " (file.cpp:12)", or "" if unknown
}

}  // namespace tutti
TUTTI_END_EXPORTS
