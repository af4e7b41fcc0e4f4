// The functions of a kernel header that libtutti finds in the bitcode: void name(const i64* words,
// const i64* a). `words` are those of the fused kernels, if there are any; `a` is a struct of
// arguments.hpp. The functions are at the end of the header, excluded from tests that emulate the
// GPU. The operators are not known here: the code generator defines the names tutti_combine_...,
// links, inlines and specialises.
#pragma once
#include "kernels/gpu/device.hpp"

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_FOR_EACH_SIZE(X) X(u8) X(u16) X(u32) X(u64)

namespace tutti::gpu {

template <class Arguments>
const Arguments& as(const i64* a) {
  return *reinterpret_cast<const Arguments*>(a);
}

extern "C" bool tutti_in_pieces();
extern "C" bool tutti_consumes();
extern "C" bool tutti_computes_values();
#define TUTTI_GENERATED(U)                                                 \
  extern "C" U tutti_combine_##U(U, U);                                    \
  extern "C" U tutti_neutral_##U();                                        \
  extern "C" U tutti_nothing_##U();                                        \
  extern "C" U tutti_element_##U(const i64* words, i64 i);                 \
  extern "C" void tutti_piece_##U(const i64* words, i64 first, U* x);      \
  extern "C" void tutti_consume_element_##U(const i64* words, i64 i, U x); \
  extern "C" void tutti_consume_piece_##U(const i64* words, i64 first, const U* x);
TUTTI_FOR_EACH_SIZE(TUTTI_GENERATED)

// Instances of kernels with these operators have internal linkage: each is inlined into the only
// function that needs it.
namespace {

template <class U>
struct Fused;
#define TUTTI_FUSED(U)                                                                            \
  template <>                                                                                     \
  struct Fused<U> {                                                                               \
    const i64* words;                                                                             \
    static U combine(U a, U b) { return tutti_combine_##U(a, b); }                                \
    static U neutral() { return tutti_neutral_##U(); }                                            \
    static U nothing() { return tutti_nothing_##U(); }                                            \
    static bool in_pieces() { return tutti_in_pieces(); }                                         \
    U element(i64 i) const { return tutti_element_##U(words, i); }                                \
    void piece(i64 first, U* x) const { tutti_piece_##U(words, first, x); }                       \
    static bool consumes() { return tutti_consumes(); }                                           \
    void consume_element(i64 i, U x) const { tutti_consume_element_##U(words, i, x); }            \
    void consume_piece(i64 first, const U* x) const { tutti_consume_piece_##U(words, first, x); } \
  };
TUTTI_FOR_EACH_SIZE(TUTTI_FUSED)

}  // namespace

}  // namespace tutti::gpu
#endif
