package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The rules of docs/alerts, and whether a scraped text meets their expressions. */
final class AlertRules {
  private static final Pattern EXPRESSION =
      Pattern.compile("(\\w+)(?:\\{([^}]*)\\})? (==|>) (\\d+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(!?=)\"([^\"]*)\"");
  private static final Pattern SERIES = Pattern.compile("(\\w+)\\{([^}]*)\\} (\\S+)");

  private final Map<String, String> expressionByAlert = expressions();

  private static Map<String, String> expressions() {
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      var file = folder.resolve("docs/alerts/runnerset.rules.yaml");
      if (Files.exists(file)) {
        try {
          var tree = Serialization.unmarshal("---\n" + Files.readString(file), JsonNode.class);
          return StreamSupport.stream(tree.at("/groups/0/rules").spliterator(), false)
              .collect(
                  Collectors.toMap(
                      rule -> rule.path("alert").asText(), rule -> rule.path("expr").asText()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    throw new IllegalStateException("docs/alerts is not found");
  }

  /** Whether a series of the scraped text meets the expression of the alert. */
  boolean fires(String alert, String metrics) {
    var expression = EXPRESSION.matcher(expressionByAlert.getOrDefault(alert, ""));
    assertThat(expression.matches()).as(alert).isTrue();
    double bound = Double.parseDouble(expression.group(4));
    return metrics
        .lines()
        .map(SERIES::matcher)
        .filter(series -> series.matches() && series.group(1).equals(expression.group(1)))
        .filter(series -> isMet(expression.group(2), series.group(2)))
        .mapToDouble(series -> Double.parseDouble(series.group(3)))
        .anyMatch(value -> expression.group(3).equals(">") ? value > bound : value == bound);
  }

  private static boolean isMet(String matchers, String labels) {
    var values =
        LABEL
            .matcher(labels)
            .results()
            .collect(Collectors.toMap(label -> label.group(1), label -> label.group(3)));
    return matchers == null
        || LABEL
            .matcher(matchers)
            .results()
            .allMatch(m -> m.group(3).equals(values.get(m.group(1))) == m.group(2).equals("="));
  }
}
