// A program that several ranks run: each of them evaluates all of it, so what comes from outside
// must be the same for all. The first rank reads and sends the text to the others; it alone prints
// and writes.
#pragma once
#include <functional>
#include <string>

namespace tutti::nesl {

bool is_shared();  // there are other ranks
bool is_first();   // this one prints; true if there are no others

// What `speak` gives on the first rank, on all ranks. Collective: `what` says in words what is
// done. Without other ranks it is just called.
std::string from_first(const std::string& what, const std::function<std::string()>& speak);
double from_first(const std::string& what, double number);

}  // namespace tutti::nesl
