package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runners that neither start nor fail are told of once they are ten minutes late. */
class PendingConditionTest {
  private static final Instant NOW = T0.plusSeconds(600);

  record Row(String what, Runners runner, boolean told) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("ten minutes", pending("a"), true),
        new Row("a second less", pending("a").since(T0.plusSeconds(1)), false),
        new Row("of an older revision", pending("a").older(), false),
        new Row("running", idle("a"), false),
        new Row("with a job", busy("a"), false),
        new Row("it failed", pending("a").phase(RunnerPhase.FAILED).endedAt(T0), false),
        new Row("it goes", pending("a").terminating(), false),
        new Row("asked to go", pending("a").askedToGo(), false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void tellsOfOneThatIsLate(Row row) {
    var condition = found(List.of(), NOW, "", row.runner());
    assertThat(condition.map(Condition::getReason))
        .isEqualTo(row.told() ? Optional.of("StartOverdue") : Optional.empty());
  }

  @Test
  void namesTheOneThatWaitsLongestAndWhyAndWhatToChange() {
    var conditions =
        """
        - {type: Scheduled, status: "True", reason: Scheduled}
        - {type: Started, status: "False", reason: ImagePullBackOff, message: 'no such image "x:1"'}
        """;
    var condition =
        of(
            List.of(),
            NOW.plusSeconds(9),
            conditions,
            pending("b").since(T0.plusSeconds(1)),
            pending("a"));
    assertThat(condition.getMessage())
        .isEqualTo(
            "a has not started for 10 minutes (ImagePullBackOff: no such image \"x:1\"); correct the"
                + " image or what else its pod waits for in spec.template");
  }

  @Test
  void aPodThatFindsNoPlaceNeedsRoom() {
    var conditions = "[{type: Scheduled, status: 'False', reason: Unschedulable, message: 0/3}]";
    assertThat(of(List.of(), NOW, conditions, pending("a")).getMessage())
        .contains("(Unschedulable: 0/3); make room for its pod");
  }

  /** Else it would be a write at every look. */
  @Test
  void standsUnchangedWhileNothingChanges() {
    var first = of(List.of(), NOW, "", pending("a"));
    assertThat(of(List.of(first), NOW.plusSeconds(500), "", pending("a"))).isEqualTo(first);
  }

  private static Condition of(
      List<Condition> before, Instant now, String conditions, Runners... runners) {
    return found(before, now, conditions, runners).orElseThrow();
  }

  private static Optional<Condition> found(
      List<Condition> before, Instant now, String conditions, Runners... runners) {
    var byUid = new HashMap<String, EphemeralRunner>();
    var views = Arrays.stream(runners).map(Runners::view).toList();
    for (RunnerView view : views) {
      byUid.put(
          view.uid(),
          Serialization.unmarshal(
              "status:\n  conditions:\n" + (conditions.isEmpty() ? "[]" : conditions).indent(4),
              EphemeralRunner.class));
    }
    return PendingCondition.of(before, new RunnerGathering.Observed(byUid, views, null), 3, now);
  }
}
