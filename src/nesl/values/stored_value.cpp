#include "nesl/values/stored_value.hpp"

#include <mutex>

#include "nesl/eval/flat/convert.hpp"

namespace tutti::nesl {
namespace {

// Values up to this many numbers are brought to the host at once: that costs less than a kernel.
constexpr std::int64_t small_value = 4096;

// Background assignments may convert a value at the same time as the session.
std::mutex& conversions() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

StoredValue::StoredValue(Mono type, nested::Value value) : type_(type), flat_(std::move(value)) {
  if (flat::numbers_in(*flat_) > small_value) {
    flat::force(*flat_);
    return;
  }
  plain_ = flat::to_plain(*flat_, type_);
  flat_.reset();
}

const Value& StoredValue::plain() const {
  const std::lock_guard lock(conversions());
  if (!plain_) plain_ = flat::to_plain(*flat_, type_);
  return *plain_;
}

const nested::Value& StoredValue::flat() const {
  const std::lock_guard lock(conversions());
  if (!flat_) flat_ = flat::to_flat(*plain_, type_);
  return *flat_;
}

bool StoredValue::is_plain() const {
  const std::lock_guard lock(conversions());
  return plain_.has_value();
}

Value StoredValue::head(int length) const {
  return plain_ ? *plain_ : flat::to_plain(flat::head_of(*flat_, length), type_);
}

StoredValue StoredValue::part(int i) const {
  StoredValue result;
  result.type_ = i == 0 ? type_->a : type_->b;
  if (plain_) result.plain_ = i == 0 ? plain_->first() : plain_->second();
  if (flat_) result.flat_ = nested::part(*flat_, i);
  return result;
}

StoredValue StoredValue::fields() const {
  StoredValue result = *this;
  result.type_ = type_->a;
  return result;
}

}  // namespace tutti::nesl
