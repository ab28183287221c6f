package dev.runnerset.controller.features.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limit controller alone against the API server: a test for each predicate. */
final class LimitCleanupIT {
  private final RetentionWorld world = new RetentionWorld();

  @AfterEach
  void close() {
    world.close();
  }

  /** Equal creation seconds go by name, so the names are in the order of creation. */
  private void finished(EphemeralRunnerSet ers, String succeeded, String... names) {
    for (var name : names) {
      world.finished(name, ers, "{}", succeeded, Duration.ZERO);
    }
  }

  private void limit(String retention) {
    world.patch(world.set("linux"), "{\"spec\": {\"retention\": %s}}".formatted(retention));
  }

  @Test
  void atAStartTheSurplusOfEachBucketGoesOldestFirst() {
    var ers = world.createSet("linux", "{failedLimit: 2, succeededLimit: 1}");
    finished(ers, "False", "f1", "f2", "f3");
    finished(ers, "True", "s1", "s2");
    world.running("x-running", ers, "{}");
    world.startLimits();
    world.assertOnly("f2", "f3", "s2", "x-running");
    assertThat(world.counted("limit", "failed")).isEqualTo(1);
    assertThat(world.counted("limit", "succeeded")).isEqualTo(1);
    assertThat(world.requests("patch")).as("e2: it is no Cleaner").isZero();
  }

  @Test
  void aLimitThatIsIntroducedOrLoweredCountsAtOnceARaisedOneForNothing() {
    var ers = world.createSet("linux", "{ttlAfterSucceeded: 1h}");
    finished(ers, "True", "s1", "s2", "s3", "s4");
    world.startLimits();
    world.assertOnly("s1", "s2", "s3", "s4");
    limit("{\"succeededLimit\": 3}");
    world.assertOnly("s2", "s3", "s4");
    limit("{\"succeededLimit\": 9}");
    world.assertOnly("s2", "s3", "s4");
    limit("{\"succeededLimit\": 1}");
    world.assertOnly("s4");
  }

  @Test
  void aLimitThatIsRemovedTakesNoneOfThoseThatItKept() {
    var ers = world.createSet("linux", "{failedLimit: 5}");
    var kept = new String[] {"f1", "f2", "f3", "f4", "f5"};
    finished(ers, "False", kept);
    for (var name : kept) {
      world.keptByRule(name);
    }
    world.startLimits();
    limit("null");
    world.assertOnly(kept);
  }

  @Test
  void aRunnerThatFinishesCountsIfItIsOfASet() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    finished(ers, "True", "a");
    var next = world.running("b", ers, "{}");
    world.startLimits();
    world.assertOnly("a", "b");
    world.finish(next, "True", Duration.ZERO);
    world.assertOnly("b");
  }

  @Test
  void standaloneRunnersAndThoseThatOnlyBearTheLabelAreNotCounted() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    var other = world.createSet("windows", "{}");
    finished(null, "True", "alone-1", "alone-2");
    var labelled = world.running("labelled", null, "{}");
    world.patch(
        labelled, "{\"metadata\": {\"labels\": {\"%s\": \"linux\"}}}".formatted(Labels.SET));
    var theirs = world.running("theirs", other, "{}");
    world.patch(theirs, "{\"metadata\": {\"labels\": {\"%s\": \"linux\"}}}".formatted(Labels.SET));
    world.finish(labelled, "True", Duration.ZERO);
    world.finish(theirs, "True", Duration.ZERO);
    finished(ers, "True", "own-1", "own-2");
    world.startLimits();
    world.assertOnly("alone-1", "alone-2", "labelled", "own-2", "theirs");
  }

  @Test
  void aRetainedOneNeitherGoesNorCounts() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    var kept = world.running("a", ers, "{}");
    world.patch(
        kept, "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}".formatted(Labels.RETAIN));
    world.finish(kept, "True", Duration.ZERO);
    finished(ers, "True", "b", "c");
    world.startLimits();
    world.assertOnly("a", "c");
    world.patch(kept, "{\"metadata\": {\"annotations\": {\"%s\": null}}}".formatted(Labels.RETAIN));
    world.assertOnly("c");
  }

  @Test
  void ofASetThatIsBeingDeletedNothingIsCleanedUp() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    world.patch(world.set("linux"), "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    finished(ers, "True", "a", "b", "c");
    world.kube.resource(world.set("linux")).delete();
    world.startLimits();
    world.assertOnly("a", "b", "c");
    assertThat(world.requests("delete")).isZero();
  }

  @Test
  void aNewLeaderFindsWhatFinishedWhileNobodyRan() {
    var ers = world.createSet("linux", "{succeededLimit: 2}");
    world.startLimits();
    finished(ers, "True", "a", "b");
    world.stop();
    finished(ers, "True", "c", "d");
    assertThat(world.runners()).hasSize(4);
    world.startLimits();
    world.assertOnly("c", "d");
  }

  @Test
  void oneHeldByItsFinalizerNeitherGoesNorCounts() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    finished(ers, "True", "a", "b", "c");
    world.hold("a");
    world.startLimits();
    world.assertOnly("a", "c");
    assertThat(world.requests("delete")).as("not asked for again").isEqualTo(1);
  }

  @Test
  void oneThatCannotBeDeletedHoldsUpNoneOfTheOthersAndIsReported() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    finished(ers, "True", "a", "b", "c", "d");
    world.failNextDeletion(403);
    world.startLimits();
    world.assertOnly("a", "d");
    assertThat(world.requests("delete")).as("not asked for in a loop").isEqualTo(3);
    assertThat(world.refused("limit", "succeeded")).isEqualTo(1);
    world.clock.advance(Duration.ofMinutes(1));
    world.assertOnly("d");
    assertThat(world.warnings("AutoScalingRunnerSet"))
        .singleElement()
        .asString()
        .startsWith("RetentionFailed")
        .contains("runner a");
  }

  @Test
  void oneThatChangedMeanwhileIsTriedAgain() {
    var ers = world.createSet("linux", "{succeededLimit: 1}");
    finished(ers, "True", "a", "b");
    world.failNextDeletion(409);
    world.startLimits();
    world.assertOnly("b");
    assertThat(world.requests("delete")).isEqualTo(2);
  }

  @Test
  void theControllerPausesBetweenDeletions() {
    var ers = world.createSet("linux", "{failedLimit: 10}");
    for (int i = 0; i < 110; i++) {
      world.finished("r-%04d".formatted(i), ers, "{}", "False", Duration.ZERO);
    }
    world.startLimits();
    world.round();
    assertThat(world.pauses).isEqualTo(100);
    assertThat(world.runners()).hasSize(10).first().isEqualTo("r-0100");
    assertThat(world.counted("limit", "failed")).isEqualTo(100);
    assertThat(world.requests("delete")).as("none is asked for twice").isEqualTo(100);
  }
}
