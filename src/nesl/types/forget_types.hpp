// Types that belong to a specialiser: those that mention one of its functions, or a datatype that
// its session has declared. All others live as long as the process.
#pragma once
#include <set>

#include "nesl/types/mono_type.hpp"

namespace tutti::nesl::mono {

// Types that mention the datatype belong to the specialiser. Called before there are any.
void own(const DatatypeRef& datatype, const Specialiser& specialiser);
// Destroys the types of the specialiser but the kept ones, whose parts must be among them.
void forget_others(const Specialiser* specialiser, const std::set<Mono>& kept) noexcept;

}  // namespace tutti::nesl::mono
