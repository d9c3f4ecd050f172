// What holds objects of Python, and may be let go anywhere.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

namespace nowsim {

/// Whoever lets go of it last holds the interpreter while it ends.
template <class T>
std::shared_ptr<const T> kept(T holder) {
  return {new T(std::move(holder)), [](const T* last) {
            const pybind11::gil_scoped_acquire interpreter;
            delete last;
          }};
}

}  // namespace nowsim
