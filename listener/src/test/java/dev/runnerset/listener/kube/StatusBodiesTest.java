package dev.runnerset.listener.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a mark writes into a runner's status (DM3). */
final class StatusBodiesTest {

  record Row(String rule, Mark mark, String body) {}

  static Stream<Row> marks() {
    return Stream.of(
        new Row(
            "DM3: the broker flavour sends 0, and 0 is written",
            Mark.started("r-1", new RunnerId(5), job(0, "j-1")),
            "{'requestId':0,'jobId':'j-1','job':{'repository':'o/r','displayName':'build',"
                + "'eventName':'push'}}"),
        new Row(
            "DM3: the legacy flavour numbers its jobs",
            Mark.started("r-1", new RunnerId(5), job(77, "")),
            "{'requestId':77,'job':{'repository':'o/r','displayName':'build',"
                + "'eventName':'push'}}"),
        new Row(
            "DM3: a completion makes a lost start good, with the same request id",
            Mark.completed("r-1", new RunnerId(5), job(0, "j-1"), "succeeded", 100),
            "{'requestId':0,'jobId':'j-1','job':{'repository':'o/r','displayName':'build',"
                + "'eventName':'push','completedIn':100},'jobResult':'succeeded'}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("marks")
  void theMarkIsWrittenAsTheServiceSentIt(Row row) {
    assertThat(StatusBodies.mark(row.mark()).toString()).isEqualTo(row.body().replace('\'', '"'));
  }

  /** The name may be another object's by now, with the same epoch. */
  @Test
  void sf3APatchUnderTheFenceTestsUidAndEpoch() {
    var counts = new Statistics(0, 0, 1, 0, 0, 0, 0);
    var demand = StatusBodies.demand(7, 1, 0, new WriteDemand(3, counts, Instant.EPOCH));
    for (var patch :
        List.of(
            StatusBodies.writeDemand("u-1", 7, demand),
            StatusBodies.writeFormerDemand("u-1", demand),
            StatusBodies.status("u-1", 7, JsonNodeFactory.instance.objectNode()))) {
      assertThat(patch.get(0).toString())
          .isEqualTo("{'op':'test','path':'/metadata/uid','value':'u-1'}".replace('\'', '"'));
      assertThat(patch.get(1).path("op").asText()).isEqualTo("test");
      assertThat(patch.get(1).path("value").asLong()).isEqualTo(7);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0, ''", "4711, ',\"marksVersion\":4711'"})
  void aDemandTellsTheVersionOfItsMarksIfItIsKnown(long version, String reported) {
    var counts = new Statistics(1, 0, 2, 3, 4, 5, 6);
    var demand = StatusBodies.demand(8, 9, version, new WriteDemand(7, counts, Instant.EPOCH));
    assertThat(MergePatch.tree(demand).toString()).endsWith("\"scaleSetId\":9" + reported + "}");
  }

  @Test
  void up4AStatusIsWrittenFieldByFieldSoThatOtherFieldsStay() {
    var status = JsonNodeFactory.instance.objectNode().put("holder", "a").put("later", "b");
    var paths = StatusBodies.status("u-1", 7, status).findValuesAsText("path");
    assertThat(paths)
        .contains("/status/holder", "/status/sessionId", "/status/conditions")
        .doesNotContain("/status", "/status/demand", "/status/later");
  }

  @Test
  void lv1ARequestIdOf0AloneIsNotBusy() {
    assertThat(EphemeralRunnerStatus.builder().requestId(0L).build().isBusy()).isFalse();
    assertThat(EphemeralRunnerStatus.builder().requestId(1L).build().isBusy()).isTrue();
    assertThat(EphemeralRunnerStatus.builder().requestId(0L).jobId("j").build().isBusy()).isTrue();
  }

  private static JobDescription job(long requestId, String id) {
    return new JobDescription(requestId, id, "o/r", "", "build", 0, "push", null, null, null, null);
  }
}
