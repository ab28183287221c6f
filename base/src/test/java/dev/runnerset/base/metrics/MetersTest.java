package dev.runnerset.base.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.metrics.Metric.Definition;
import dev.runnerset.base.metrics.Metric.Kind;
import dev.runnerset.base.metrics.Metric.Label;
import dev.runnerset.testsupport.Exposition;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Prometheus reads. */
final class MetersTest {
  private enum Fruit implements Metric {
    APPLES(new Definition(Kind.GAUGE, "apples", "Apples now")),
    STATES(new Definition(Kind.GAUGE, "states", "1 for each", new Label("state"))),
    PEARS(
        new Definition(
            Kind.COUNTER,
            "pears_total",
            "Pears",
            new Label("kind", "green", "red"),
            new Label("size", "s", "l"))),
    PLUMS(new Definition(Kind.COUNTER, "plums_total", "Plums")),
    RIPE(new Definition(Kind.HISTOGRAM, "ripe_seconds", "Time to ripen")),
    CALLS(
        new Definition(
            true, Kind.COUNTER, "calls_total", "Calls", List.of(new Label("call", "get")))),
    TURNS(
        new Definition(
            true, Kind.SUMMARY, "turn_seconds", "Turns", List.of(new Label("call", "get")))),
    ROUNDS(new Definition(true, Kind.COUNTER, "rounds_total", "Rounds", List.of()));

    private final Definition definition;

    Fruit(Definition definition) {
      this.definition = definition;
    }

    @Override
    public Definition definition() {
      return definition;
    }
  }

  private final Meters meters = meters(EnumSet.allOf(Kind.class));

  private static Meters meters(Set<Kind> fromZero) {
    return new Meters(List.of(Fruit.values()), fromZero, 1, 2.5);
  }

  private List<String> lines(String name) {
    return Exposition.of(meters::snapshots).lines(name);
  }

  @Test
  void thePageInFull() {
    var linux = meters.begin("team", "linux");
    linux.count(Fruit.PEARS, "red", "s");
    linux.gauge(Fruit.APPLES, 3);
    linux.gauges(Fruit.STATES, Set.of(List.of("raw")));
    linux.observe(Fruit.RIPE, Duration.ofMillis(2500));
    meters.ofProcess().count(Fruit.CALLS, "get");
    meters.ofProcess().observe(Fruit.TURNS, Duration.ofMillis(750), "get");
    meters.ofProcess().observe(Fruit.TURNS, Duration.ofSeconds(1), "get");
    IntStream.range(0, 3).forEach(_ -> meters.ofProcess().count(Fruit.ROUNDS));
    assertThat(Exposition.of(meters::snapshots).text())
        .isEqualTo(
            """
            # HELP apples Apples now
            # TYPE apples gauge
            apples{name="linux",namespace="team"} 3.0
            # HELP calls_total Calls
            # TYPE calls_total counter
            calls_total{call="get"} 1.0
            # HELP pears_total Pears
            # TYPE pears_total counter
            pears_total{kind="green",name="linux",namespace="team",size="l"} 0.0
            pears_total{kind="green",name="linux",namespace="team",size="s"} 0.0
            pears_total{kind="red",name="linux",namespace="team",size="l"} 0.0
            pears_total{kind="red",name="linux",namespace="team",size="s"} 1.0
            # HELP plums_total Plums
            # TYPE plums_total counter
            plums_total{name="linux",namespace="team"} 0.0
            # HELP ripe_seconds Time to ripen
            # TYPE ripe_seconds histogram
            ripe_seconds_bucket{name="linux",namespace="team",le="1.0"} 0
            ripe_seconds_bucket{name="linux",namespace="team",le="2.5"} 1
            ripe_seconds_bucket{name="linux",namespace="team",le="+Inf"} 1
            ripe_seconds_count{name="linux",namespace="team"} 1
            ripe_seconds_sum{name="linux",namespace="team"} 2.5
            # HELP rounds_total Rounds
            # TYPE rounds_total counter
            rounds_total 3.0
            # HELP states 1 for each
            # TYPE states gauge
            states{name="linux",namespace="team",state="raw"} 1.0
            # HELP turn_seconds Turns
            # TYPE turn_seconds summary
            turn_seconds_count{call="get"} 2
            turn_seconds_sum{call="get"} 1.75
            """);
  }

