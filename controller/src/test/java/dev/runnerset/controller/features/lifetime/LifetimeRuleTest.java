package dev.runnerset.controller.features.lifetime;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.GoingRow;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule.Surplus;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which runners go since almost half of their lifetime is over, and when (RN22). */
final class LifetimeRuleTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant HALF = T0.plus(Duration.ofHours(12));

  static Stream<GoingRow> rows() {
    return Stream.concat(
        GoingRow.ofEachRule(HALF),
        Stream.of(
            new GoingRow("its annotation says that it must be retained", idle("a").pinned(), true),
            new GoingRow("not started", pending("a"), false)));
  }

  private static List<String> gone(Instant now, RunnerView... runners) {
    var moment = new Situation(List.of(runners)).demand(null).at(now);
    var plan = new LifetimeRule().plan(moment, new Surplus(0, null));
    assertThat(plan.reason()).isEqualTo(RemovalReason.LIFETIME);
    return plan.candidates().stream().map(RunnerView::name).toList();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rn22ARunnerGoesIfItHasNoJob(GoingRow row) {
    var expected = row.goes() ? List.of("a") : List.of();
    assertThat(gone(HALF, row.made().lifetime(DAY).view())).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rn22WithoutALifetimeNoneGoes(GoingRow row) {
    assertThat(gone(T0.plus(Duration.ofDays(365)), row.made().view())).isEmpty();
  }

  @Test
  void rn22RunnersThatWereMadeTogetherGoOneAfterAnotherAndNoneAfterTheHalf() {
    var moments =
        IntStream.range(0, 100)
            .mapToObj(i -> idle("runner-" + i).lifetime(DAY).view())
            .map(runner -> requireNonNull(LifetimeRule.leavesAt(runner)))
            .toList();
    assertThat(moments)
        .allMatch(at -> at.isAfter(T0.plus(Duration.ofMinutes(576))) && !at.isAfter(HALF));
    assertThat(moments.stream().distinct()).hasSizeGreaterThan(40);
  }

  @Test
  void rn22TheTimeBeginsWhenANodeTakesThePodSinceTheKubeletCountsFromThenOn() {
    var late = idle("a").lifetime(DAY).view();
    assertThat(requireNonNull(LifetimeRule.leavesAt(late))).isBeforeOrEqualTo(HALF);
    var taken = T0.plus(Duration.ofHours(3));
    late.resource()
        .setStatus(
            EphemeralRunnerStatus.builder()
                .timeline(new RunnerTimeline(T0, taken, null, null, null, null))
                .build());
    assertThat(gone(HALF, late)).isEmpty();
    assertThat(gone(HALF.plus(Duration.ofHours(3)), late)).containsExactly("a");
  }

  @Test
  void rn22ItIsLiveUntilTheServiceAgreedSinceAnotherOneTakesItsPlace() {
    assertThat(RemovalReason.LIFETIME.isReplacedAfter()).isTrue();
    assertThat(RemovalReason.LIFETIME.isErrorCounted()).isTrue();
  }
}
