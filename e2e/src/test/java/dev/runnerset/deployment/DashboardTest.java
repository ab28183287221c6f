package dev.runnerset.deployment;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.base.metrics.Metric;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.listener.metrics.ListenerMeter;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboards ask for series and labels that there are. */
final class DashboardTest {
  private static final Pattern SERIES =
      Pattern.compile("\\b((?:gha|runnerset)_\\w+|ALERTS)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=~|!=|=)\"");
  private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
  private static final Map<String, Set<String>> LABELS_BY_SERIES = series();

  /** Prometheus itself has one series for each alert. */
  private static Map<String, Set<String>> series() {
    var found = new HashMap<String, Set<String>>();
    Stream.<Metric[]>of(Meter.values(), ListenerMeter.values())
        .flatMap(Arrays::stream)
        .forEach(metric -> add(found, metric));
    found.put("ALERTS", Set.of("alertname", "alertstate", "severity", "namespace", "name"));
    return found;
  }

  private static void add(Map<String, Set<String>> found, Metric metric) {
    var definition = metric.definition();
    var labels =
        definition.labels().stream().map(Metric.Label::name).collect(toCollection(HashSet::new));
    if (!definition.ofProcess()) {
      labels.addAll(Set.of("namespace", "name"));
    }
    if (definition.kind() == Metric.Kind.HISTOGRAM) {
      found.put(definition.name() + "_sum", Set.copyOf(labels));
      found.put(definition.name() + "_count", Set.copyOf(labels));
      labels.add("le");
      found.put(definition.name() + "_bucket", labels);
    } else {
      found.put(definition.name(), labels);
    }
  }

  private static JsonNode dashboard(String file) throws IOException {
    return Serialization.unmarshal(
        Files.readString(RepositoryFiles.chart("runnerset").resolve("files").resolve(file)),
        JsonNode.class);
  }

  static Stream<String> expressions() throws IOException {
    var both = new ArrayList<String>();
    for (var file : List.of("dashboard.json", "dashboard-usage.json")) {
      both.addAll(dashboard(file).findValuesAsText("expr"));
    }
    return both.stream();
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void eachSeriesAndEachLabelExists(String expression) {
    var series = SERIES.matcher(expression);
    var labels = new HashSet<String>();
    int named = 0;
    while (series.find()) {
      named++;
      assertThat(LABELS_BY_SERIES).containsKey(series.group(1));
      labels.addAll(LABELS_BY_SERIES.get(series.group(1)));
      var matchers = MATCHER.matcher(series.group(2) == null ? "" : series.group(2));
      while (matchers.find()) {
        assertThat(LABELS_BY_SERIES.get(series.group(1))).contains(matchers.group(1));
      }
    }
    assertThat(named).isPositive();
    var grouping = GROUPING.matcher(expression);
    while (grouping.find()) {
      assertThat(labels).containsAll(Arrays.asList(grouping.group(1).split(", *")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dashboard.json", "dashboard-usage.json"})
  void eachPanelSaysWhatItShowsAndHasANumberOfItsOwn(String file) throws IOException {
    var ids = new HashSet<Integer>();
    for (var panel : dashboard(file).path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).isTrue();
      assertThat(panel.path("title").asText()).isNotBlank();
      assertThat(panel.path("description").asText()).isNotBlank();
    }
    assertThat(ids).hasSizeGreaterThan(8);
  }

  /** A red or green field needs no reading. */
  @ParameterizedTest
  @ValueSource(strings = {"dashboard.json", "dashboard-usage.json"})
  void theFirstRowIsFieldsWithThresholdsAndItFillsTheWidth(String file) throws IOException {
    int width = 0;
    for (var panel : dashboard(file).path("panels")) {
      if (panel.at("/gridPos/y").asInt() == 0) {
        width += panel.at("/gridPos/w").asInt();
        assertThat(panel.path("type").asText()).isEqualTo("stat");
        assertThat(panel.at("/options/colorMode").asText()).isEqualTo("background");
        assertThat(panel.at("/fieldConfig/defaults/thresholds/steps")).isNotEmpty();
      }
    }
    assertThat(width).isEqualTo(24);
  }
}
