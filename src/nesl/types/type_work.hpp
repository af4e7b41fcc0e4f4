// Work on types may take any time: a function that is composed with itself a few times has a type
// of millions of parts. While a scope lives, operations on types of this thread call its function
// now and then; what that throws ends them.
#pragma once
#include <functional>

namespace tutti::nesl {

class TypeWorkScope {
 public:
  explicit TypeWorkScope(std::function<void()> look);
  ~TypeWorkScope();
  TypeWorkScope(const TypeWorkScope&) = delete;
  TypeWorkScope& operator=(const TypeWorkScope&) = delete;

 private:
  friend void note_type_work();
  std::function<void()> look_;
  int until_look_;
  TypeWorkScope* outer_;
};

// A part of a type has been visited.
void note_type_work();

}  // namespace tutti::nesl
