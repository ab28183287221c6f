package dev.runnerset.cli.main;

import dev.runnerset.cli.text.Screen;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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

  /**
   * Prints the items in the form that is asked for.
   *
   * @param name what {@code -o name} prints for an item
   * @param lines the lines for people, on that screen
   */
  <T> void print(
      Tool tool, List<T> items, Function<T, String> name, Function<Screen, List<String>> lines) {
    switch (form) {
      case null -> tool.print(lines.apply(tool.screen()));
      case WIDE -> tool.print(lines.apply(tool.screen().unbounded()));
      case NAME -> tool.print(items.stream().map(name).toList());
      case JSON -> tool.out().println(Serialization.asJson(items));
      case YAML -> tool.out().print(Serialization.asYaml(items));
    }
  }
}