  @ParameterizedTest
  @CsvSource({"3, 3.0", "0, 0.0", "-1.5, -1.5", "NaN, NaN", "Infinity, +Inf"})
  void aGaugeShowsItsLastValue(double value, String shown) {
    meters.of("team", "linux").gauge(Fruit.APPLES, 7);
    meters.of("team", "linux").gauge(Fruit.APPLES, value);
    assertThat(lines("apples"))
        .containsExactly("apples{name=\"linux\",namespace=\"team\"} " + shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "plain|plain",
        "say \"hi\"|say \\\"hi\\\"",
        "C:\\temp|C:\\\\temp",
        "'two\nlines'|two\\nlines",
        "\\n|\\\\n",
        "''|''",
        "ü{},=|ü{},="
      })
  void aValueOfALabelIsEscaped(String value, String shown) {
    meters.of("team", value).gauges(Fruit.STATES, Set.of(List.of(value)));
    assertThat(lines("states"))
        .containsExactly(
            "states{name=\"%s\",namespace=\"team\",state=\"%s\"} 1.0".formatted(shown, shown));
  }

  static Stream<Arguments> times() {
    return Stream.of(
        Arguments.of(List.of(0), List.of(1, 1, 1), 0.0),
        Arguments.of(List.of(1000), List.of(1, 1, 1), 1.0),
        Arguments.of(List.of(1001), List.of(0, 1, 1), 1.001),
        Arguments.of(List.of(2501), List.of(0, 0, 1), 2.501),
        Arguments.of(List.of(500, 2000, 2250, 9000), List.of(1, 3, 4), 13.75),
        Arguments.of(List.of(-4000), List.of(1, 1, 1), 0.0));
  }

  @ParameterizedTest
  @MethodSource("times")
  void theBucketsOfAHistogramCountWhatIsNotAboveTheirBound(
      List<Integer> millis, List<Integer> buckets, double sum) {
    millis.forEach(each -> meters.of("team", "linux").observe(Fruit.RIPE, Duration.ofMillis(each)));
    var page = Exposition.of(meters::snapshots);
    assertThat(Stream.of("1.0", "2.5", "+Inf").map(le -> page.value("ripe_seconds_bucket", le)))
        .containsExactlyElementsOf(buckets.stream().map(Integer::doubleValue).toList());
    assertThat(page.value("ripe_seconds_count")).isEqualTo(millis.size());
    assertThat(page.value("ripe_seconds_sum")).isEqualTo(sum);
  }

  /** A clock of a service may say anything. */
  @Test
  void aTimeOfCenturiesIsATime() {
    meters.of("team", "linux").observe(Fruit.RIPE, Duration.ofDays(365_000));
    meters.of("team", "linux").observe(Fruit.RIPE, Duration.ofDays(-365_000));
    assertThat(Exposition.of(meters::snapshots).value("ripe_seconds_sum"))
        .isEqualTo(365_000 * 86_400.0);
  }

  /** A runner without a set is counted as well: nothing else is shown of its owner. */
  @Test
  void whatHasNotBegunShowsOnlyWhatWasCounted() {
    meters.of("team", "").count(Fruit.PLUMS);
    assertThat(lines("plums_total"))
        .containsExactly("plums_total{name=\"\",namespace=\"team\"} 1.0");
    assertThat(lines("pears_total")).isEmpty();
    meters.of("team", "").begin();
    assertThat(lines("plums_total")).singleElement().asString().endsWith(" 1.0");
    assertThat(lines("pears_total")).hasSize(4).allMatch(line -> line.endsWith(" 0.0"));
  }

  @ParameterizedTest
  @CsvSource({"COUNTER, 4, 0, 0", "GAUGE, 0, 1, 0", "HISTOGRAM, 0, 0, 1"})
  void onlySomeKindsBeginWithZero(Kind fromZero, int counters, int gauges, int histograms) {
    var some = meters(Set.of(fromZero));
    var _ = some.begin("team", "linux");
    var page = Exposition.of(some::snapshots);
    assertThat(page.lines("pears_total")).hasSize(counters);
    assertThat(page.lines("apples")).hasSize(gauges);
    assertThat(page.lines("ripe_seconds_count")).hasSize(histograms);
    assertThat(page.lines("states")).as("its values are not known").isEmpty();
  }

  @Test
  void aCounterOfTheProcessCanBeShownWithZero() {
    meters.ofProcess().show(Fruit.CALLS, "get");
    assertThat(lines("calls_total")).containsExactly("calls_total{call=\"get\"} 0.0");
    meters.ofProcess().count(Fruit.CALLS, "get");
    meters.ofProcess().show(Fruit.CALLS, "get");
    assertThat(lines("calls_total")).containsExactly("calls_total{call=\"get\"} 1.0");
  }

  @Test
  void gaugesThatAreNotWantedAnyMoreGo() {
    var series = meters.of("team", "linux");
    series.gauge(Fruit.APPLES, 2);
    series.gauges(Fruit.STATES, Set.of(List.of("raw"), List.of("sour")));
    series.gauges(Fruit.STATES, Set.of(List.of("sour")));
    assertThat(lines("states")).singleElement().asString().contains("sour");
    series.gauges(Fruit.STATES, Set.of());
    assertThat(lines("states")).isEmpty();
    assertThat(lines("apples")).hasSize(1);
  }

