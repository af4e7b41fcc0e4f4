// Values on the host: what the plain evaluator computes with, what is printed and what files hold.
// Immutable and shared, so that copies are cheap. A sequence of scalars holds the bare numbers, a
// string one byte a character. A sequence of pairs holds the first and the second components, each
// as such a sequence. A sequence of short sequences holds their elements in one sequence, and where
// each begins. A value, or a part of a pair, may also be somewhere else: a value of the top
// context. Only the mixed evaluator makes such values; the others see none.
#pragma once
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nesl/types/mono_type.hpp"

namespace tutti::nested {
struct Value;
}

namespace tutti::nesl {

class Values;

class Value {
 public:
  Value() : Value(0) {}
  Value(int value) : tag_(Tag::integer) { as_.integer = value; }                // NOLINT: values of
  Value(double value) : tag_(Tag::floating) { as_.floating = value; }           // NOLINT: the
  Value(bool value) : tag_(Tag::boolean) { as_.boolean = value; }               // NOLINT: language
  Value(unsigned char value) : tag_(Tag::character) { as_.character = value; }  // NOLINT
  Value(Values elements);                                                       // NOLINT
  Value(Value first, Value second);
  static Value text(const std::string& characters);
  static Value elsewhere(nested::Value value);

  Value(const Value& other) : tag_(other.tag_), as_(other.as_) { hold(); }
  Value(Value&& other) noexcept : tag_(other.tag_), as_(other.as_) { other.tag_ = Tag::integer; }
  Value& operator=(Value other) noexcept {
    std::swap(tag_, other.tag_);
    std::swap(as_, other.as_);
    return *this;
  }
  ~Value() {
    if (is_shared()) release();
  }

  int integer() const { return as_.integer; }
  double floating() const { return as_.floating; }
  bool boolean() const { return as_.boolean; }
  unsigned char character() const { return as_.character; }
  const Values& elements() const;
  const Value& first() const;
  const Value& second() const;
  std::string text() const;  // of a sequence of characters

  bool is_elsewhere() const { return tag_ == Tag::elsewhere; }
  const nested::Value& flat() const;  // of one that is elsewhere
  bool is_plain() const;              // with all its parts

 private:
  friend class Values;
  enum class Tag : std::uint8_t {
    integer,
    floating,
    boolean,
    character,
    sequence,
    pair,
    elsewhere
  };
  struct Shared {
    std::atomic<std::int64_t> holders{1};
  };
  struct Sequence;
  struct Pair;
  struct Elsewhere;

  bool is_shared() const { return tag_ >= Tag::sequence; }
  void hold() const {
    if (is_shared()) as_.shared->holders.fetch_add(1, std::memory_order_relaxed);
  }
  void release();

  Tag tag_;
  union {
    int integer;
    double floating;
    bool boolean;
    unsigned char character;
    Shared* shared;
  } as_;
};

// The elements of a sequence, all of one type. Elements are read by value.
class Values {
 public:
  class Iterator;
  struct Flag {
    bool value;
    explicit operator bool() const { return value; }
  };

  Values() = default;
  Values(std::initializer_list<Value> elements);
  Values(std::size_t count, const Value& element);
  // The bare numbers: ints, doubles, or unsigned chars for characters.
  template <class T>
  explicit Values(std::vector<T> numbers) : data_(std::move(numbers)) {}

  std::size_t size() const {
    return std::visit([](const auto& elements) { return elements.size(); }, data_);
  }
  bool empty() const { return size() == 0; }
  Value operator[](std::size_t i) const;
  Iterator begin() const;
  Iterator end() const;

  void reserve(std::size_t count);
  void push_back(Value element);
  template <class... Parts>
  void emplace_back(Parts&&... parts) {
    push_back(Value(std::forward<Parts>(parts)...));
  }
  void append(const Values& others) { append(others, 0, others.size()); }
  void append(Values&& others);
  void append(const Values& others, std::size_t begin, std::size_t end);
  Values part(std::size_t begin, std::size_t end) const;
  // The elements at indices, which are inside.
  Values gathered(std::span<const int> indices) const;
  // The elements whose flag is set; there are as many flags.
  Values selected(std::span<const Flag> flags) const;
  // Sets the elements at indices, which are inside, one after the other.
  void scatter(std::span<const int> indices, const Values& values);
  static Values zipped(Value first, Value second);  // sequences of one length
  // Of pairs: the first (0) or second (1) components; of no elements, none.
  const Values& column(int i) const;
  Value column_value(int i) const;
  Values& begin_column(int i);  // to add some; the other must become as long

