// The coroutine type that parallel programs are written in: a process, or a part of one that returns a value; and the
// memory of its frames, kept for the next ones of the same size, since a replication's ranks all have alike frames.
#pragma once

#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace nowsim {

/// Blocks of up to 1 KiB come from a list per size; larger ones from the heap. Not for several threads. It has to
/// outlive all its blocks.
class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool() {
    for (Block* list : free_)
      while (list != nullptr) ::operator delete(std::exchange(list, list->next), kLine);
  }
  void* take(std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (size >= kClasses) return ::operator new(bytes);
    if (free_[size] == nullptr) return ::operator new((size + 1) * kStep, kLine);
    return std::exchange(free_[size], free_[size]->next);
  }
  void give(void* block, std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (size >= kClasses) return ::operator delete(block);
    free_[size] = new (block) Block{free_[size]};
  }

 private:
  /// A block that is free knows the next one.
  struct Block {
    Block* next;
  };
  static constexpr std::size_t kStep = 64, kClasses = 16;
  static constexpr std::align_val_t kLine{kStep};  // of the cache: a small frame lies in as few as it can
  static std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kStep; }
  std::array<Block*, kClasses> free_{};
};

/// A coroutine that runs when it is awaited (or started by an engine) and gives a T. Awaiting it runs it in place until
/// it first waits for simulated time; a program whose operations never suspend (an engine that blocks) therefore runs
/// like plain functions, without growing the stack.
/// Parameters are copied or referenced as for a function: what a coroutine refers to must outlive it.
template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;  ///< none
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Task(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// Runs until the first wait for simulated time, or to the end. For engines; programs use co_await.
  void start() { handle_.resume(); }
  [[nodiscard]] bool done() const { return handle_.done(); }
  /// The value, or the exception the coroutine ended with. Only when done().
  T result() { return handle_.promise().take(); }

  bool await_ready() {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> waiter) noexcept { handle_.promise().waiter = waiter; }
  T await_resume() { return result(); }

 private:
  Handle handle_{};
};

/// What a workload is: a coroutine without a value.
using Process = Task<void>;

namespace detail {

/// The pool that a coroutine's frame comes from: that of the rank among its parameters, if there is one. (Ranks say so
/// themselves, rank.hpp: here they are not known.)
template <class T>
FramePool* frames_of(const T& parameter) {
  if constexpr (requires { { parameter.frames() } -> std::same_as<FramePool*>; }) return parameter.frames();
  else return nullptr;
}

/// A frame's memory, with its pool noted before it.
class FrameMemory {
 public:
  template <class... Parameters>
  static void* operator new(std::size_t bytes, const Parameters&... parameters) {
    FramePool* pool = nullptr;
    ((pool = pool != nullptr ? pool : frames_of(parameters)), ...);
    bytes += kNote;
    void* block = pool != nullptr ? pool->take(bytes) : ::operator new(bytes);
    *static_cast<FramePool**>(block) = pool;
    return static_cast<std::byte*>(block) + kNote;
  }
  static void operator delete(void* frame, std::size_t bytes) {
    void* block = static_cast<std::byte*>(frame) - kNote;
    if (FramePool* pool = *static_cast<FramePool**>(block)) pool->give(block, bytes + kNote);
    else ::operator delete(block);
  }

 private:
  static constexpr std::size_t kNote = alignof(std::max_align_t);
};

/// What promises of every type share: lazy start, and handing over to whoever awaits at the end.
struct PromiseBase : FrameMemory {
  std::coroutine_handle<> waiter = std::noop_coroutine();
  std::exception_ptr failure;

  struct Final {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      return self.promise().waiter;
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() { failure = std::current_exception(); }
  void rethrow() const {
    if (failure) std::rethrow_exception(failure);
  }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  void return_value(T v) { value = std::move(v); }
  T take() {
    rethrow();
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  void return_void() {}
  void take() const { rethrow(); }
};

}  // namespace detail

template <class T>
struct Task<T>::promise_type : detail::Promise<T> {
  Task get_return_object() { return Task(Handle::from_promise(*this)); }
};

}  // namespace nowsim
