// Control flow inside of captured programs, for conditions on values that only exist when the
// program runs. (Plain C++ control flow decides what is captured.) Short names: keywords.hpp.
//
//   TUTTI_IF (x > 0.0f) { ... } TUTTI_ELSEIF (x < 0.0f) { ... } TUTTI_ELSE { ... } TUTTI_ENDIF;
//   TUTTI_WHILE (x > 1.0f) { ... } TUTTI_ENDWHILE;
//   TUTTI_FOR (Value1i k = 0, k < 10, k += 1) { ... } TUTTI_ENDFOR;
//   TUTTI_DO { ... } TUTTI_UNTIL (x < 1.0f);
//   TUTTI_BREAK; TUTTI_CONTINUE;
//
// Conditions are part of the program: they may call functions that contain control flow.
#pragma once
#include "tutti/detail/control.hpp"

#define TUTTI_HERE ::std::source_location::current()
#define TUTTI_CONDITION(keyword, ...) ::tutti::detail::condition(keyword, (__VA_ARGS__), TUTTI_HERE)

#define TUTTI_IF(...) \
  do {                \
    ::tutti::detail::begin_if(TUTTI_CONDITION("IF", __VA_ARGS__), TUTTI_HERE);
#define TUTTI_ELSEIF(...)                  \
  ::tutti::detail::begin_else(TUTTI_HERE); \
  ::tutti::detail::begin_else_if(TUTTI_CONDITION("ELSEIF", __VA_ARGS__), TUTTI_HERE);
#define TUTTI_ELSE ::tutti::detail::begin_else(TUTTI_HERE);
#define TUTTI_ENDIF                    \
  ::tutti::detail::end_if(TUTTI_HERE); \
  }                                    \
  while (false)

#define TUTTI_WHILE(...)                              \
  do {                                                \
    ::tutti::detail::begin_loop("WHILE", TUTTI_HERE); \
    ::tutti::detail::loop_while(TUTTI_CONDITION("WHILE", __VA_ARGS__), TUTTI_HERE);
#define TUTTI_ENDWHILE                   \
  ::tutti::detail::end_loop(TUTTI_HERE); \
  }                                      \
  while (false)

// The step is recorded before the body, where it is written, and runs after it.
#define TUTTI_FOR(start, condition, ...)                                        \
  do {                                                                          \
    ::tutti::detail::require_capture("FOR", TUTTI_HERE);                        \
    start;                                                                      \
    ::tutti::detail::begin_loop("FOR", TUTTI_HERE);                             \
    ::tutti::detail::loop_while(TUTTI_CONDITION("FOR", condition), TUTTI_HERE); \
    ::tutti::detail::begin_step(TUTTI_HERE);                                    \
    __VA_ARGS__;                                                                \
    ::tutti::detail::end_step(TUTTI_HERE);
#define TUTTI_ENDFOR TUTTI_ENDWHILE

#define TUTTI_DO \
  do {           \
    ::tutti::detail::begin_loop("DO", TUTTI_HERE);
#define TUTTI_UNTIL(...)                                                          \
  ::tutti::detail::begin_step(TUTTI_HERE);                                        \
  ::tutti::detail::loop_until(TUTTI_CONDITION("UNTIL", __VA_ARGS__), TUTTI_HERE); \
  ::tutti::detail::end_step(TUTTI_HERE);                                          \
  ::tutti::detail::end_loop(TUTTI_HERE);                                          \
  }                                                                               \
  while (false)

#define TUTTI_BREAK ::tutti::detail::leave_loop(TUTTI_HERE)
#define TUTTI_CONTINUE ::tutti::detail::next_iteration(TUTTI_HERE)
