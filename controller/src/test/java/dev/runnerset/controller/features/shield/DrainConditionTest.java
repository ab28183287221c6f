package dev.runnerset.controller.features.shield;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Protection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which runners hold the drain of their node, and what their set says of that (SD10). */
final class DrainConditionTest {
  private static final Instant REPORTED = T0.plusSeconds(20);

  private record Row(String about, Runners runner, Instant now, boolean reported) {
    @Override
    public String toString() {
      return about;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("idle since the cordon", idle("a").onCordonedNode(), REPORTED, true),
        new Row("not for 20 s yet", idle("a").onCordonedNode(), REPORTED.minusMillis(1), false),
        new Row(
            "idle for less", idle("a").since(T0.plusMillis(1)).onCordonedNode(), REPORTED, false),
        new Row("not online", idle("a").unregistered().onCordonedNode(), REPORTED, true),
        new Row(
            "refused",
            idle("a").suspectUntil(REPORTED.plusSeconds(9)).onCordonedNode(),
            REPORTED,
            true),
        new Row(
            "its removal failed",
            idle("a").retryAt(REPORTED.plusSeconds(9)).onCordonedNode(),
            REPORTED,
            true),
        new Row("on a tainted node", idle("a").onTaintedNode("x"), REPORTED, true),
        new Row("on a candidate", idle("a").onCandidateNode(), REPORTED, false),
        new Row("on another node", idle("a"), REPORTED, false),
        new Row("with a job", busy("a").onCordonedNode(), REPORTED, false),
        new Row("its container has not started", pending("a").onCordonedNode(), REPORTED, false),
        new Row("asked to go", idle("a").askedToGo().onCordonedNode(), REPORTED, false),
        new Row("being deleted", idle("a").terminating().onCordonedNode(), REPORTED, false),
        new Row("ended", idle("a").endedAt(T0).onCordonedNode(), REPORTED, false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void whoHoldsADrainIsReported(Row row) {
    assertThat(of(null, row.now(), row.runner()).isPresent()).isEqualTo(row.reported());
    assertThat(of(Protection.NONE, row.now(), row.runner())).as("without protection").isEmpty();
  }

  @Test
  void itIsLookedAtAgainWhenItIsToBeReported() {
    var runner = idle("a").onCordonedNode();
    for (var now : List.of(T0, REPORTED)) {
      var moment = moment(null, now, runner);
      assertThat(DrainCondition.of(moment).isPresent()).isEqualTo(now.equals(REPORTED));
      assertThat(moment.now().next().at()).isEqualTo(now.equals(REPORTED) ? null : REPORTED);
    }
  }

  @Test
  void itNamesTheNodeTheRunnersAndTheCommands() {
    var reported =
        of(null, REPORTED, idle("b").onCordonedNode(), idle("a").onCordonedNode()).orElseThrow();
    assertThat(reported.isTrue()).isTrue();
    assertThat(reported.reason().word()).isEqualTo("IdleNotRemoved");
    assertThat(reported.message())
        .contains("the cordoned node worker-7", ": a b; a drain waits for them")
        .endsWith(
            "kubectl annotate ephemeralrunners.runnerset.dev -n ns a b"
                + " runnerset.dev/force-delete=true; kubectl delete ephemeralrunners.runnerset.dev"
                + " -n ns a b --wait=false");
  }

  @Test
  void itNamesTheTaintWhereThereIsOne() {
    assertThat(of(null, REPORTED, idle("a").onTaintedNode("example.com/x")).orElseThrow().message())
        .startsWith("runners on the node worker-7 (taint example.com/x) have no known job");
  }

  @Test
  void itIsBounded() {
    var many =
        IntStream.range(0, 12)
            .mapToObj(i -> idle("r%02d".formatted(i)).onCordonedNode())
            .toArray(Runners[]::new);
    assertThat(of(null, REPORTED, many).orElseThrow().message())
        .contains("r09 and 2 more")
        .doesNotContain("r10");
  }

  private static Optional<Verdict> of(
      @Nullable Protection protection, Instant now, Runners... runners) {
    return DrainCondition.of(moment(protection, now, runners));
  }

  private static EphemeralRunnerSet set(@Nullable Protection protection) {
    var set = RunnerSituation.ofOneRunner();
    set.getMetadata().setNamespace("ns");
    set.setSpec(set.getSpec().toBuilder().protection(protection).build());
    return set;
  }

  private static SetMoment moment(
      @Nullable Protection protection, Instant now, Runners... runners) {
    Stream.of(runners).forEach(runner -> runner.resource(resource()));
    return new Situation(runners).at(now, set(protection));
  }

  private static EphemeralRunner resource() {
    var runner = new EphemeralRunner();
    runner.setStatus(EphemeralRunnerStatus.builder().nodeName("worker-7").build());
    return runner;
  }
}
