// Writing the script: data blocks of a row, then its three plots, positioned in pixels.
#include "experiments/driver/studies/trace_fit_script.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {
namespace {

/// The page [pixels].
constexpr double kFitWidth = 1320, kRowHeight = 250, kAbove = 52, kFitBelow = 34;
constexpr std::size_t kFitColumns = 700;  ///< of the series: finer pieces cannot be seen

struct FitPanel {
  double left, right;  ///< [pixels]
};
constexpr FitPanel kSeries{62, 690}, kValues{765, 1005}, kMemory{1080, 1305};

constexpr const char* kMeasured = "#808080";
constexpr const char* kRange = "#d4d4d4";

/// The least, mean and greatest value of one pixel column.
struct Piece {
  double at_s, least, mean, most;
};

std::vector<Piece> pieces(const std::vector<double>& x, double step_s) {
  std::vector<Piece> out;
  const std::size_t n = std::min(kFitColumns, x.size());
  for (std::size_t c = 0; c < n; ++c) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(c * x.size() / n);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>((c + 1) * x.size() / n);
    double sum = 0;
    for (auto i = begin; i != end; ++i) sum += *i;
    const double at = 0.5 * static_cast<double>((begin - x.begin()) + (end - x.begin())) * step_s;
    out.push_back(
        {at, *std::min_element(begin, end), sum / static_cast<double>(end - begin), *std::max_element(begin, end)});
  }
  return out;
}

class FitWriter {
 public:
  FitWriter(const std::vector<FittedHost>& hosts, PictureFormat format)
      : hosts_(hosts),
        rows_(std::min(hosts.size(), kMostFitRows)),
        page_{kFitWidth, kAbove + kRowHeight * static_cast<double>(rows_) + kFitBelow},
        format_(format),
        fitted_(colour_at(0.2)) {}

  std::string write() {
    write_head();
    for (std::size_t r = 0; r < rows_; ++r) {
      write_series(r);
      write_values(r);
      write_memory(r);
    }
    script_.line("unset multiplot");
    script_.line("unset output");
    return script_.str();
  }

 private:
  void write_head() {
    script_.line("# Fits of traces, written by nowsim " + std::string(version()) +
                 "; gnuplot 5.4, with the variable output set");
    script_.line("reset");
    const std::string left_out =
        hosts_.size() > rows_ ? "; not drawn: the other " + std::to_string(hosts_.size() - rows_) + " traces" : "";
    script_ << picture_page({format_,
                             page_,
                             {"Owner model intervals, fitted to measured availability"},
                             "series: mean and range of each pixel, a and a ± its standard deviation; nowsim " +
                                 std::string(version()) + left_out,
                             11});
    script_.line("set multiplot");
    script_.line(
        "set border 3 linewidth 1.2; set tics out nomirror; set grid ytics linecolor rgb '#e6e6e6' linewidth 0.7");
  }

  void begin_panel(std::size_t row, const FitPanel& panel, const std::string& title) {
    const double top = kAbove + kRowHeight * static_cast<double>(row) + 22;
    script_.line(page_.plot_area(panel.left, top, panel.right - panel.left, kRowHeight - 82));
    script_.line("set title " + script_string(title) + " noenhanced offset 0,-0.6 font ',11'");
    script_.line("set xtics autofreq; set key off; set format x '%g'; set format y '%g'");
  }

  /// What is the same on every page but its first panel stands in the first panel alone.
  void begin_plot(const std::string& command) {
    script_.line(command);
    script_.line("unset label 1; unset label 2");
  }

  static std::string block(const std::string& name, std::size_t row) { return name + std::to_string(row + 1); }

  void write_series(std::size_t r) {
    const FittedHost& host = hosts_[r];
    const TimeUnit unit = time_unit_for(host.fit.taken_s);
    const std::string name = block("series", r);
    std::string rows;
    for (const Piece& p : pieces(even_samples(host.trace), host.fit.step_s))
      rows += short_number(p.at_s / unit.seconds) + " " + short_number(p.least) + " " + short_number(p.mean) + " " +
              short_number(p.most) + "\n";
    script_.block(name, rows);
    const double sd = host.fit.mean.value * host.fit.th.value;
    begin_panel(r, kSeries,
                short_name(host.name) + ": a = " + short_number(std::round(host.fit.mean.value * 1e4) / 1e4) +
                    ", TH = " + short_number(std::round(host.fit.th.value * 1e4) / 1e4));
    script_.line("set xrange [0:" + short_number(host.fit.taken_s / unit.seconds) + "]; set yrange [0:1.02]");
    script_.line(std::string("set xlabel 'time [") + unit.name + (host.trace.cuts.empty() ? "]" : "], without gaps") +
                 "' offset 0,0.5; set ylabel 'availability' offset 1,0");
    begin_plot("plot $" + name + " using 1:2:4 with filledcurves fillstyle solid linecolor rgb '" + kRange + "', $" +
               name + " using 1:3 with lines linewidth 1 linecolor rgb '#505050', " +
               short_number(host.fit.mean.value) + " with lines linewidth 1.6 linecolor rgb '" + fitted_ + "', " +
               short_number(host.fit.mean.value - sd) + " with lines dashtype 2 linecolor rgb '" + fitted_ + "', " +
               short_number(host.fit.mean.value + sd) + " with lines dashtype 2 linecolor rgb '" + fitted_ + "'");
  }

