#include "experiments/driver/points/fitted_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/fitted_habits.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner.hpp"
#include "sim/platform/platform_text.hpp"

namespace nowsim {
namespace {

/// Numbers as short as they may be: six digits, but for those that a law holds only just.
struct ShortMoments {
  std::string mean, th;
};
ShortMoments short_moments(const LoadFit& fit) {
  ShortMoments text{short_number(fit.mean.value), short_number(fit.th.value)};
  try {
    make_value_law(fit.value_name(), *to_number(text.mean), *to_number(text.th));
    return text;
  } catch (const InputError&) {
    return {number_text(fit.mean.value), number_text(fit.th.value)};
  }
}

using Keys = std::vector<std::pair<std::string, std::string>>;

/// "[0.1, 0.3]", in six digits.
std::string list_text(const std::vector<double>& values) {
  Words texts;
  for (const double value : values) texts.push_back(short_number(value));
  return "[" + joined(texts) + "]";
}

Keys interval_keys(const LoadFit& fit) {
  Keys keys{{"model", "intervals"}, {"value", fit.value_name()}};
  if (fit.is_near()) {
    const ShortMoments moments = short_moments(fit);
    keys.insert(keys.end(), {{"mean", moments.mean}, {"TH", moments.th}});
  } else {
    keys.emplace_back("values", list_text(fit.own_values));
  }
  keys.insert(keys.end(), {{"interval", short_number(fit.interval_s.value) + "s"}, {"length", std::string(fit.length_fit().name)}});
  const FitErrors& errors = fit.errors;
  if (!(errors.mean_se > 0)) return keys;
  for (const auto& [key, value] : {std::pair("worth", errors.worth), std::pair("mean_se", errors.mean_se),
                                   std::pair("TH_se", errors.th_share), std::pair("interval_se", errors.interval_share)})
    keys.emplace_back(key, fmt::format("{:.3g}", value));
  return keys;
}

std::string flow(const Keys& keys) {
  Words entries;
  for (const auto& [key, value] : keys) entries.push_back(key + ": " + value);
  return "{" + joined(entries) + "}";
}

Keys owner_keys_of(const FittedHost& host) { return host.habits ? habits_keys(*host.habits) : interval_keys(host.fit); }

/// What is not as usual.
std::string remark(const FittedHost& host, const std::string& indent) {
  if (host.habits || host.fit.is_near()) return "";
  return indent + "# no law is near the values: these are the trace's own, equally likely\n";
}

/// A law of delays between events with the fitted mean.
ProfileLaw delay_law(const LoadFit& fit) {
  const double mean_s = fit.interval_s.value;
  if (fit.length_fit().name == "exponential") return {ProfileLaw::Kind::exponential, 1 / mean_s, 0};
  if (fit.length_fit().name == "constant") return {ProfileLaw::Kind::fixed, mean_s, 0};
  return {ProfileLaw::Kind::uniform, 0, 2 * mean_s};
}

/// A round draws a value at once, over the one that ends, and then again after an interval: a resource has its full
/// speed until a profile's first event.
Profile uniform_profile(const LoadFit& fit) {
  const double half = std::sqrt(3.0) * fit.th.value * fit.mean.value;
  const ProfileLaw value{ProfileLaw::Kind::uniform, std::max(0.0, fit.mean.value - half),
                         std::min(1.0, fit.mean.value + half)};
  return {true, true, std::nullopt, std::nullopt, {{{ProfileLaw::Kind::fixed, 0, 0}, value}, {delay_law(fit), value}}};
}

/// 1 for the share p of the time, else `low`: p/(1-p) = var/(1-a)² and a = p + (1-p)·low. Times are exponential, so the
/// autocorrelation is exp(-h·(r_1 + r_0)) with the rates r_1 of leaving full speed and r_0 of coming back, whose
/// integral is 2/(r_1 + r_0); and p = r_0/(r_1 + r_0).
Profile switching_profile(const LoadFit& fit) {
  const double a = fit.mean.value, sd = a * fit.th.value;
  const double p = sd * sd / (sd * sd + (1 - a) * (1 - a)), low = std::max(kLeastAvailability, 1 - (1 - a) / (1 - p));
  const double rates = 2 / fit.memory_s.value;
  const auto fixed = [](double x) { return ProfileLaw{ProfileLaw::Kind::fixed, x, 0}; };
  const auto after = [](double rate) { return ProfileLaw{ProfileLaw::Kind::exponential, rate, 0}; };
  return {true, true, std::nullopt, std::nullopt, {{after(rates * (1 - p)), fixed(low)}, {after(rates * p), fixed(1)}}};
}

}  // namespace

std::string owner_line(const FittedHost& host) { return flow(owner_keys_of(host)); }

std::string owner_block(const std::vector<FittedHost>& hosts) {
  std::string out = "# fitted by nowsim " + std::string(version()) + " (nowsim trace fit)\nowner:\n";
  if (hosts.size() == 1) {
    out += remark(hosts.front(), "  ");
    for (const auto& [key, value] : owner_keys_of(hosts.front())) out += "  " + key + ": " + value + "\n";
    return out;
  }
  out += "  hosts:\n";
  for (const auto& host : hosts)
    out += remark(host, "    ") + "    " + yaml_word(host.name) + ": " + flow(owner_keys_of(host)) + "\n";
  return out;
}

FittedProfile fitted_profile(const LoadFit& fit) {
  try {
    make_value_law("uniform", fit.mean.value, fit.th.value);
    return {uniform_profile(fit), "uniform values on intervals"};
  } catch (const InfeasibleError&) {
    return {switching_profile(fit), "switches between full speed and less"};
  }
}

std::vector<std::pair<std::string, std::string>> fitted_platform(const std::vector<FittedHost>& hosts,
                                                                 const std::string& xml_file, double speed_flops) {
  namespace fs = std::filesystem;
  const std::string stem = fs::path(xml_file).stem().string();
  std::vector<std::pair<std::string, std::string>> files;
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Fitted by nowsim " +
      std::string(version()) +
      " (nowsim trace fit). SimGrid reads the STOCHASTIC profiles; nowsim\n"
      "     takes the property `owner` first. -->\n"
      "<platform version=\"4.1\">\n  <zone id=\"now\" routing=\"None\">\n";
  for (const auto& host : hosts) {
    const FittedProfile fitted = fitted_profile(host.fit);
    const std::string name = stem + "-" + host.name + ".profile";
    xml += "    <host id=\"" + xml_text(host.name) + "\" speed=\"" + number_text(speed_flops) + "f\" speed_file=\"" +
           xml_text(name) + "\">\n      <prop id=\"owner\" value=\"" + xml_text(owner_line(host)) + "\"/>\n    </host>\n";
    files.emplace_back(name, "# " + host.name + ": mean " + short_number(host.fit.mean.value) + ", TH " +
                                 short_number(host.fit.th.value) + ", E[L^2]/E[L] " +
                                 short_number(host.fit.memory_s.value) + " s; " + fitted.what + "\n" +
                                 write_profile(fitted.profile));
  }
  files.emplace(files.begin(), fs::path(xml_file).filename().string(), xml + "  </zone>\n</platform>\n");
  return files;
}

}  // namespace nowsim
