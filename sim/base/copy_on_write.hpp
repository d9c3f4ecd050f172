// A part that few objects of many have: a pointer's size where it is not there.
#pragma once

#include <memory>

namespace nowsim {

/// Reads as a T{} until it is edited; copies share it until one of them is. T can be made without arguments.
template <class T>
class CopyOnWrite {
 public:
  const T* operator->() const {
    static const T kNone{};
    return own_ ? own_.get() : &kNone;
  }
  /// To be changed: from here on an object's own.
  T& edit() {
    if (own_.use_count() != 1) own_ = own_ ? std::make_shared<T>(*own_) : std::make_shared<T>();
    return *own_;
  }

 private:
  std::shared_ptr<T> own_;
};

}  // namespace nowsim
