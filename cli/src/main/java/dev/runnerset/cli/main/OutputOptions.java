package dev.runnerset.cli.main;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a list is printed. */
final class OutputOptions {
  /** The forms of output. */
  enum Form {
    JSON,
    YAML,
    WIDE,
    NAME;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "${COMPLETION-CANDIDATES}: json and yaml have every field")
  private @Nullable Form form;

  /** Whether every column is wanted. */
  boolean isWide() {
    return form == Form.WIDE;
  }

  /**
   * Prints the items in the form that is asked for.
   *
   * @param name what {@code -o name} prints for an item
   * @param table the lines for people
   */
  <T> void print(Tool tool, List<T> items, Function<T, String> name, Supplier<List<String>> table) {
    switch (form) {
      case null -> tool.print(table.get());
      case WIDE -> tool.print(table.get());
      case NAME -> tool.print(items.stream().map(name).toList());
      case JSON -> tool.out().println(Serialization.asJson(items));
      case YAML -> tool.out().print(Serialization.asYaml(items));
    }
  }
}
