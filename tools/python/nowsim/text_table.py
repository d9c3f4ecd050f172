"""Tables of texts, as the command line prints them: aligned columns, ruled off below the head."""


def text_table(head: list, rows: list) -> str:
    """Columns flush right, two blanks between; a line each."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells)]
    cells.insert(1, ["-" * width for width in widths])
    return "".join("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths)) + "\n" for row in cells)
