// Each kind of fact, computed.
#pragma once

#include "experiments/driver/labs/facts.hpp"

namespace nowsim {

/// What a fact is worth. @throws InputError, RunError.
Fact fact_of(Facts& facts, const decltype(LabFact::what)& what);

/// Of each kind.
Fact fact_of(Facts& facts, const FormulaFact& what);
Fact fact_of(Facts& facts, const EstimateFact& what);
Fact fact_of(Facts& facts, const BestFact& what);
Fact fact_of(Facts& facts, const ChartFact& what);     ///< chart_facts.cpp
Fact fact_of(Facts& facts, const VerdictsFact& what);  ///< verdict_facts.cpp
Fact fact_of(Facts& facts, const LawFact& what);       ///< law_facts.cpp

}  // namespace nowsim
