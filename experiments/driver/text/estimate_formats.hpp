// Numbers and estimates in CSV and JSON, which have no word for what is unknown.
#pragma once

#include <cmath>
#include <string>

#include "sim/base/text.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

inline std::string csv_number(double value) { return std::isnan(value) ? "" : number_text(value); }

inline std::string json_number(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

inline std::string json_estimate(const Estimate& e) {
  return "{\"value\": " + json_number(e.value) + ", \"low\": " + json_number(e.low) + ", \"high\": " +
         json_number(e.high) + ", \"half_width\": " + json_number(e.half_width()) + "}";
}

}  // namespace nowsim
