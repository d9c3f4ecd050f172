// Values, texts and structs packed into bytes and back, between a child process and its parent on one machine.
#pragma once

#include <concepts>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nowsim {

class Serializer;

/// A struct that names its fields once, in the order in which they are packed, for a Serializer and a Deserializer alike:
///   template <class All> void fields(All& all) { all(seconds, makespans_s, record); }
/// Fields are plain values, texts, vectors of what can be a field, and such structs.
template <class T>
concept HasFields = requires(T& it, Serializer& out) { it.fields(out); };

/// Appends to a byte string.
class Serializer {
 public:
  /// A plain value, or a struct with fields.
  template <class T>
  void put(const T& value) {
    if constexpr (HasFields<T>) {
      const_cast<T&>(value).fields(*this);  // which reads them
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    if constexpr (std::is_trivially_copyable_v<T> && !HasFields<T>) put_all(values.data(), values.size());
    else
      for (const T& value : values) put(value);
  }
  /// What fields() calls.
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  /// The values alone, without their number.
  template <class T>
  void put_all(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The bytes of these, one after another.
template <class... Fields>
std::string packed(const Fields&... fields) {
  Serializer out;
  out(fields...);
  return out.take();
}

/// Reads what Serializer wrote, in the same order. @throws std::runtime_error where the bytes end early.
class Deserializer {
 public:
  /// The bytes must outlive it.
  explicit Deserializer(std::string_view bytes) : bytes_(bytes) {}
  /// A plain value, a text, a vector of what can be a field, or a struct with fields.
  template <class T>
  T get() {
    T value;
    get_into(value);
    return value;
  }
  template <class T>
  void get_into(T& value) {
    if constexpr (HasFields<T>) {
      value.fields(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      std::memcpy(&value, advance(sizeof value), sizeof value);
    }
  }
  void get_into(std::string& text) {
    const auto size = get<std::size_t>();
    text.assign(advance(size), size);
  }
  template <class T>
  void get_into(std::vector<T>& values) {
    const auto count = get<std::size_t>();
    if constexpr (std::is_trivially_copyable_v<T> && !HasFields<T>) {
      const char* from = advance(count, sizeof(T));  // memory is taken once their bytes are known to be there
      values.resize(count);
      if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
    } else {
      values.clear();
      for (auto left = count; left > 0; --left) get_into(values.emplace_back());
    }
  }
  /// What fields() calls.
  template <class... Fields>
  void operator()(Fields&... fields) {
    (get_into(fields), ...);
  }
  /// So many values as put_all() wrote them.
  template <class T>
  void get_all(T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > 0) std::memcpy(values, advance(count, sizeof(T)), count * sizeof(T));
  }
  /// All that is left.
  std::string_view get_rest() { return bytes_.substr(std::exchange(at_, bytes_.size())); }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  /// So many values of so many bytes, whose product may be more than a number can be.
  const char* advance(std::size_t count, std::size_t size = 1) {
    if (count > (bytes_.size() - at_) / size) throw std::runtime_error("a child process's message ends early");
    const char* here = bytes_.data() + at_;
    at_ += count * size;
    return here;
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace nowsim