  void write_values(std::size_t r) {
    constexpr std::size_t kParts = 400;
    const FittedHost& host = hosts_[r];
    const std::vector<double> measured = load_quantiles(host.trace, kParts);
    const DistributionPtr law =
        host.fit.is_near() ? make_value_law(host.fit.value_name(), std::min(host.fit.mean.value, 1.0), host.fit.th.value)
                           : empirical(host.fit.own_values);
    std::string rows;
    double least = measured.front(), most = measured.back();
    for (std::size_t i = 0; i < kParts; ++i) {
      const double u = (static_cast<double>(i) + 0.5) / kParts, x = law->quantile(u);
      rows += short_number(u) + " " + short_number(measured[i]) + " " + short_number(x) + "\n";
      least = std::min(least, x);
      most = std::max(most, x);
    }
    const std::string name = block("values", r);
    script_.block(name, rows);
    begin_panel(r, kValues, host.fit.is_near() ? "values: " + host.fit.value_name() : "values: their own");
    const double margin = std::max(0.02 * (most - least), 1e-4);
    script_.line("set xrange [" + short_number(least - margin) + ":" + short_number(most + margin) +
                 "]; set yrange [0:1.02]");
    script_.line("set xtics autofreq " + short_number(tick(most - least + 2 * margin)));
    script_.line("set xlabel 'availability' offset 0,0.5; set ylabel 'share of the time below' offset 1,0");
    legend("left top Left");
    begin_plot(curves(name, "2:1", "3:1"));
  }

  void write_memory(std::size_t r) {
    const FittedHost& host = hosts_[r];
    const LoadFit& fit = host.fit;
    const std::vector<double> x = even_samples(host.trace);
    const auto lags = std::clamp<std::size_t>(fit.window * 3 / 2, 10, x.size() - 1);
    const std::size_t stride = lags / kFitColumns + 1;
    const std::vector<double> rho = autocorrelation(x, lags, stride);
    const TimeUnit unit = time_unit_for(static_cast<double>(lags) * fit.step_s);
    std::string rows;
    for (std::size_t k = 0; k < rho.size(); ++k) {
      const double lag_s = static_cast<double>(k * stride) * fit.step_s;
      rows += short_number(lag_s / unit.seconds) + " " + short_number(rho[k]) + " " +
              short_number(interval_autocorrelation(fit.length_fit().name, fit.interval_s.value, lag_s)) + "\n";
    }
    const std::string name = block("memory", r);
    script_.block(name, rows);
    begin_panel(r, kMemory,
                "memory: " + std::string(fit.length_fit().name) + ", " +
                    format_quantity(fit.interval_s.value, Dimension::time));
    const double end = static_cast<double>(lags) * fit.step_s / unit.seconds;
    const double least = *std::min_element(rho.begin(), rho.end());
    script_.line("set xrange [0:" + short_number(end) + "]; set yrange [" +
                 short_number(std::min(-0.05, least - 0.05)) + ":1.02]");
    script_.line("set xtics autofreq " + short_number(tick(end)));
    script_.line(std::string("set xlabel 'lag [") + unit.name +
                 "]' offset 0,0.5; set ylabel 'autocorrelation' offset 1,0");
    legend("right top Left");
    begin_plot(curves(name, "1:2", "1:3"));
  }

  /// About four parts of an axis, at round numbers.
  static double tick(double range) {
    const double raw = range / 4, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (raw <= factor * power * 1.0001) return factor * power;
    return 10 * power;
  }
  void legend(const char* where) {
    script_.line(std::string("set key inside vertical ") + where +
                 " reverse samplen 1.5 spacing 1.1 noenhanced font ',9'");
  }
  [[nodiscard]] std::string curves(const std::string& name, const std::string& measured,
                                   const std::string& fitted) const {
    std::string out = "plot $" + name + " using " + measured + " with lines linewidth 2.4 linecolor rgb '" + kMeasured +
                      "' title 'measured'";
    if (!fitted.empty())
      out += ", $" + name + " using " + fitted + " with lines linewidth 1.6 linecolor rgb '" + fitted_ +
             "' title 'fitted'";
    return out;
  }

  const std::vector<FittedHost>& hosts_;
  std::size_t rows_;
  Page page_;
  PictureFormat format_;
  std::string fitted_;
  Script script_;
};

}  // namespace

std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format) {
  return FitWriter(hosts, format).write();
}

}  // namespace nowsim