  @Test
  void theSeriesOfASetEndAndOthersStay() {
    var linux = meters.begin("team", "linux");
    linux.count(Fruit.PLUMS);
    meters.begin("team", "arm").count(Fruit.PLUMS);
    linux.end();
    linux.count(Fruit.PLUMS);
    assertThat(lines("plums_total"))
        .containsExactly("plums_total{name=\"arm\",namespace=\"team\"} 1.0");
    assertThat(Exposition.of(meters::snapshots).text()).doesNotContain("linux");
    meters.of("team", "linux").begin();
    assertThat(Exposition.of(meters::snapshots).value("plums_total", "linux")).isZero();
  }

  @Test
  void anEndTakesNoSeriesThatBeganLater() {
    var former = meters.begin("team", "linux");
    former.count(Fruit.PLUMS);
    meters.begin("team", "linux").gauge(Fruit.APPLES, 1);
    former.end();
    assertThat(lines("apples")).hasSize(1);
    assertThat(lines("plums_total")).singleElement().asString().endsWith(" 0.0");
  }

  @Test
  void aWrongNumberOfLabelsIsABugThatShows() {
    assertThatThrownBy(() -> meters.of("team", "linux").count(Fruit.PEARS, "red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("pears_total", "kind", "size");
  }

  /** Else Prometheus would have a metric some of whose series have labels that others lack. */
  @Test
  void aMetricOfTheProcessIsOfNoSetAndTheReverse() {
    var ofProcess = meters.ofProcess();
    var ofSet = meters.of("team", "linux");
    assertThatThrownBy(() -> ofProcess.count(Fruit.PLUMS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("the process", "plums_total");
    assertThatThrownBy(() -> ofProcess.gauges(Fruit.STATES, Set.of(List.of("raw"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ofSet.count(Fruit.CALLS, "get"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("[get] of team/linux", "calls_total");
    assertThat(Exposition.of(meters::snapshots).text()).doesNotContain("{");
  }

  /** A test that expects 0 or nothing would hold for any name. */
  @ParameterizedTest
  @ValueSource(strings = {"plum_total", "plums", "plums_total_sum", "ripe_seconds", "ripe_sum", ""})
  void aTestThatAsksForANameThatNoMetricHasFails(String name) {
    var page = Exposition.of(meters::snapshots);
    assertThatThrownBy(() -> page.lines(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
    assertThatThrownBy(() -> page.value(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plums_total",
        "apples",
        "ripe_seconds_bucket",
        "ripe_seconds_count",
        "ripe_seconds_sum"
      })
  void aMetricWithoutSeriesIsZero(String name) {
    assertThat(Exposition.of(meters::snapshots).value(name)).isZero();
  }

  @Test
  void aCounterOfSecondsGrowsByThemAndNeverFalls() {
    var linux = meters.begin("team", "linux");
    linux.add(Fruit.PLUMS, Duration.ofMillis(1500));
    linux.add(Fruit.PLUMS, Duration.ofSeconds(-7));
    linux.add(Fruit.PLUMS, Duration.ofSeconds(2));
    assertThat(Exposition.of(meters::snapshots).value("plums_total")).isEqualTo(3.5);
  }

  @Test
  void nothingIsLostWhileItIsWritten() {
    var linux = meters.begin("team", "linux");
    try (var threads = Executors.newFixedThreadPool(3)) {
      var counting =
          IntStream.range(0, 3)
              .mapToObj(thread -> CompletableFuture.runAsync(() -> countOften(linux), threads))
              .toList();
      while (!counting.stream().allMatch(CompletableFuture::isDone)) {
        var page = Exposition.of(meters::snapshots);
        assertThat(page.value("ripe_seconds_bucket", "+Inf"))
            .as("a histogram is written as it was at one moment")
            .isEqualTo(page.value("ripe_seconds_count"))
            .isEqualTo(page.value("ripe_seconds_sum") / 1.5);
      }
      counting.forEach(CompletableFuture::join);
    }
    var page = Exposition.of(meters::snapshots);
    assertThat(page.value("plums_total")).isEqualTo(60_000);
    assertThat(page.value("ripe_seconds_count")).isEqualTo(60_000);
    assertThat(page.lines("states")).hasSize(1);
  }

  private static void countOften(Meters.Series series) {
    for (int i = 0; i < 20_000; i++) {
      series.count(Fruit.PLUMS);
      series.observe(Fruit.RIPE, Duration.ofMillis(1500));
      series.gauges(Fruit.STATES, Set.of(List.of("state " + i % 10)));
    }
  }
}
