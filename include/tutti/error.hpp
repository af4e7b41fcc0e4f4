// What can go wrong, as exceptions. Errors are thrown at the call that caused them, name the
// operation, what it was given and the source line, and leave every array usable.
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

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
class CompileError : public Error {  // the machine's code generator refused
 public:
  using Error::Error;
};
class InternalError : public Error {  // a fault of Tutti itself, with the evidence
 public:
  using Error::Error;
};

namespace detail {
std::string at(const std::source_location& where);  // " (file.cpp:12)", or "" when unknown
}

}  // namespace tutti
TUTTI_END_EXPORTS
