// Rows gathered into the cells in which they were compared.
#include "experiments/driver/running/decision_output.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// The rows of a cell, of those about which something is decided.
using CellRows = std::vector<const ResultRow*>;

std::vector<CellRows> decided_cells(const ResultTable& s) {
  std::map<std::size_t, CellRows> cells;
  for (const auto& row : s.rows)
    if (row.decided) cells[row.decided->cell].push_back(&row);
  std::vector<CellRows> all;
  for (auto& [first, rows] : cells) all.push_back(std::move(rows));
  return all;
}

const Decided& decision_of(const CellRows& cell) { return *cell.front()->decided; }

/// The values of the decided key that stand so.
Words values_that_stand(const ResultTable& s, const CellRows& cell, Standing standing) {
  Words values;
  for (const auto* row : cell)
    if (row->decided->standing == standing) values.push_back(s.value(*row, decision_of(cell).key));
  return values;
}

/// The axes that tell cells apart: those along which no cell varies.
std::vector<std::size_t> axes_of_cells(const ResultTable& s, const std::vector<CellRows>& cells) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    const auto varies = [a](const CellRows& cell) {
      return std::ranges::any_of(cell, [&](const auto* row) { return row->values[a] != cell.front()->values[a]; });
    };
    if (s.axes[a] != decision_of(cells.front()).key && std::ranges::none_of(cells, varies)) axes.push_back(a);
  }
  return axes;
}

/// Replications of a cell's points, and of as many for each as for the one that got most.
struct Spent {
  std::uint64_t replications = 0, equally = 0, least = 0, most = 0;
  [[nodiscard]] std::uint64_t saved() const { return equally - replications; }
};

Spent spent_on(const CellRows& cell) {
  Spent spent{0, 0, cell.front()->replications, 0};
  for (const auto* row : cell) {
    spent.replications += row->replications;
    spent.least = std::min(spent.least, row->replications);
    spent.most = std::max(spent.most, row->replications);
  }
  spent.equally = spent.most * cell.size();
  return spent;
}

std::string spent_text(const Spent& spent) {
  return spent.least == spent.most ? std::to_string(spent.most)
                                   : std::to_string(spent.least) + " to " + std::to_string(spent.most);
}

/// The indifference: "1 % of the least tau", "0.01 of RF".
std::string indifference_text(const Decided& d) {
  return deciding_metric(d.metric)->is_share ? short_number(d.asked) + " of " + d.metric
                                             : short_number(100 * d.asked) + " % of the least " + d.metric;
}

void write_meaning(const Decided& d, const std::string& confidence, const Spent& all, std::ostream& out) {
  const bool is_share = deciding_metric(d.metric)->is_share;
  out << "decided by " << d.metric << ": with " << confidence << " confidence, cell by cell, no other value of "
      << d.key
      << " is better than the best by more than\n" << indifference_text(d)
      << (is_share ? "" : ", as the first " + std::to_string(kFirstReplications) + " replications had it")
      << "\nequal: measured within that of the best; open: not told after the most replications\n"
      << all.replications << " replications, of " << all.equally
      << " that as many for each as for the longest would take: "
      << all.saved() << " saved\n"
      << kIntervalsAfterStopping << '\n';
}

}  // namespace

bool has_decisions(const ResultTable& summary) {
  return std::ranges::any_of(summary.rows, [](const ResultRow& row) { return row.decided.has_value(); });
}

void write_decisions(const ResultTable& s, std::ostream& out) {
  const auto cells = decided_cells(s);
  if (cells.empty()) return;
  const auto axes = axes_of_cells(s, cells);
  std::vector<std::string> head;
  for (const std::size_t a : axes) head.push_back(s.axes[a]);
  for (const char* column : {"best", "equal", "open", "replications", "saved"}) head.emplace_back(column);
  TextTable table(head);
  Spent all;
  for (const auto& cell : cells) {
    std::vector<std::string> row;
    for (const std::size_t a : axes) row.push_back(cell.front()->values[a]);
    for (const Standing standing : {Standing::best, Standing::equal, Standing::open}) {
      const Words values = values_that_stand(s, cell, standing);
      row.push_back(values.empty() ? "-" : joined(values));
    }
    const Spent spent = spent_on(cell);
    all.replications += spent.replications;
    all.equally += spent.equally;
    row.push_back(spent_text(spent));
    row.push_back(std::to_string(spent.saved()));
    table.add(row);
  }
  table.write(out, axes.size());
  out << '\n';
  write_meaning(decision_of(cells.front()), short_number(100 * cells.front().front()->confidence) + " %", all, out);
}

List decision_list(const ResultTable& s) {
  const auto cells = decided_cells(s);
  std::vector<Object> objects;
  for (const auto& cell : cells) {
    Object where;
    for (const std::size_t a : axes_of_cells(s, cells)) where.fields.push_back({s.axes[a], cell.front()->values[a]});
    const Decided& d = decision_of(cell);
    const Spent spent = spent_on(cell);
    Object object{{{"axes", where}, {"key", d.key}, {"by", d.metric}, {"indifference", d.indifference},
                   {"confidence", cell.front()->confidence}}};
    for (const Standing standing : {Standing::best, Standing::equal, Standing::worse, Standing::open})
      object.fields.push_back({standing_name(standing), texts(values_that_stand(s, cell, standing))});
    object.fields.push_back({"replications", spent.replications});
    object.fields.push_back({"saved", spent.saved()});
    objects.push_back(std::move(object));
  }
  const std::size_t size = objects.size();
  return {size, [kept = std::move(objects)](std::size_t i) -> Value { return kept[i]; }};
}

Fields decision_fields(const ResultRow& row, unsigned csv) {
  const Value nothing = std::string();
  if (!row.decided)
    return {{"decided", nothing, csv},
            {"decided_by", nothing, csv},
            {"indifference", Value(), csv},
            {"intervals", nothing, csv}};
  const unsigned in = csv | kInJson;
  return {{"decided", std::string(standing_name(row.decided->standing)), in},
          {"decided_by", row.decided->metric, in},
          {"indifference", row.decided->indifference, in},
          {"intervals", std::string(kAfterStopping), in}};
}

}  // namespace nowsim
