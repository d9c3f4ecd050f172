// In the core, which has no libmd.
#include "workloads/mpi/text_hash.hpp"

#include "workloads/mpi/content_hash.hpp"

namespace nowsim {

struct TextHash::State {
  ContentHash hash;
};

TextHash::TextHash() : state_(std::make_unique<State>()) {}
TextHash::~TextHash() = default;
void TextHash::add(std::string_view bytes) { state_->hash.add(bytes); }
std::string TextHash::text() { return state_->hash.text(); }

}  // namespace nowsim
