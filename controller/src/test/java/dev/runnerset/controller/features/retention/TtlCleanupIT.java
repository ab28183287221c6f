package dev.runnerset.controller.features.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import dev.runnerset.testsupport.Exposition;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The TTL controller alone against the API server: a test for each predicate. */
final class TtlCleanupIT {
  private final RetentionWorld world = new RetentionWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private static Duration ago(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void atAStartOnlyFinishedOnesWhoseTimeIsOverGo() {
    world.finished("a-expired", null, "{ttlAfterFailed: 5s}", "False", ago(60));
    world.finished("b-other-bucket", null, "{ttlAfterSucceeded: 5s}", "False", ago(60));
    world.finished("c-no-ttl", null, "{}", "False", ago(9_999));
    world.finished("d-later", null, "{ttlAfterFailed: 1h}", "False", ago(60));
    world.running("e-running", null, "{ttlAfterFailed: 0s, ttlAfterSucceeded: 0s}");
    world.startTtl();
    world.assertOnly("b-other-bucket", "c-no-ttl", "d-later", "e-running");
    assertThat(world.requests("delete")).isEqualTo(1);
    assertThat(world.requests("patch")).as("e2: it is no Cleaner").isZero();
  }

  @Test
  void anEndIsSeenThoughNoGenerationChanges() {
    var ers = world.createSet("linux", "{}");
    var failing = world.running("a", ers, "{ttlAfterFailed: 0s}");
    var succeeding = world.running("b", ers, "{ttlAfterFailed: 0s}");
    world.startTtl();
    world.finish(failing, "Unknown", ago(0));
    world.assertOnly("a", "b");
    world.finish(failing, "False", ago(0));
    world.finish(succeeding, "True", ago(0));
    world.assertOnly("b");
    assertThat(world.counted("ttl", "failed")).isEqualTo(1);
    assertThat(world.counted("ttl", "succeeded")).isZero();
  }

  @Test
  void aLoweredTimeCountsAtOnceAndARaisedOneOutlivesItsTimer() {
    var lowered = world.finished("a", null, "{ttlAfterFailed: 1h}", "False", ago(30));
    var raised = world.finished("b", null, "{ttlAfterFailed: 4s}", "False", ago(0));
    world.startTtl();
    world.patch(lowered, "{\"spec\": {\"retention\": {\"ttlAfterFailed\": \"1s\"}}}");
    world.patch(raised, "{\"spec\": {\"retention\": {\"ttlAfterFailed\": \"15s\"}}}");
    world.assertOnly("b");
    world.clock.advance(Duration.ofSeconds(10));
    world.assertOnly("b");
    world.clock.advance(Duration.ofSeconds(3));
    world.assertOnly();
  }

  @Test
  void agesAreThoseOfTheConditionAcrossARestart() {
    world.finished("a", null, "{ttlAfterFailed: 16s}", "False", ago(0));
    world.startTtl();
    world.clock.advance(Duration.ofSeconds(12));
    world.assertOnly("a");
    world.stop();
    world.startTtl();
    world.clock.advance(Duration.ofSeconds(3));
    world.assertOnly();
  }

  @Test
  void ofASetThatIsBeingDeletedNothingIsCleanedUp() {
    var ers = world.createSet("linux", "{}");
    world.patch(world.set("linux"), "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    world.finished("a", ers, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.kube.resource(world.set("linux")).delete();
    world.startTtl();
    world.assertOnly("a");
    assertThat(world.requests("delete")).isZero();
  }

  @Test
  void aRetainedRunnerStaysUntilTheAnnotationGoes() {
    var runner = world.running("a", null, "{ttlAfterFailed: 0s}");
    world.patch(
        runner, "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}".formatted(Labels.RETAIN));
    world.finish(runner, "False", ago(60));
    world.startTtl();
    world.assertOnly("a");
    world.patch(
        runner, "{\"metadata\": {\"annotations\": {\"%s\": null}}}".formatted(Labels.RETAIN));
    world.assertOnly();
  }

  @Test
  void oneHeldByItsFinalizerIsNotAskedForAgain() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.hold("a");
    world.finished("b", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.startTtl();
    world.assertOnly("a");
    assertThat(world.requests("delete")).isEqualTo(1);
  }

  @Test
  void aLabelAloneMakesNoSet() {
    world.createSet("linux", "{}");
    world.patch(world.set("linux"), "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    var labelled = world.running("a", null, "{ttlAfterFailed: 0s}");
    world.patch(
        labelled, "{\"metadata\": {\"labels\": {\"%s\": \"linux\"}}}".formatted(Labels.SET));
    world.finish(labelled, "False", ago(60));
    world.kube.resource(world.set("linux")).delete();
    world.startTtl();
    world.assertOnly();
    assertThat(world.counted("ttl", "failed")).as("not under the set's name").isZero();
    assertThat(world.kube.v1().events().inNamespace("default").list().getItems()).isEmpty();
  }

  @Test
  void aRunnerOfAnEarlierSetOfTheNameIsNotThatOfThisOne() {
    var ers = world.createSet("linux", "{}");
    world.patch(world.set("linux"), "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    var theirs = world.running("a", ers, "{ttlAfterFailed: 0s}");
    world.patch(
        theirs,
        "{\"metadata\": {\"annotations\": {\"%s\": \"earlier\"}}}".formatted(Labels.SET_UID));
    world.finish(theirs, "False", ago(60));
    world.kube.resource(world.set("linux")).delete();
    world.startTtl();
    world.assertOnly();
  }

  @Test
  void oneThatChangedMeanwhileIsTriedAgain() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.failNextDeletion(409);
    world.startTtl();
    world.assertOnly();
    assertThat(world.requests("delete")).isEqualTo(2);
  }

  @Test
  void oneThatCannotBeDeletedIsReported() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.failNextDeletion(403);
    world.startTtl();
    world.assertOnly("a");
    assertThat(world.warnings("EphemeralRunner").getFirst()).startsWith("RetentionFailed");
    assertThat(world.requests("delete")).as("not asked for in a loop").isEqualTo(1);
  }

  @Test
  void aRunnerOfTheSameNameOrOfAnotherStateIsNotHit() {
    var seen = world.finished("a", null, "{ttlAfterFailed: 1m}", "False", ago(0));
    world.startTtl();
    world.round();
    world.clock.advance(Duration.ofMinutes(2));
    world.falsifyCache(meta -> meta.setResourceVersion("1"));
    world.roundOnFalseCache();
    assertThat(world.runners()).as("another state").containsExactly("a");
    world.falsifyCache(meta -> {
      meta.setResourceVersion(world.kube.resource(seen).get().getMetadata().getResourceVersion());
      meta.setUid("earlier");
    });
    world.clock.advance(Duration.ofSeconds(1));
    world.roundOnFalseCache();
    assertThat(world.runners()).as("another runner").containsExactly("a");
    assertThat(world.requests("delete")).isEqualTo(2);
    assertThat(
            Exposition.of(world.meters::snapshots)
                .lines("runnerset_finished_runners_deleted_total"))
        .as("counted on success only")
        .isEmpty();
  }

  @Test
  void afterAFailedRoundTheNextOneComesLater() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.finished("b", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.startTtl();
    world.failRound();
    world.round();
    assertThat(world.requests("delete")).isEqualTo(1);
    world.clock.advance(Duration.ofSeconds(1));
    world.assertOnly();
  }

  @Test
  void thoseThatExpireTogetherAreReportedByOneEvent() {
    var ers = world.createSet("linux", "{}");
    for (int i = 0; i < 30; i++) {
      world.finished("r-%04d".formatted(i), ers, "{ttlAfterFailed: 1s}", "False", ago(600));
    }
    world.startTtl();
    world.round();
    assertThat(world.pauses).isEqualTo(30);
    assertThat(world.runners()).isEmpty();
    assertThat(world.counted("ttl", "failed")).isEqualTo(30);
    var events = world.kube.v1().events().inNamespace("default").list().getItems();
    assertThat(events).as("one event, counted").hasSize(1);
    assertThat(events.getFirst().getReason()).isEqualTo("RunnerRetentionExpired");
    assertThat(events.getFirst().getType()).isEqualTo("Normal");
    assertThat(events.getFirst().getInvolvedObject().getKind()).isEqualTo("AutoScalingRunnerSet");
  }
}
