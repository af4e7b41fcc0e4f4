// Background assignments that wait for a thread. A limited number is computed at once, in the order
// in which they were made: each takes a processor and a stack of its own.
#pragma once
#include <deque>
#include <mutex>

namespace tutti::nesl {

class Background;

class BackgroundQueue {
 public:
  BackgroundQueue();  // as many at once as there are processors
  // Starts it, now or when others have ended.
  void add(Background& work);
  // Starts it at once if it still waits: the session waits for it, so a processor is free.
  // Where no thread can be made it is computed here.
  void start_now(Background& work);
  // It will not be started any more.
  void remove(Background& work);
  // Called by the thread of one that has ended.
  void note_end();

 private:
  void start_some();
  bool take_out(Background& work);

  std::mutex mutex_;
  std::deque<Background*> waiting_;
  const int most_;
  int running_ = 0;
};

}  // namespace tutti::nesl
