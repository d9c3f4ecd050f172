// Memory for coroutine frames, kept for the next ones of the same size: a replication's ranks all have alike frames.
#pragma once

#include <array>
#include <cstddef>
#include <new>
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

}  // namespace nowsim
