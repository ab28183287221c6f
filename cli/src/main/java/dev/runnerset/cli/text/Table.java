package dev.runnerset.cli.text;

import dev.runnerset.base.Pure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table that fits its screen: columns that matter least are left out of a narrow one, and lines
 * of text below a row are wrapped. A pipe gets every column.
 */
@Pure
public final class Table {
  private static final int GAP = 2;
  private static final String INDENT = "  ";

  /**
   * A column.
   *
   * @param rank 0 is never left out; the highest goes first
   */
  public record Column(String title, boolean isNumber, int rank) {
    /** A column of text. */
    public static Column text(String title, int rank) {
      return new Column(title, false, rank);
    }

    /** A column of numbers. */
    public static Column number(String title, int rank) {
      return new Column(title, true, rank);
    }
  }

  /**
   * A cell.
   *
   * @param tone as {@link Screen#coloured} takes it; empty for none
   */
  public record Cell(String text, String tone) {
    /** A cell without a colour. */
    public static Cell of(Object value) {
      return new Cell(String.valueOf(value), "");
    }
  }

  private record Row(List<Cell> cells, Cell below) {}

  private final List<Column> columns;
  private final List<Row> rows = new ArrayList<>();

  /** A table without rows. */
  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  /** Adds a row of texts and numbers; a {@link Cell} keeps its colour. */
  public Table row(Object... values) {
    return row(new Cell("", ""), values);
  }

  /** Adds a row with a line of text below it, which is wrapped. */
  public Table row(Cell below, Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(values.length + " cells for " + columns.size());
    }
    var cells = new ArrayList<Cell>();
    for (var value : values) {
      cells.add(value instanceof Cell cell ? cell : Cell.of(value));
    }
    rows.add(new Row(List.copyOf(cells), below));
    return this;
  }

  /** The lines of the table: titles, rows, and what is below each. */
  public List<String> lines(Screen screen) {
    var shown = shown(screen);
    var lines = new ArrayList<String>();
    var titles = columns.stream().map(column -> new Cell(column.title(), "dim")).toList();
    lines.add(line(titles, shown, screen));
    for (var row : rows) {
      lines.add(line(row.cells(), shown, screen));
      if (!row.below().text().isEmpty()) {
        screen
            .wrapped(row.below().text(), INDENT.length())
            .forEach(text -> lines.add(INDENT + screen.coloured(text, row.below().tone())));
      }
    }
    return lines;
  }

  /** The columns that fit; columns of the highest rank are left out first, from the right. */
  private List<Integer> shown(Screen screen) {
    var shown = IntStream.range(0, columns.size()).boxed().collect(Collectors.toList());
    while (screen.isTerminal() && width(shown) > screen.columns()) {
      var last =
          Collections.max(
              shown,
              Comparator.comparing((Integer i) -> columns.get(i).rank())
                  .thenComparing(Comparator.naturalOrder()));
      if (columns.get(last).rank() == 0) {
        break;
      }
      shown.remove(last);
    }
    return shown;
  }

  private int width(Collection<Integer> shown) {
    return shown.stream().mapToInt(i -> width(i) + GAP).sum() - GAP;
  }

  private int width(int column) {
    int cells =
        rows.stream().mapToInt(row -> row.cells().get(column).text().length()).max().orElse(0);
    return Math.max(columns.get(column).title().length(), cells);
  }

  private String line(List<Cell> cells, List<Integer> shown, Screen screen) {
    var line = new StringBuilder();
    for (int column : shown) {
      var cell = cells.get(column);
      var room = " ".repeat(width(column) - cell.text().length());
      var text = screen.coloured(cell.text(), cell.tone());
      line.append(columns.get(column).isNumber() ? room + text : text + room);
      line.append(" ".repeat(GAP));
    }
    var whole = line.toString().stripTrailing();
    boolean cut = screen.isTerminal() && !screen.hasColour() && whole.length() > screen.columns();
    return cut ? whole.substring(0, screen.columns() - 1) + "…" : whole;
  }
}
