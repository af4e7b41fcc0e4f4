// The queens' puzzle, against its known answers.
#include "programs/queens.hpp"

#include "check.hpp"

int main() {
  const int answers[] = {1, 0, 0, 2, 10, 4, 40, 92};
  for (int n = 1; n <= 8; ++n) CHECK(programs::queens(n) == answers[n - 1]);
  return ok();
}
