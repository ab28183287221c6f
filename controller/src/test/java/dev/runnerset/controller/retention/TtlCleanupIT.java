package dev.runnerset.controller.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.retention.rules.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The TTL controller alone against the API server: a test for each predicate. */
final class TtlCleanupIT {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration QUIET = Duration.ofSeconds(2);
  private final RetentionWorld world = new RetentionWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private static Duration ago(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private void awaitOnly(String... names) {
    await().atMost(SOON).untilAsserted(() -> assertThat(world.runners()).containsExactly(names));
    await()
        .during(QUIET)
        .atMost(SOON)
        .untilAsserted(() -> assertThat(world.runners()).containsExactly(names));
  }

  @Test
  void atAStartOnlyFinishedOnesWhoseTimeIsOverGo() {
    world.finished("a-expired", null, "{ttlAfterFailed: 5s}", "False", ago(60));
    world.finished("b-other-bucket", null, "{ttlAfterSucceeded: 5s}", "False", ago(60));
    world.finished("c-no-ttl", null, "{}", "False", ago(9_999));
    world.finished("d-later", null, "{ttlAfterFailed: 1h}", "False", ago(60));
    world.running("e-running", null, "{ttlAfterFailed: 0s, ttlAfterSucceeded: 0s}");
    world.startTtl(new DeletePace());
    awaitOnly("b-other-bucket", "c-no-ttl", "d-later", "e-running");
    assertThat(world.requests("delete")).isEqualTo(1);
    assertThat(world.requests("patch")).as("e2: it is no Cleaner").isZero();
  }

  @Test
  void anEndIsSeenThoughNoGenerationChanges() {
    var ers = world.createSet("linux", "{}");
    var failing = world.running("a", ers, "{ttlAfterFailed: 0s}");
    var succeeding = world.running("b", ers, "{ttlAfterFailed: 0s}");
    world.startTtl(new DeletePace());
    world.finish(failing, "Unknown", ago(0));
    await().during(QUIET).atMost(SOON).until(() -> world.runners().size() == 2);
    world.finish(failing, "False", ago(0));
    world.finish(succeeding, "True", ago(0));
    awaitOnly("b");
    assertThat(world.counted("ttl", "failed")).isEqualTo(1);
    assertThat(world.counted("ttl", "succeeded")).isZero();
  }

  @Test
  void aLoweredTimeCountsAtOnceAndARaisedOneOutlivesItsTimer() {
    var lowered = world.finished("a", null, "{ttlAfterFailed: 1h}", "False", ago(30));
    var raised = world.finished("b", null, "{ttlAfterFailed: 4s}", "False", ago(0));
    world.startTtl(new DeletePace());
    world.patch(lowered, "{\"spec\": {\"retention\": {\"ttlAfterFailed\": \"1s\"}}}");
    world.patch(raised, "{\"spec\": {\"retention\": {\"ttlAfterFailed\": \"15s\"}}}");
    await().atMost(SOON).until(() -> !world.runners().contains("a"));
    await()
        .during(Duration.ofSeconds(5))
        .atMost(Duration.ofSeconds(7))
        .until(() -> world.runners().contains("b"));
    await().atMost(Duration.ofSeconds(30)).until(() -> world.runners().isEmpty());
  }

  @Test
  void agesAreThoseOfTheConditionAcrossARestart() {
    world.finished("a", null, "{ttlAfterFailed: 16s}", "False", ago(0));
    var at = Instant.now();
    world.startTtl(new DeletePace());
    await().atMost(Duration.ofSeconds(20)).until(() -> Instant.now().isAfter(at.plusSeconds(12)));
    assertThat(world.runners()).isNotEmpty();
    world.stop();
    world.startTtl(new DeletePace());
    await().atMost(Duration.ofSeconds(20)).until(() -> world.runners().isEmpty());
    assertThat(Duration.between(at, Instant.now()))
        .as("not 16 s from the restart, which came after 12 s")
        .isBetween(Duration.ofSeconds(14), Duration.ofSeconds(27));
  }

  @Test
  void ofASetThatIsBeingDeletedNothingIsCleanedUp() {
    var ers = world.createSet("linux", "{}");
    world.patch(world.set("linux"), "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    world.finished("a", ers, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.kube.resource(world.set("linux")).delete();
    world.startTtl(new DeletePace());
    await().during(QUIET).atMost(SOON).until(() -> world.runners().equals(List.of("a")));
    assertThat(world.requests("delete")).isZero();
  }

  @Test
  void aRetainedRunnerStaysUntilTheAnnotationGoes() {
    var runner = world.running("a", null, "{ttlAfterFailed: 0s}");
    world.patch(
        runner, "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}".formatted(Labels.RETAIN));
    world.finish(runner, "False", ago(60));
    world.startTtl(new DeletePace());
    await().during(QUIET).atMost(SOON).until(() -> world.runners().equals(List.of("a")));
    world.patch(
        runner, "{\"metadata\": {\"annotations\": {\"%s\": null}}}".formatted(Labels.RETAIN));
    await().atMost(SOON).until(() -> world.runners().isEmpty());
  }

  @Test
  void oneHeldByItsFinalizerIsNotAskedForAgain() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.hold("a");
    world.finished("b", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.startTtl(new DeletePace());
    awaitOnly("a");
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
    world.startTtl(new DeletePace());
    await().atMost(SOON).until(() -> world.runners().isEmpty());
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
    world.startTtl(new DeletePace());
    await().atMost(SOON).until(() -> world.runners().isEmpty());
  }

  @Test
  void oneThatChangedMeanwhileIsLookedAtAgain() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.failNextDeletion(409);
    world.startTtl(new DeletePace());
    await().atMost(SOON).until(() -> world.runners().isEmpty());
    assertThat(world.requests("delete")).isEqualTo(2);
  }

  @Test
  void oneThatCannotBeDeletedIsTold() {
    world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    world.failNextDeletion(403);
    world.startTtl(new DeletePace());
    await().atMost(SOON).until(() -> !world.warnings("EphemeralRunner").isEmpty());
    assertThat(world.warnings("EphemeralRunner").getFirst()).startsWith("RetentionFailed");
    awaitOnly("a");
    assertThat(world.requests("delete")).as("not asked for in a loop").isEqualTo(1);
  }

  @Test
  void aRunnerOfTheSameNameOrOfAnotherStateIsNotHit() {
    var seen = world.finished("a", null, "{ttlAfterFailed: 0s}", "False", ago(60));
    var stale = world.kube.resource(seen).get();
    world.patch(seen, "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}");
    var deleter =
        new FinishedRunnerDeleter(
            new dev.runnerset.kube.KubeApi(world.kube), (about, reason, text) -> {}, world.meters);
    var ttl = DeletedFor.TTL;
    assertThat(deleter.delete(stale, RunnerOutcome.FAILED, ttl, null))
        .as("resourceVersion")
        .isEqualTo(FinishedRunnerDeleter.Answer.CHANGED);
    world.kube.resource(seen).delete();
    EphemeralRunner again = world.running("a", null, "{}");
    var mixed = world.kube.resource(again).get();
    mixed.getMetadata().setUid(stale.getMetadata().getUid());
    assertThat(deleter.delete(mixed, RunnerOutcome.FAILED, ttl, null))
        .as("uid")
        .isEqualTo(FinishedRunnerDeleter.Answer.CHANGED);
    assertThat(world.runners()).containsExactly("a");
    assertThat(world.meters.exposition()).as("counted on success only").doesNotContain("finished");
  }

  @Test
  void aThousandExpiredAtAStartGoAtAnEvenPace() {
    var ers = world.createSet("linux", "{}");
    for (int i = 0; i < 1000; i++) {
      world.finished("r-%04d".formatted(i), ers, "{ttlAfterFailed: 1s}", "False", ago(600));
    }
    var between = Duration.ofMillis(5);
    Paced.await(world, () -> world.startTtl(new DeletePace(between, 4)), 1000, between);
    assertThat(world.runners()).isEmpty();
    assertThat(world.counted("ttl", "failed")).isEqualTo(1000);
    var events = world.kube.v1().events().inNamespace("default").list().getItems();
    assertThat(events).as("one event, counted").hasSize(1);
    assertThat(events.getFirst().getReason()).isEqualTo("RunnerRetentionExpired");
    assertThat(events.getFirst().getType()).isEqualTo("Normal");
    assertThat(events.getFirst().getInvolvedObject().getKind()).isEqualTo("AutoScalingRunnerSet");
  }
}
