#include "codegen/emit/scattered_loads.hpp"

#include <llvm/IR/IntrinsicsX86.h>

#include "codegen/emit/each_lane.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

llvm::Type* lanes_of_bits(Builder& b, Value* like, unsigned bits) {
  return lanes_like(like, b.getIntNTy(bits));
}

// Returns the width of a permutation of this number of lanes, or 0 if there is none.
unsigned permuted_bits(int lanes) { return lanes == 16 ? 32 : lanes == 8 ? 64 : 0; }

}  // namespace

Value* gather_by_words(Builder& b, llvm::Type* element, Value* pointer, Value* offsets,
                       Value* mask) {
  constexpr uint64_t word_bytes = 4;
  const uint64_t bytes = element->getScalarSizeInBits() / 8, in_word = word_bytes / bytes;
  // The word that the first element is in, and which of its parts that is.
  Value* address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  Value* beyond = b.CreateAnd(address, word_bytes - 1);
  Value* first = b.CreateIntToPtr(b.CreateSub(address, beyond), pointer->getType());
  Value* part =
      b.CreateTrunc(b.CreateUDiv(beyond, b.getInt64(bytes)), offsets->getType()->getScalarType());
  const auto lanes = llvm::cast<llvm::VectorType>(offsets->getType())->getElementCount();
  Value* at = b.CreateAdd(offsets, b.CreateVectorSplat(lanes, part));
  Value* words = b.CreateLShr(at, in_word == 4 ? 2 : 1);
  llvm::Type* word = lanes_of_bits(b, offsets, 32);
  Value* loaded =
      b.CreateMaskedGather(word, b.CreateGEP(b.getInt32Ty(), first, words), llvm::Align(word_bytes),
                           mask, llvm::Constant::getNullValue(word));
  Value* which =
      b.CreateAnd(b.CreateTrunc(at, word), number(loaded, static_cast<int>(in_word) - 1));
  Value* shifted = b.CreateLShr(loaded, b.CreateShl(which, bytes == 1 ? 3 : 4));
  Value* bits = b.CreateTrunc(shifted, lanes_of_bits(b, offsets, static_cast<unsigned>(8 * bytes)));
  return b.CreateBitCast(bits, lanes_like(offsets, element));
}

bool can_permute(int lanes, llvm::Type* element) {
  return permuted_bits(lanes) >= element->getScalarSizeInBits();
}

Value* permute_lanes(Builder& b, Value* vector, Value* numbers) {
  const auto lanes =
      static_cast<int>(llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements());
  const unsigned width = permuted_bits(lanes), bits = vector->getType()->getScalarSizeInBits();
  llvm::Type* wide = lanes_of_bits(b, vector, width);
  Value* elements = b.CreateZExt(b.CreateBitCast(vector, lanes_of_bits(b, vector, bits)), wide);
  const auto intrinsic = width == 32 ? llvm::Intrinsic::x86_avx512_permvar_si_512
                                     : llvm::Intrinsic::x86_avx512_permvar_di_512;
  Value* moved = b.CreateIntrinsic(intrinsic, {}, {elements, b.CreateZExtOrTrunc(numbers, wide)});
  return b.CreateBitCast(b.CreateTrunc(moved, lanes_of_bits(b, vector, bits)), vector->getType());
}

}  // namespace tutti::codegen
