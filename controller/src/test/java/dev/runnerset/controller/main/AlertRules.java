package dev.runnerset.controller.main;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.testsupport.Checkout;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rules of docs/alerts, and whether what was scraped an hour ago and is scraped now meets their
 * expressions: as much of Prometheus' language as they use.
 */
final class AlertRules {
  private static final Pattern ABSENT = Pattern.compile("absent\\((\\w+)\\)");
  private static final Pattern COMPARISON =
      Pattern.compile("(.+?) (==|>) (?:(\\d+)|(\\d+) \\* (.+))");
  private static final Pattern TERM =
      Pattern.compile(
          "(?:(sum|max) by \\(([\\w, ]+)\\) \\()?(?:(increase|rate)\\()?(\\w+)(?:\\{([^}]*)\\})?"
              + "(?:\\[(\\d+[mhd])\\]( offset 1h)?\\))?\\)?");
  private static final String AGE = "time() - ";
  private static final Pattern LABEL = Pattern.compile("(\\w+)(!?=)\"([^\"]*)\"");
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{([^}]*)\\})? (\\S+)");

  private final Map<String, String> expressionByAlert = expressions();

  private static Map<String, String> expressions() {
    var text = Checkout.read("docs/alerts/runnerset.rules.yaml");
    var tree = Serialization.unmarshal("---\n" + text, JsonNode.class);
    return StreamSupport.stream(tree.at("/groups/0/rules").spliterator(), false)
        .collect(
            Collectors.toMap(
                rule -> rule.path("alert").asText(), rule -> rule.path("expr").asText()));
  }

  /** Whether a series of what is scraped now meets the expression of the alert. */
  boolean fires(String alert, String metrics) {
    return fires(alert, metrics, metrics);
  }

  /** The same, where counters may have risen since an hour ago. */
  boolean fires(String alert, String anHourAgo, String now) {
    return fires(alert, anHourAgo, now, Instant.EPOCH);
  }

  /** The same at that time, for ages. */
  boolean fires(String alert, String anHourAgo, String now, Instant at) {
    var expression = expressionByAlert.getOrDefault(alert, "").strip().replaceAll("\\s+", " ");
    var absent = ABSENT.matcher(expression);
    if (absent.matches()) {
      return now.lines().noneMatch(line -> line.startsWith(absent.group(1)));
    }
    var parts = List.of(expression.split(" and "));
    var firing = met(parts.getFirst(), anHourAgo, now, at);
    parts.forEach(part -> firing.retainAll(met(part, anHourAgo, now, at)));
    return !firing.isEmpty();
  }

  private static Set<String> met(String comparison, String anHourAgo, String now, Instant at) {
    boolean isAge = comparison.startsWith(AGE);
    var whole = COMPARISON.matcher(isAge ? comparison.substring(AGE.length()) : comparison);
    assertThat(whole.matches()).as(comparison).isTrue();
    var right =
        whole.group(5) == null ? Map.<String, Double>of() : values(whole.group(5), anHourAgo, now);
    var met = new HashSet<String>();
    values(whole.group(1), anHourAgo, now)
        .forEach((labels, number) -> {
          double value = isAge ? at.getEpochSecond() - number : number;
          double bound =
              whole.group(3) == null
                  ? Double.parseDouble(whole.group(4)) * right.getOrDefault(labels, 0.0)
                  : Double.parseDouble(whole.group(3));
          if (whole.group(2).equals(">") ? value > bound : value == bound) {
            met.add(labels);
          }
        });
    return met;
  }

  /** The values of a term by the labels of its series. What was counted before is a week old. */
  private static Map<String, Double> values(String term, String anHourAgo, String now) {
    var whole = TERM.matcher(term);
    assertThat(whole.matches()).as(term).isTrue();
    boolean isBefore = whole.group(7) != null;
    var former = series(whole, anHourAgo);
    var values = new HashMap<String, Double>();
    series(whole, isBefore ? anHourAgo : now)
        .forEach((labels, value) -> {
          double rise = isBefore ? value : value - former.getOrDefault(labels, 0.0);
          double seconds = "rate".equals(whole.group(3)) ? seconds(whole.group(6)) : 1;
          values.merge(
              whole.group(2) == null ? labels : by(whole.group(2), labels),
              whole.group(3) == null ? value : rise / seconds,
              "max".equals(whole.group(1)) ? Math::max : Double::sum);
        });
    return values;
  }

  private static double seconds(String range) {
    return Duration.parse(range.endsWith("d") ? "P" + range.toUpperCase(ROOT) : "PT" + range)
        .toSeconds();
  }

  private static Map<String, Double> series(Matcher term, String metrics) {
    return metrics
        .lines()
        .map(SERIES::matcher)
        .filter(series -> series.matches() && series.group(1).equals(term.group(4)))
        .filter(series -> isMet(term.group(5), labels(series)))
        .collect(
            Collectors.toMap(AlertRules::labels, series -> Double.parseDouble(series.group(3))));
  }

  private static String labels(MatchResult series) {
    return series.group(2) == null ? "" : series.group(2);
  }

  private static String by(String names, String labels) {
    var wanted = Set.of(names.split(", "));
    return LABEL
        .matcher(labels)
        .results()
        .filter(label -> wanted.contains(label.group(1)))
        .map(MatchResult::group)
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static boolean isMet(@Nullable String matchers, String labels) {
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
