// Where a pattern occurs in a text: the places that are still possible are looked at letter by
// letter, all at once.
#pragma once
#include <string>
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Seq<int> string_search(const Seq<char>& text, const std::string& pattern) {
  const int letters = static_cast<int>(pattern.size());
  Seq<int> place = iota(max(length(text) - letters + 1, 0));
  for (int i = 0; i < letters; ++i) place = filter(place, text[place + i] == pattern[i]);
  return place;
}

}  // namespace programs