  // ---- rows: sequences of at most `longest_row` elements, in one sequence. Longer ones, and all
  // beside them, are objects of their own, so that to read one never copies much. A few sequences
  // are objects as well: they are made faster.
  static constexpr std::size_t longest_row = 256, fewest_rows = 8;
  // The sequences that begin and end at offsets, of which there is one more than sequences; from 0
  // to the length of the contents.
  static Values nested(std::vector<int> offsets, Value contents);
  bool are_rows() const { return std::holds_alternative<Rows>(data_); }
  // Of rows.
  std::span<const int> offsets() const;
  const Value& contents() const { return std::get<Rows>(data_).contents; }
  // How many scalars the elements of a range consist of, one component of pairs counted.
  std::int64_t numbers_in(std::size_t begin, std::size_t end) const;
  // The elements of ranges, one after the other.
  Values gathered_ranges(std::span<const int> begins, std::span<const int> ends) const;

  // Those of the first range of one sequence and the first of another, and so on.
  static Values joined_ranges(const Values& a, std::span<const int> a_begins,
                              std::span<const int> a_ends, const Values& b,
                              std::span<const int> b_begins, std::span<const int> b_ends);

  // Returns the elements, to add some. They are of type T if there are any. Reserves room for
  // `count` in all.
  template <class T>
  std::vector<T>& begin(std::size_t count) {
    if (!std::holds_alternative<std::vector<T>>(data_)) data_ = std::vector<T>();
    auto& elements = std::get<std::vector<T>>(data_);
    elements.reserve(count);
    return elements;
  }
  // The bare numbers, where they are of this type; of no elements, none.
  template <class T>
  std::span<const T> numbers() const {
    const auto* numbers = std::get_if<std::vector<T>>(&data_);
    return numbers ? std::span<const T>(*numbers) : std::span<const T>();
  }

 private:
  friend class Value;
  struct Nothing {  // no elements, so of any type
    std::size_t size() const { return 0; }
  };
  void begin_with(const Value& first);

  // Two sequences of one length.
  struct Columns {
    Value parts[2];
    std::size_t size() const { return parts[0].elements().size(); }
  };
  struct Rows {
    Value offsets, contents;  // the first are ints
    std::size_t size() const { return offsets.elements().size() - 1; }
  };
  template <class Elements>
  static constexpr bool is_array =
      !std::is_same_v<Elements, Nothing> && !std::is_same_v<Elements, Columns> &&
      !std::is_same_v<Elements, Rows>;
  static Columns no_columns();
  static Rows no_rows();
  // The elements of a sequence that only this one holds afterwards.
  static Values& own(Value& sequence);
  bool add_row(const Values& row);  // false if they are objects from now on
  void append_rows(const Rows& others, std::size_t begin, std::size_t end);
  Values gathered_rows(std::span<const int> indices) const;
  void scatter_rows(std::span<const int> indices, const Values& values);
  void make_objects();  // of rows
  void make_rows();     // of objects that are short
  bool is_like(const Values& other) const { return data_.index() == other.data_.index(); }
  // Calls `work` with the elements of this one and those of the other, which are stored alike.
  template <class Work>
  void with_other(const Values& other, const Work& work);
  void begin_like(const Values& other);

  std::variant<Nothing, std::vector<int>, std::vector<double>, std::vector<Flag>,
               std::vector<unsigned char>, std::vector<Value>, Columns, Rows>
      data_;
  std::size_t reserved_ = 0;  // until the type of the elements is known
};

class Values::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Value;

  Iterator(const Values& values, std::size_t at) : values_(&values), at_(at) {}
  Value operator*() const { return (*values_)[at_]; }
  Iterator& operator++() { return ++at_, *this; }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }

 private:
  const Values* values_;
  std::size_t at_;
};

inline Values::Iterator Values::begin() const { return {*this, 0}; }
inline Values::Iterator Values::end() const { return {*this, size()}; }

struct Value::Sequence : Shared {
  explicit Sequence(Values values) : elements(std::move(values)) {}
  Values elements;
};
struct Value::Pair : Shared {
  Pair(Value a, Value b)
      : first(std::move(a)),
        second(std::move(b)),
        is_plain(first.is_plain() && second.is_plain()) {}
  const Value first, second;
  const bool is_plain;
};

inline bool Value::is_plain() const {
  if (tag_ < Tag::pair) return true;
  return tag_ == Tag::pair && static_cast<const Pair*>(as_.shared)->is_plain;
}
inline const Values& Value::elements() const {
  return static_cast<const Sequence*>(as_.shared)->elements;
}
inline const Value& Value::first() const { return static_cast<const Pair*>(as_.shared)->first; }
inline const Value& Value::second() const { return static_cast<const Pair*>(as_.shared)->second; }

// A number as a float of this type: rounded where it has 32 bits.
Value rounded(double number, Mono floating);
// Values are compared structurally; functions of one type are all equal.
bool equal(const Value& a, const Value& b, Mono type);
// 0, 0.0, f, the null character, the empty sequence; component by component.
Value identity_of(Mono type);

}  // namespace tutti::nesl
