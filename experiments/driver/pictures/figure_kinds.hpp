// The kinds of figures: how each is resolved into plain data, and how those are written for gnuplot.
#pragma once

#include <string>

#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {

/// A line of the table. `resolve` fills in axes, series and panels of a figure whose title and captions are there.
struct FigureDrawing {
  FigureKind kind;
  const char* name;
  bool has_bars;  ///< that stand for intervals
  void (*resolve)(const Figure& figure, const Summary& summary, ResolvedFigure& out);
  std::string (*script)(const ResolvedFigure& figure);
};

const FigureDrawing& drawing_of(FigureKind kind);

// A line for each kind, which has a file of its own.
FigureDrawing curves_drawing();
FigureDrawing surface_drawing();
FigureDrawing winners_drawing();
FigureDrawing workstations_drawing();

// Resolvers that are long enough for a file of their own, beside that of the kind's script.
void resolve_curves(const Figure& figure, const Summary& summary, ResolvedFigure& out);
void resolve_surface(const Figure& figure, const Summary& summary, ResolvedFigure& out);
void resolve_winners(const Figure& figure, const Summary& summary, ResolvedFigure& out);
void resolve_workstations(const Figure& figure, const Summary& summary, ResolvedFigure& out);

}  // namespace nowsim
