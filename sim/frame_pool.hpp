// Memory for coroutine frames, kept for the next ones of the same size: a replication's ranks all have alike frames.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace nowsim {

/// Blocks of up to 1 KiB come from a list per size; larger ones from the heap. Not for several threads. It has to
/// outlive all its blocks.
class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool() {
    for (auto& list : free_)
      for (void* block : list) ::operator delete(block);
  }
  void* take(std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (size >= kClasses) return ::operator new(bytes);
    auto& list = free_[size];
    if (list.empty()) return ::operator new((size + 1) * kStep);
    void* block = list.back();
    list.pop_back();
    return block;
  }
  void give(void* block, std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (size >= kClasses) return ::operator delete(block);
    free_[size].push_back(block);
  }

 private:
  static constexpr std::size_t kStep = 64, kClasses = 16;
  static std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kStep; }
  std::array<std::vector<void*>, kClasses> free_;
};

}  // namespace nowsim
