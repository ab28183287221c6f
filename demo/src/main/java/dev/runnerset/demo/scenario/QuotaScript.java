package dev.runnerset.demo.scenario;

import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.simulator.service.ScaleSetView;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A burst on a set whose namespace has room for a part of it (DM12, DM13). The set takes as many
 * jobs as there is room for; the rest goes to a set with the same label in another namespace.
 */
final class QuotaScript {
  private static final String SPARE = "spare";
  private static final String ELSEWHERE = "runners-elsewhere";
  private static final String LABEL = "shared";
  private static final Duration LENGTH = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final World world;
  private final Progress progress;
  private final Found found;
  private int most;
  private @Nullable Instant spareHasTheRest;

  QuotaScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobs, int room) {
    world.start();
    world.prepare();
    quota(room);
    progress.step("a set in a namespace with room for " + room + " pods");
    makeSet(World.NAMESPACE, World.SET, 2 * jobs);
    awaitCapacity(World.SET, room);
    world.prepare(ELSEWHERE);
    makeSet(ELSEWHERE, SPARE, jobs - room);
    awaitCapacity(SPARE, jobs - room);
    long changes = changesOfTheNumber();
    progress.step(jobs + " jobs that both sets may run");
    burst(jobs, room);
    progress.step("5 jobs more, for the first set alone");
    world.submit(5, LENGTH);
    world.settle(() -> limitedByQuota());
    found.isTrue("quotaNamed", "the-status-names-the-quota-while-jobs-wait", limitedByQuota());
    world.awaitJobsDone(PATIENCE);
    found
        .note("burstMs", fromFirstToLast().toMillis())
        .atMost(
            "changes", "changes-that-cancel-polls-in-the-burst", 5, changesOfTheNumber() - changes);
    world.awaitNoRunners(Duration.ofSeconds(60));
    progress.step(room + " warm runners fill the quota");
    world.minRunners(2 * room);
    world.awaitIdle(room);
    world.pass(Duration.ofSeconds(10));
    found
        .equal("warm", "warm-runners-fill-the-room-and-no-more", room, world.runners().size())
        .equal("warmNumber", "the-number-stays-while-they-fill-it", room, capacity(World.SET));
    world.minRunners(0);
    world.awaitNoRunners(Duration.ofSeconds(60));
    deleteSpare();
    return found;
  }

  /** Until the second set has the jobs for which the first one has no room. */
  private void burst(int jobs, int room) {
    var begun = world.now();
    world.service().submit(JobRequest.of(jobs, LABEL, LENGTH));
    world.settle(
        Duration.ofSeconds(15),
        () -> {
          most = Math.max(most, assigned(World.SET));
          if (spareHasTheRest == null && assigned(SPARE) == jobs - room) {
            spareHasTheRest = world.now();
          }
          return spareHasTheRest != null;
        });
    var then = Objects.requireNonNullElse(spareHasTheRest, Instant.MAX);
    found
        .equal("beyondRoom", "jobs-assigned-beyond-the-room", 0, Math.max(0, most - room))
        .equal(
            "withoutRoom",
            "jobs-that-no-set-had-room-for",
            0,
            world.service().counters().getOrDefault("jobs.withoutRoom", 0L))
        .isTrue(
            "restElsewhere",
            "the-other-set-has-the-rest-within-5-s",
            then.isBefore(begun.plusSeconds(5)));
  }

  private void quota(int pods) {
    world
        .kube()
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("few")
                .withNamespace(World.NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity(String.valueOf(pods)))
                .endSpec()
                .build())
        .createOr(existing -> existing.update());
  }

  private void makeSet(String namespace, String name, int maxRunners) {
    world.makeSet(
        namespace,
        name,
        world.configUrl("my-org"),
        "labels: [%s], minRunners: 0, maxRunners: %d".formatted(LABEL, maxRunners),
        World.CONTAINER);
    world.awaitListening(name);
  }

  private void awaitCapacity(String set, int number) {
    world.await(
        "the set " + set + " offers " + number + " places",
        Duration.ofSeconds(30),
        () -> capacity(set) == number,
        () -> "it offers " + capacity(set) + "; " + world.readyMessage());
  }

  private ScaleSetView scaleSet(String name) {
    return world.service().scaleSets().stream()
        .filter(set -> set.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private int capacity(String set) {
    return Objects.requireNonNullElse(scaleSet(set).capacity(), -1);
  }

  private int assigned(String set) {
    return scaleSet(set).statistics().assigned();
  }

  /** Each change of the listener's spec ends the open poll. */
  private long changesOfTheNumber() {
    return world
        .kube()
        .resources(AutoScalingListener.class)
        .inAnyNamespace()
        .list()
        .getItems()
        .stream()
        .filter(listener ->
            listener
                .getMetadata()
                .getName()
                .equals(ChildNames.listener(World.NAMESPACE, World.SET)))
        .mapToLong(listener -> listener.getMetadata().getGeneration())
        .sum();
  }

  private boolean limitedByQuota() {
    return StatusConditions.find(world.status().conditions(), ConditionType.CAPACITY_LIMITED)
        .filter(condition -> "Quota".equals(condition.getReason()))
        .filter(condition -> StatusConditions.message(condition).contains("few"))
        .isPresent();
  }

  private Duration fromFirstToLast() {
    var jobs = world.service().jobs();
    var first = jobs.stream().map(JobView::queued).min(Instant::compareTo).orElseThrow();
    var last = jobs.stream().map(JobView::completed).max(Instant::compareTo).orElseThrow();
    return Duration.between(first, last);
  }

  private void deleteSpare() {
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
