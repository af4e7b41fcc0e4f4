#include "nested/segments.hpp"

#include "nested/context.hpp"

namespace tutti::nested {
namespace {

// Dense segments cover their elements by construction.
NodeRef trusted(NodeRef offsets) {
  offsets->trusted_offsets = true;
  return offsets;
}

}  // namespace

NodeRef running_offsets(const NodeRef& lengths) {
  const Margin after{0, 1};
  const NodeRef padded =
      detail::expand(lengths, {&after, 1}, Boundary::constant(0), 0, "expand", Location());
  return trusted(detail::scan(Reduction::sum, padded, NodeRef(), true, Location()));
}

NodeRef sum_of(const NodeRef& lengths) {
  const int axis = 0;
  return detail::reduce(Reduction::sum, detail::cast(lengths, ElementType::i64, Location()),
                        {&axis, 1}, Location());
}

SegmentsRef Segments::of_lengths(int64_t count, const NodeRef& lengths, std::optional<Size> total) {
  if (is_uniform(lengths)) return alike(count, lengths, Size::pending(lengths));
  const std::shared_ptr<Segments> result = make(count);
  result->lengths_ = lengths;
  result->offsets_ = running_offsets(lengths);
  if (count == 0) total = Size(0);
  result->total_ = total ? total : Size::pending(sum_of(lengths), {lengths, result->offsets_});
  return result;
}

SegmentsRef Segments::of_offsets(int64_t count, NodeRef offsets, Size total) {
  const std::shared_ptr<Segments> result = make(count);
  result->offsets_ = trusted(std::move(offsets));
  result->total_ = std::move(total);
  return result;
}

SegmentsRef Segments::alike(int64_t count, NodeRef length, Size size) {
  const std::shared_ptr<Segments> result = make(count);
  result->lengths_ = std::move(length);
  result->total_ = size.times(count);
  result->each_ = std::move(size);
  return result;
}

SegmentsRef Segments::view(int64_t count, NodeRef starts, NodeRef lengths,
                           std::optional<Size> total) {
  const std::shared_ptr<Segments> result = make(count);
  result->dense_ = false;
  result->total_ = std::move(total);
  result->starts_ = std::move(starts);
  result->lengths_ = std::move(lengths);
  return result;
}

const SegmentsRef& Segments::packed() const {
  if (!packed_) {
    want(starts_);  // needed right after the new total is known
    packed_ = of_lengths(count_, lengths(), total_);
  }
  return packed_;
}

const NodeRef& Segments::packed_from() const {
  if (packed_from_) return packed_from_;
  if (is_uniform(starts_) && is_uniform(lengths_)) {
    packed_from_ = add(starts_, packed()->positions());
  } else {
    const NodeRef shift = subtract(starts_, packed()->starts());
    packed_from_ = add(packed_->rows(), pick(shift, packed_->element_segments()));
  }
  return packed_from_;
}

NodeRef Segments::starts() const {
  if (starts_) return starts_;
  if (offsets_)
    starts_ = part_of(offsets_, 0, count_);
  else if (count_ == 1)
    starts_ = number(0);
  else
    starts_ = apply(Op::multiply, numbered(count_), lengths_);
  return starts_;
}

NodeRef Segments::lengths() const {
  if (!lengths_) lengths_ = subtract(part_of(offsets_, 1, count_), part_of(offsets_, 0, count_));
  return lengths_;
}

const NodeRef& Segments::offsets() const {
  if (!offsets_)
    offsets_ = is_uniform(lengths_) ? trusted(apply(Op::multiply, numbered(count_ + 1), lengths_))
                                    : running_offsets(lengths_);
  return offsets_;
}

const NodeRef& Segments::rows() const {
  if (!rows_) rows_ = numbered(total_->get());
  return rows_;
}

const NodeRef& Segments::element_segments() const {
  if (element_segments_) return element_segments_;
  if (count_ == 1)
    element_segments_ = number(0);
  else if (lengths_ && is_uniform(lengths_))
    element_segments_ = apply(Op::divide, rows(), lengths_);
  else
    element_segments_ = detail::element_segments(offsets(), total_->get(), Location());
  return element_segments_;
}

const NodeRef& Segments::positions() const {
  if (positions_) return positions_;
  if (count_ == 1)
    positions_ = rows();
  else if (lengths_ && is_uniform(lengths_))
    positions_ = apply(Op::remainder, rows(), lengths_);
  else
    positions_ = subtract(rows(), pick(starts(), element_segments()));
  return positions_;
}

void Segments::forget_derived() const {
  rows_ = element_segments_ = positions_ = packed_from_ = NodeRef();
  elements_context_ = nullptr;
}

ContextRef Segments::elements_context(const ContextRef& parent) const {
  if (!elements_context_ || elements_context_->parent() != parent)
    elements_context_ =
        make_small<const Context>(Context::Origin::elements, parent, total_->get(),
                                  element_segments(), each_ ? each_->known() : std::nullopt);
  return elements_context_;
}

}  // namespace tutti::nested
