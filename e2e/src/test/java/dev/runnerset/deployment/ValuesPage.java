package dev.runnerset.deployment;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.comments.CommentLine;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The page of a chart's values, made from the comments of its {@code values.yaml}:
 *
 * <ul>
 *   <li>{@code ## Title} before a key begins a section; further lines with {@code ##} are its text
 *   <li>{@code # -- text} before a key, with the comment lines that follow, says what the value is
 *   <li>another comment before a map says what its values have in common
 * </ul>
 *
 * A value that stands under no {@code --} comment has to be a map, whose values have their own.
 */
final class ValuesPage {
  private static final String SECTION = "## ";
  private static final String VALUE = "-- ";
  private static final Pattern PAGE_PATH = Pattern.compile("\\bdocs/([a-z]+/([a-z][-a-z]*)\\.md)");

  private final StringBuilder page = new StringBuilder();
  private final List<String> undescribed = new ArrayList<>();
  private boolean inTable;

  private ValuesPage() {}

  /**
   * The page of that chart.
   *
   * @throws IllegalStateException with the values that nothing is said of
   */
  static String of(String chart) throws IOException {
    var yaml = Files.readString(RepositoryFiles.chart(chart).resolve("values.yaml"));
    var settings = LoadSettings.builder().setParseComments(true).build();
    var root = (MappingNode) new Compose(settings).composeString(yaml).orElseThrow();
    var values = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
    var made = new ValuesPage();
    made.page.append(
        """
        # Values of the chart %1$s

        A test generates this page from the comments of `charts/%1$s/values.yaml`; run it with `-Drunnerset.write=true` to
        write the page. `values.schema.json`, beside that file, has the types and limits. Helm refuses every other value.
        """
            .formatted(chart));
    made.map("", root, values);
    if (!made.undescribed.isEmpty()) {
      throw new IllegalStateException(
          "charts/" + chart + "/values.yaml: no comment '# -- ' before " + made.undescribed);
    }
    return made.page.toString();
  }

  private void map(String prefix, MappingNode node, Map<?, ?> values) {
    for (NodeTuple tuple : node.getValue()) {
      var key = ((ScalarNode) tuple.getKeyNode()).getValue();
      var comments = comments(tuple.getKeyNode());
      section(comments.stream().filter(line -> line.startsWith(SECTION)).toList());
      var text = comments.stream().filter(line -> !line.startsWith("##")).toList();
      value(prefix + key, text, tuple.getValueNode(), values.get(key));
    }
  }

  private void value(String path, List<String> comment, Node node, @Nullable Object value) {
    var text = comment.stream().map(line -> line.replaceFirst("^# ?", "")).toList();
    int from = last(text);
    if (from >= 0) {
      var said = String.join(" ", text.subList(from, text.size())).substring(VALUE.length());
      row(path, "`" + flow(value) + "`", said);
    } else if (node instanceof MappingNode map && !map.getValue().isEmpty()) {
      if (!text.isEmpty()) {
        row(path, "", String.join(" ", text));
      }
      map(path + ".", map, (Map<?, ?>) Objects.requireNonNull(value));
    } else {
      undescribed.add(path);
    }
  }

  private static int last(List<String> text) {
    for (int i = text.size() - 1; i >= 0; i--) {
      if (text.get(i).startsWith(VALUE)) {
        return i;
      }
    }
    return -1;
  }

  private void section(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    page.append("\n## ").append(lines.getFirst().substring(SECTION.length())).append('\n');
    if (lines.size() > 1) {
      page.append('\n');
      lines.stream()
          .skip(1)
          .forEach(line -> page.append(line.substring(SECTION.length())).append('\n'));
    }
    inTable = false;
  }

  private void row(String path, String preset, String text) {
    if (!inTable) {
      page.append("\n| value | default | meaning |\n|---|---|---|\n");
      inTable = true;
    }
    page.append("| `%s` | %s | %s |\n".formatted(path, cell(preset), linked(cell(text))));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** Paths of pages become links with the name of the page, from {@code docs/reference}. */
  private static String linked(String text) {
    return PAGE_PATH
        .matcher(text)
        .replaceAll(
            page -> "[%s](../%s)".formatted(page.group(2).replace('-', ' '), page.group(1)));
  }

  /** A value on one line. */
  private static String flow(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    var settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.FLOW)
            .setWidth(Integer.MAX_VALUE)
            .setSplitLines(false)
            .build();
    var text = new Dump(settings).dumpToString(value).strip();
    return text.equals("''") ? "\"\"" : text;
  }

  /** The lines of the comment right before a key; a blank line ends an earlier comment. */
  private static List<String> comments(Node key) {
    var lines = key.getBlockComments() == null ? List.<CommentLine>of() : key.getBlockComments();
    return lines.stream()
        .filter(line -> !line.getCommentType().name().equals("BLANK_LINE"))
        .map(line -> "#" + line.getValue())
        .collect(Collectors.toList());
  }
}
