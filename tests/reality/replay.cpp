// An owner who leaves one more task on a core what was recorded: competes with as many threads as that takes.
// usage: reality_replay CORE   (reads the date of time 0 [s, CLOCK_MONOTONIC], the number of pieces, and begin, end and
// availability of each; ends behind the last, or on SIGTERM)
#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "machine.hpp"

namespace {

volatile sig_atomic_t stopped = 0;

struct Piece {
  double begin_s, end_s, availability;
};

/// Fair sharing leaves a task 1/(n + 1) beside n competitors: so many are there all the time, and one more for a part
/// of it, which makes availability = (1 - part)/(n + 1) + part/(n + 2).
struct Competitors {
  int always;
  double part;
};
constexpr int kMostThreads = 32;

Competitors competitors_for(double availability) {
  const double a = std::clamp(availability, 1.0 / kMostThreads, 1.0);
  const int n = std::min(kMostThreads - 2, static_cast<int>(std::floor(1 / a)) - 1);
  const double with = 1.0 / (n + 2), without = 1.0 / (n + 1);
  return {n, std::clamp((without - a) / (without - with), 0.0, 1.0)};
}

/// Takes a share of the core until the end, by the processor time that it got: schedulers favour who has just woken, so
/// that busy for a part of the time would be more than a fair share of that.
void take_share(double share, double end_s) {
  constexpr double kSlice_s = 0.05;
  const double begin_s = reality::now_s(), zero_s = reality::thread_s();
  while (stopped == 0 && reality::now_s() < end_s) {
    const double slice_end_s = std::min(end_s, reality::now_s() + kSlice_s);
    const double due_s = zero_s + share * (slice_end_s - begin_s);
    reality::spin_while([&] { return stopped == 0 && reality::thread_s() < due_s && reality::now_s() < slice_end_s; });
    reality::sleep_until(slice_end_s, stopped);
  }
}

void compete(int thread, double zero_s, const std::vector<Piece>& plan) {
  for (const Piece& piece : plan) {
    const Competitors wanted = competitors_for(piece.availability);
    const double end_s = zero_s + piece.end_s;
    reality::sleep_until(zero_s + piece.begin_s, stopped);
    if (stopped != 0) return;
    if (thread < wanted.always) reality::spin_while([&] { return stopped == 0 && reality::now_s() < end_s; });
    else if (thread == wanted.always) take_share(wanted.part / (wanted.always + 2), end_s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: reality_replay CORE\n", stderr), 2;
  reality::die_with_parent();
  struct sigaction action {};
  action.sa_handler = [](int) { stopped = 1; };
  sigaction(SIGTERM, &action, nullptr);
  reality::pin_to(std::atoi(argv[1]));
  double zero_s = 0;
  std::size_t count = 0;
  if (std::scanf("%lf %zu", &zero_s, &count) != 2) return 1;
  std::vector<Piece> plan(count);
  int most = 0;
  for (auto& piece : plan) {
    if (std::scanf("%lf %lf %lf", &piece.begin_s, &piece.end_s, &piece.availability) != 3) return 1;
    most = std::max(most, competitors_for(piece.availability).always + 1);
  }
  std::vector<std::jthread> threads;
  for (int k = 0; k < most; ++k) threads.emplace_back(compete, k, zero_s, std::cref(plan));
}
