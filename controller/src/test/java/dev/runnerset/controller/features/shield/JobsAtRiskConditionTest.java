package dev.runnerset.controller.features.shield;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.NodeFate;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which jobs are at risk on their nodes, and what their set says of that (SD10). */
final class JobsAtRiskConditionTest {
  private static final String TAINT = "karpenter.sh/disrupted";
  private static final NodeFate TOLERATED = new NodeFate(null, TAINT, T0, false);

  private record Row(String about, Runners runner, boolean reported) {
    @Override
    public String toString() {
      return about;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("a job on a tainted node", busy("a").onTaintedNode(TAINT), true),
        new Row("it tolerates the taint", busy("a").onNode(TOLERATED), true),
        new Row("the taint is new", busy("a").onNode(later()), false),
        new Row("on a cordoned node", busy("a").onCordonedNode(), false),
        new Row("on a candidate", busy("a").onCandidateNode(), false),
        new Row("on another node", busy("a"), false),
        new Row("without a job", idle("a").onTaintedNode(TAINT), false),
        new Row("its job is over", busy("a").completedIn(1).onTaintedNode(TAINT), false),
        new Row("ended", busy("a").endedAt(T0).onTaintedNode(TAINT), false));
  }

  private static NodeFate later() {
    return new NodeFate(T0.plusMillis(1), TAINT, T0.plusMillis(1), false);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void sd10AJobOnATaintedNodeIsReported(Row row) {
    assertThat(of(on("worker-7", row.runner())).isPresent()).isEqualTo(row.reported());
  }

  @Test
  void itHasTheCountTheNodesAndTheTaints() {
    var reported =
        of(
                on("worker-7", busy("a").onTaintedNode(TAINT)),
                on("worker-7", busy("b").onTaintedNode(TAINT)),
                on("worker-2", busy("c").onTaintedNode("ToBeDeletedByClusterAutoscaler")))
            .orElseThrow();
    assertThat(reported.isTrue()).isTrue();
    assertThat(reported.reason().word()).isEqualTo("NodeLeaves");
    assertThat(reported.message())
        .startsWith(
            "3 jobs run on nodes that are about to go: 1 on worker-2 (taint"
                + " ToBeDeletedByClusterAutoscaler), 2 on worker-7 (taint karpenter.sh/disrupted);")
        .contains("docs/operate/drain.md");
  }

  @Test
  void itIsBounded() {
    var many =
        IntStream.range(0, 7)
            .mapToObj(i -> on("node-" + i, busy("r" + i).onTaintedNode(TAINT)))
            .toArray(Runners[]::new);
    assertThat(of(many).orElseThrow().message())
        .startsWith("7 jobs run on")
        .contains("1 on node-4 (taint karpenter.sh/disrupted), and others on 2 more nodes;")
        .doesNotContain("node-5");
  }

  private static Optional<Verdict> of(Runners... runners) {
    return JobsAtRiskCondition.of(new Situation(runners).at(T0));
  }

  private static Runners on(String node, Runners runner) {
    var resource = new EphemeralRunner();
    resource.setStatus(EphemeralRunnerStatus.builder().nodeName(node).build());
    return runner.resource(resource);
  }
}
