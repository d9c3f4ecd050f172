// The lines of a text, found while they are gone through: a list of them would take many times what blank lines hold.
#pragma once

#include <iterator>
#include <string>
#include <string_view>

namespace nowsim {

/// The lines without their ends (LF, CR LF, CR) and without a byte order mark; they point into the text.
class TextLines {
 public:
  /// @throws InputError where a control character shows that this is not text.
  TextLines(const std::string& text, const std::string& file);

  class Iterator {
   public:
    explicit Iterator(std::string_view rest) : rest_(rest) { find_end(); }
    std::string_view operator*() const { return rest_.substr(0, size_); }
    Iterator& operator++() {
      const std::size_t past = rest_.substr(size_).starts_with("\r\n") ? size_ + 2 : size_ + 1;
      rest_.remove_prefix(past < rest_.size() ? past : rest_.size());
      find_end();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    void find_end() {
      size_ = 0;
      while (size_ < rest_.size() && rest_[size_] != '\n' && rest_[size_] != '\r') ++size_;
    }
    std::string_view rest_;
    std::size_t size_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(text_); }
  [[nodiscard]] static std::default_sentinel_t end() { return std::default_sentinel; }

 private:
  std::string_view text_;
};

}  // namespace nowsim
