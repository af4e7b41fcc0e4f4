// A recorded body changes the variables that are listed: they cannot be const.
// message: static assertion failed: record(body, variables...): a variable is a Vec, a Number or an
// Array that is not const
#include <tutti/tutti.hpp>

using namespace tutti;

void steps(Vec<float>& a, const Vec<float>& b) {
#ifdef MISTAKE
  record([&] { a += b; }, b)();
#else
  record([&] { a += b; }, a)();
#endif
}
