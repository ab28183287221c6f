package dev.runnerset.demo.scenario;

import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobView;
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
  private static final Duration LENGTH = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final World world;
  private final Progress progress;
  private final Found found;
  private final TwoSets sets;
  private int most;
  private @Nullable Instant spareHasTheRest;

  QuotaScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
    sets = new TwoSets(world);
  }

  Found run(int jobs, int room) {
    world.start();
    world.prepare();
    quota(room);
    progress.step("a set in a namespace with room for " + room + " pods");
    sets.makeFirst("maxRunners: " + 2 * jobs);
    sets.awaitCapacity(World.SET, room);
    sets.makeSpare("maxRunners: " + (jobs - room));
    sets.awaitCapacity(TwoSets.SPARE, jobs - room);
    long changes = changesOfTheNumber();
    progress.step(jobs + " jobs that both sets may run");
    burst(jobs, room);
    progress.step("5 jobs more, for the first set alone");
    world.submit(5, LENGTH);
    world.settle(() -> sets.isLimitedBy("Quota", "few"));
    found.isTrue(
        "quotaNamed",
        "the-status-names-the-quota-while-jobs-wait",
        sets.isLimitedBy("Quota", "few"));
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
        .equal("warmNumber", "the-number-stays-while-they-fill-it", room, sets.capacity(World.SET));
    world.minRunners(0);
    world.awaitNoRunners(Duration.ofSeconds(60));
    sets.deleteSpare();
    return found;
  }

  /** Until the second set has the jobs for which the first one has no room. */
  private void burst(int jobs, int room) {
    var begun = world.now();
    sets.submit(jobs, LENGTH);
    world.settle(
        Duration.ofSeconds(15),
        () -> {
          most = Math.max(most, sets.assigned(World.SET));
          if (spareHasTheRest == null && sets.assigned(TwoSets.SPARE) == jobs - room) {
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

  private Duration fromFirstToLast() {
    var jobs = world.service().jobs();
    var first = jobs.stream().map(JobView::queued).min(Instant::compareTo).orElseThrow();
    var last = jobs.stream().map(JobView::completed).max(Instant::compareTo).orElseThrow();
    return Duration.between(first, last);
  }
}
