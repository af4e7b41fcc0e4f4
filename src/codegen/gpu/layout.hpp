// Constants that kernels of GPUs and their launches agree on, besides the schedule.
#pragma once

namespace tutti::codegen {

constexpr int product_tile = 16;  // threads of a block along rows and along columns of a product

// The greatest number of words that a launch passes by value: 4 KB, on every driver.
constexpr int most_parameter_words = 500;

// The version of this layout. Change it with the layout: stored kernels of other versions do not
// fit.
constexpr int gpu_layout = 5;

}  // namespace tutti::codegen
