package dev.runnerset.demo.scenario;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.ScaleSetView;
import java.time.Duration;
import java.util.Objects;

/** The set of the demo, and one with the same label in another namespace. */
record TwoSets(World world) {
  static final String SPARE = "spare";
  private static final String ELSEWHERE = "runners-elsewhere";
  private static final String LABEL = "shared";

  /** Makes the set of the demo. */
  void makeFirst(String fields) {
    make(World.NAMESPACE, World.SET, fields);
  }

  /** Makes the other one. */
  void makeSpare(String fields) {
    world.prepare(ELSEWHERE);
    make(ELSEWHERE, SPARE, fields);
  }

  private void make(String namespace, String name, String fields) {
    world.makeSet(
        namespace,
        name,
        world.configUrl("my-org"),
        "labels: [%s], minRunners: 0, %s".formatted(LABEL, fields),
        World.CONTAINER);
    world.awaitListening(name);
  }

  /** Jobs that both may run. */
  void submit(int jobs, Duration length) {
    var _ = world.service().submit(JobRequest.of(jobs, LABEL, length));
  }

  void awaitCapacity(String set, int number) {
    world.await(
        "the set " + set + " offers " + number + " places",
        Duration.ofSeconds(60),
        () -> capacity(set) == number,
        () -> "it offers " + capacity(set) + "; " + world.readyMessage());
  }

  /** What the set offered with its last poll; -1 before the first one. */
  int capacity(String set) {
    return Objects.requireNonNullElse(scaleSet(set).capacity(), -1);
  }

  /** How many JIT configs were made so far. */
  long jitConfigs() {
    return world.service().counters().getOrDefault("generatejitconfig", 0L);
  }

  int assigned(String set) {
    return scaleSet(set).statistics().assigned();
  }

  private ScaleSetView scaleSet(String name) {
    return world.service().scaleSets().stream()
        .filter(set -> set.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Whether the set of the demo says that this limits it, with these words. */
  boolean isLimitedBy(String reason, String words) {
    return StatusConditions.find(world.status().conditions(), ConditionType.CAPACITY_LIMITED)
        .filter(condition -> reason.equals(condition.getReason()))
        .filter(condition -> StatusConditions.message(condition).contains(words))
        .isPresent();
  }

  void deleteSpare() {
    var spare =
        world.kube().resources(AutoScalingRunnerSet.class).inNamespace(ELSEWHERE).withName(SPARE);
    var _ = spare.delete();
    world.await(
        "the other set is deleted",
        Duration.ofSeconds(60),
        () -> spare.get() == null,
        () -> "it is there");
  }
}
