// A place that streams keep for such things (ios_base::xalloc).
#include "experiments/driver/text/stream_manner.hpp"

namespace nowsim {
namespace {

int place_of_manner() {
  static const int place = std::ios_base::xalloc();
  return place;
}

StreamManner* manner_of(std::ios_base& stream) { return static_cast<StreamManner*>(stream.pword(place_of_manner())); }

}  // namespace

void set_manner(std::ios_base& stream, StreamManner* manner) { stream.pword(place_of_manner()) = manner; }

std::size_t columns_of(std::ios_base& stream) {
  const StreamManner* manner = manner_of(stream);
  return manner == nullptr || manner->is_for_programs || !manner->columns ? 0 : manner->columns();
}

bool wants_ascii(std::ios_base& stream) {
  const StreamManner* manner = manner_of(stream);
  return manner != nullptr && manner->is_ascii && !manner->is_for_programs;
}

ForPrograms::ForPrograms(std::ios_base& stream) : manner_(manner_of(stream)) {
  if (manner_ == nullptr) return;
  before_ = manner_->is_for_programs;
  manner_->is_for_programs = true;
}

ForPrograms::~ForPrograms() {
  if (manner_ != nullptr) manner_->is_for_programs = before_;
}

}  // namespace nowsim
