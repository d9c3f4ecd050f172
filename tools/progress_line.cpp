// Writing progress, at most a few times a second on a terminal and every ten seconds elsewhere.
#include "tools/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "experiments/driver/text/units.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

using namespace std::chrono_literals;

namespace {

double share_of(std::uint64_t part, std::uint64_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// By replications, until more is known of what each takes; what is known is of one core.
double left_s(const Progress& p, double seconds, double rate) {
  if (p.measured_s > 0) return p.left_s * seconds / p.measured_s;
  const std::uint64_t missing = p.replications_expected - p.replications_done - p.replications_stored;
  return static_cast<double>(missing) / std::max(rate, 1e-9);
}

std::string line_of(const Progress& p, double seconds) {
  const double rate = static_cast<double>(p.replications_done) / seconds;
  const double left = left_s(p, seconds, rate);
  return std::to_string(p.points_done) + "/" + std::to_string(p.points) + " points, " +
         format_quantity(rate, Dimension::number) + " replications/s, at most " +
         format_quantity(left, Dimension::time) + " left";
}

}  // namespace

LineOutput error_stream_output() {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  const auto write = [is_terminal](const std::string& text) {
    std::fprintf(stderr, "%s%s%s", is_terminal ? "\r\033[K" : "", text.c_str(), is_terminal ? "" : "\n");
    std::fflush(stderr);
  };
  return {is_terminal, write, [] { std::fputs("\r\033[K", stderr); }};
}

ProgressLine::ProgressLine(OverallProgress* whole, LineOutput output)
    : whole_(whole), output_(std::move(output)), start_(Clock::now()), next_(start_ + (output_.renews ? 1s : 10s)) {}

void ProgressLine::clear() {
  if (shown_ && output_.renews) output_.wipe();
  shown_ = false;
}

bool ProgressLine::is_due(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + (output_.renews ? Clock::duration(200ms) : Clock::duration(10s));
  return true;
}

void ProgressLine::write(const std::string& text) {
  output_.write(shown_line(text));
  shown_ = true;
}

double ProgressLine::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void ProgressLine::show(const SplitProgress& p) {
  if (whole_ != nullptr) {
    const std::size_t all = p.wanted + p.recalled;
    whole_->searched(Search::splits, share_of(p.found + p.recalled, all), share_of(p.found, all));
  }
  if (!is_due(Clock::now())) return;
  write(whole_ != nullptr ? whole_->text(elapsed_s())
                          : "finding splits by simulation: " + std::to_string(p.found) + "/" +
                                std::to_string(p.wanted) + " in " + format_quantity(p.seconds, Dimension::time));
}

void ProgressLine::show(const SizeProgress& p) {
  if (whole_ != nullptr) whole_->searched(Search::sizes, p.share, p.simulated);
  if (!is_due(Clock::now())) return;
  write(whole_ != nullptr ? whole_->text(elapsed_s())
                          : "finding sizes by simulation: " + std::to_string(p.found) + "/" + std::to_string(p.wanted) +
                                ", round " + std::to_string(p.round));
}

/// Shares of time, where it is known; else of replications.
void ProgressLine::tell_whole(const Progress& p) {
  const double stored = share_of(p.replications_stored, p.replications_expected);
  if (p.measured_s > 0) {
    const double simulated = (1 - stored) * p.measured_s / (p.measured_s + p.left_s);
    return whole_->ran(stored + simulated, simulated);
  }
  const double simulated = share_of(p.replications_done, p.replications_expected);
  whole_->ran(stored + simulated, simulated);
}

void ProgressLine::show(const Progress& p) {
  if (whole_ != nullptr)
    tell_whole(p);
  if (!is_due(Clock::now())) return;
  write(whole_ != nullptr ? whole_->text(elapsed_s()) : line_of(p, elapsed_s()));
}

StageLine::StageLine(bool quiet) : next_(std::chrono::steady_clock::now() + 1s), silent_(quiet || isatty(STDERR_FILENO) == 0) {}

void StageLine::show(const std::string& what) {
  if (silent_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + 200ms;
  std::fprintf(stderr, "\r\033[K%s", shown_line(what).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void StageLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace nowsim
