package dev.runnerset.controller.features.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Installation;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class UpgradeFindingsTest {
  private static final Map<String, NavigableSet<String>> FITS = Map.of();
  private static final Map<String, NavigableSet<String>> OLD =
      Map.of("EphemeralRunner", new TreeSet<>(Set.of("status.a", "status.b")));
  private static final Map<String, NavigableSet<String>> VERY_OLD =
      Map.of("EphemeralRunner", new TreeSet<>(Set.of("a", "b", "c", "d", "e", "f", "g")));

  record Row(
      String what,
      Map<String, NavigableSet<String>> missing,
      List<String> unknown,
      AutoScalingListenerStatus listener,
      String expected) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("all fits", FITS, List.of(), listener(2), "nothing"),
        new Row("no listener object yet", FITS, List.of(), null, "nothing"),
        new Row(
            "a listener before levels",
            FITS,
            List.of(),
            listener(null),
            "ListenerOutdated: the listener process l-1 speaks level 0 of the protocol, and this"
                + " controller level 2: the listener is too old for the other."),
        new Row("the listener before", FITS, List.of(), listener(1), "nothing"),
        new Row("the next listener", FITS, List.of(), listener(3), "nothing"),
        new Row(
            "nobody holds the session",
            FITS,
            List.of(),
            AutoScalingListenerStatusBuilder.builder().epoch(1L).protocolLevel(9).build(),
            "nothing"),
        new Row(
            "a listener two levels on",
            FITS,
            List.of(),
            listener(4),
            "ControllerOutdated: the listener process l-1 speaks level 4 of the protocol, and this"
                + " controller level 2: the controller is too old for the other. To fix this: run "
                + Installation.UPGRADE
                + ", so that both programs have the same version"),
        new Row(
            "older kinds",
            OLD,
            List.of(),
            listener(1),
            "KindsOutdated: the kinds in the cluster are older than this controller:"
                + " EphemeralRunner lacks status.a, status.b. The API server drops these fields;"
                + " runners and jobs continue. To fix this: run "
                + Installation.UPGRADE),
        new Row(
            "many fields are not all named", VERY_OLD, List.of(), null, "a, b, c, d, e and 2 more"),
        new Row(
            "the set asks for what this version does not know",
            FITS,
            List.of("spec.soon"),
            listener(1),
            "ControllerOutdated: this controller is older than the kinds in the cluster, and does not"
                + " know spec.soon: that has no effect and stays as it is. To fix this: run "
                + Installation.UPGRADE
                + ", so that both programs have the same version"),
        new Row("all at once", OLD, List.of("spec.soon"), listener(9), "KindsOutdated: "),
        new Row("all at once", OLD, List.of("spec.soon"), listener(9), "level 9"),
        new Row("all at once", OLD, List.of("spec.soon"), listener(9), "spec.soon"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isReported(Row row) {
    var found = UpgradeFindings.of(row.missing(), row.unknown(), row.listener(), null);
    var reported = found == null ? "nothing" : found.reason().word() + ": " + found.message();
    if (row.expected().contains("To mend") || row.expected().equals("nothing")) {
      assertThat(reported).isEqualTo(row.expected());
    } else {
      assertThat(reported).contains(row.expected());
    }
  }

  private static AutoScalingListenerStatus listener(Integer level) {
    return AutoScalingListenerStatusBuilder.builder()
        .holder("l-1")
        .epoch(1L)
        .sessionId("s")
        .protocolLevel(level)
        .build();
  }
}
