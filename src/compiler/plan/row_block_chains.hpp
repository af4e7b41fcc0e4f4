// Chains: neighbouring map kernels over one two-dimensional domain, run row block by row block so
// that what one leaves for the next stays in the caches and never becomes a whole array. The rows
// that a row block needs beyond its own are computed again by its neighbours. In: the steps of a
// plan. Out: the same, runs of them replaced by chains where that saves memory traffic.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

void form_chains(Plan& plan);

}  // namespace tutti::compiler
