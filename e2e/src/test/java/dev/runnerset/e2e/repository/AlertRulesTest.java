package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.base.metrics.Metric;
import dev.runnerset.base.metrics.Metric.Label;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.listener.metrics.ListenerMeter;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for alerts name metrics and values that there are. */
final class AlertRulesTest {
  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:runnerset|gha)_\\w+)(?:\\{([^}]*)\\})?");
  private static final Pattern OF_PROCESS = Pattern.compile("runnerset_(leader|reconcile)");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(!?=)\"([^\"]*)\"");

  private static List<JsonNode> rules() throws IOException {
    return elements("docs/alerts/runnerset.rules.yaml", "/groups/0/rules");
  }

  private static List<JsonNode> elements(String file, String path) throws IOException {
    var text = Files.readString(ROOT.resolve(file));
    var found = Serialization.unmarshal("---\n" + text, JsonNode.class).at(path);
    return StreamSupport.stream(found.spliterator(), false).toList();
  }

  static Stream<String> recorded() throws IOException {
    return Stream.concat(
            elements("docs/alerts/runnerset.rules.yaml", "/groups/1/rules").stream(),
            elements("docs/alerts/incumbent.rules.yaml", "/groups/0/rules").stream())
        .map(rule -> rule.path("expr").textValue());
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void eachMetricOfARecordingRuleExists(String expression) {
    var known =
        Stream.<Metric>concat(Arrays.stream(Meter.values()), Arrays.stream(ListenerMeter.values()))
            .map(metric -> metric.definition().name())
            .toList();
    assertThat(
            SELECTOR
                .matcher(expression)
                .results()
                .map(found -> found.group(1).replaceFirst("_(bucket|sum|count)$", "")))
        .isNotEmpty()
        .isSubsetOf(known);
  }

  /** Nightly, promtool plays them. */
  @Test
  void eachAlertHasOneCaseThatCausesIt() throws IOException {
    assertThat(elements("e2e/src/test/resources/alerts/causes.test.yaml", "/tests"))
        .extracting(test -> test.path("name").asText())
        .containsExactlyElementsOf(rules().stream().map(r -> r.path("alert").asText()).toList());
  }

  static Stream<String> expressions() throws IOException {
    return rules().stream().map(rule -> rule.path("expr").textValue());
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void eachMetricLabelAndValueExists(String expression) {
    var selectors = SELECTOR.matcher(expression).results().toList();
    assertThat(selectors).as(expression).isNotEmpty();
    for (var selector : selectors) {
      var meter =
          Stream.<Metric>concat(
                  Arrays.stream(Meter.values()), Arrays.stream(ListenerMeter.values()))
              .map(Metric::definition)
              .filter(each -> each.name().equals(selector.group(1).replaceFirst("_count$", "")))
              .findFirst()
              .orElseThrow();
      var matchers = MATCHER.matcher(selector.group(2) == null ? "" : selector.group(2));
      while (matchers.find()) {
        assertThat(meter.labels()).extracting(Label::name).contains(matchers.group(1));
        assertThat(values(meter, matchers.group(1))).contains(matchers.group(3));
      }
    }
  }

  private static Set<String> values(Metric.Definition meter, String label) {
    return switch (label) {
      case "type" ->
          Arrays.stream(ConditionType.values())
              .filter(type -> type.isOf(ConditionType.Kind.AUTOSCALING_RUNNER_SET))
              .map(ConditionType::word)
              .collect(Collectors.toSet());
      case "outcome" -> Set.of("success", "failure");
      case "status" ->
          Arrays.stream(StatusConditions.Value.values())
              .map(StatusConditions.Value::word)
              .collect(Collectors.toSet());
      case "reason" ->
          Stream.of(
                  Stream.<Reason.Known[]>of(
                          RunnerSetReason.values(),
                          AccessReason.values(),
                          EphemeralRunnerSetReason.values(),
                          ListenerReason.values())
                      .flatMap(Arrays::stream)
                      .map(Reason::word),
                  Arrays.stream(RemovalReason.values())
                      .filter(RemovalReason::isCounted)
                      .map(RemovalReason::word))
              .flatMap(words -> words)
              .collect(Collectors.toSet());
      default ->
          meter.labels().stream()
              .filter(each -> each.name().equals(label))
              .flatMap(each -> each.values().stream())
              .collect(Collectors.toSet());
    };
  }

  @Test
  void eachRuleHasANameOfItsOwnATimeASeverityAndASummary() throws IOException {
    var names = new HashSet<String>();
    for (var rule : rules()) {
      assertThat(names.add(rule.path("alert").asText())).isTrue();
      assertThat(rule.path("for").asText()).matches("\\d+[md]");
      assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning");
      assertThat(rule.path("alert").asText()).startsWith("Runnerset");
      var expression = rule.path("expr").asText();
      // a controller has no name of a set
      assertThat(rule.at("/annotations/summary").asText().contains("$labels.name }}"))
          .isNotEqualTo(OF_PROCESS.matcher(expression).find());
      // another reason is another series, for which `for` would begin again
      if (expression.contains("runnerset_set_condition")) {
        assertThat(expression).startsWith("max by (namespace, name) (");
      }
    }
    assertThat(names).hasSizeGreaterThan(5);
  }

  @Test
  void eachRunbookIsAHeadingOfThePage() throws IOException {
    var page = "docs/operate/alerts.md";
    var headings =
        Files.readString(ROOT.resolve(page))
            .lines()
            .filter(line -> line.startsWith("## Runnerset"))
            .map(line -> page + "#" + line.substring(3).toLowerCase(Locale.ROOT));
    assertThat(rules().stream().map(rule -> rule.at("/annotations/runbook_url").asText()))
        .doesNotHaveDuplicates()
        .containsExactlyElementsOf(headings.toList());
  }
}
