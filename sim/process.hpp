// The coroutine type that parallel programs are written in: a process, or a part of one that returns a value.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace nowsim {

/// A coroutine that runs when it is awaited (or started by an engine) and gives a T. Awaiting it runs it in place until
/// it first waits for simulated time; a program whose operations never suspend (an engine that blocks) therefore runs
/// like plain functions, without growing the stack.
/// Parameters are copied or referenced as for a function: what a coroutine refers to must outlive it.
template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&&) = delete;
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
  Handle handle_;
};

/// What a workload is: a coroutine without a value.
using Process = Task<void>;

namespace detail {

/// What promises of every type share: lazy start, and handing over to whoever awaits at the end.
struct PromiseBase {
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
