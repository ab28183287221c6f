package dev.runnerset.demo;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Programs and kinds are replaced one by one while jobs come: the version before, each mixture of
 * both, this version, and the controller of the version before once more.
 */
final class UpgradeScript {
  private static final int WARM = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TOLD = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofSeconds(6);

  private final World world;
  private final Progress progress;
  private final int jobs;
  private final Former former = Former.ofEnvironment();
  private final List<Findings.Change> changes = new ArrayList<>();

  UpgradeScript(World world, Progress progress, int jobs) {
    this.world = world;
    this.progress = progress;
    this.jobs = jobs;
  }

  Findings.Upgrade run(int runners) {
    apply(former.kinds());
    var oldController = world.moreControllers("controller-before").of(former.classPath());
    var oldListener = world.moreListeners("listener-before").of(former.classPath());
    progress.step("both programs of the version before: " + former.words());
    oldController.start();
    oldListener.start();
    world.make(WARM, runners);
    world.awaitReady(WARM);
    whileJobsCome("nothing", () -> {});
    var before = identities();

    replace("controller", oldController, world.controller());
    var told = untilTold(true);
    progress.step("the kinds of this version");
    apply(Former.kinds(Crds.yaml()));
    var healed = untilTold(false);
    replace("listener", oldListener, world.listener());
    world.settle(TOLD, () -> protocolLevel() == ProtocolLevel.OURS);
    long level = protocolLevel();
    var again = world.moreControllers("controller-back").of(former.classPath());
    replace("controller-back", world.controller(), again);
    replace("controller-again", again, world.controller());

    world.awaitIdle(WARM);
    var counters = world.service().counters();
    return new Findings.Upgrade(
        changes,
        told,
        healed,
        level,
        before.stream().filter(uid -> !identities().contains(uid)).count(),
        world.rollouts().revisions().size(),
        counters.getOrDefault("removeRunner", 0L));
  }

  /** As a Deployment does: the next process is there before the former is asked to end. */
  private void replace(String what, Program former, Program next) {
    next.start();
    world.await("the new process has started", PATIENCE, next::hasStarted, next::lastLines);
    whileJobsCome(what, former::close);
  }

  private void whileJobsCome(String what, Runnable change) {
    progress.step("jobs of 1 s, and in the midst of them goes: " + what);
    var control = world.service();
    var ids = new ArrayList<>(control.submit(JobRequest.of(4, World.SET, LONG)));
    var stream = JobRequest.of(jobs, World.SET, Duration.ofSeconds(1)).withSpread(LONG);
    ids.addAll(control.submit(stream));
    world.awaitBusy(1);
    var begin = world.now();
    change.run();
    long taken = Duration.between(begin, world.now()).toMillis();
    world.awaitJobsDone(PATIENCE);
    changes.add(new Findings.Change(what, longestWaitMs(ids), taken));
  }

  private long longestWaitMs(List<UUID> ids) {
    return world.service().jobs().stream()
        .filter(job -> ids.contains(job.id()))
        .map(UpgradeScript::waited)
        .max(Comparator.naturalOrder())
        .orElseThrow()
        .toMillis();
  }

  private static Duration waited(JobView job) {
    return Duration.between(job.queued(), job.started());
  }

  /** Milliseconds until the set says that its kinds are too old, or no longer; -1 for never. */
  private long untilTold(boolean wanted) {
    Instant begin = world.now();
    world.settle(TOLD, () -> isTold() == wanted);
    return isTold() == wanted ? Duration.between(begin, world.now()).toMillis() : -1;
  }

  private boolean isTold() {
    var set = world.set();
    return set != null
        && StatusConditions.isTrue(set.statusOrNone().conditions(), ConditionType.UPGRADE_REQUIRED);
  }

  /** What must be the same object from the first to the last. */
  private Set<String> identities() {
    var objects = new ArrayList<HasMetadata>();
    objects.addAll(
        world.kube().resources(AutoScalingRunnerSet.class).inAnyNamespace().list().getItems());
    var ers = world.runnerSet();
    if (ers != null) {
      objects.add(ers);
    }
    objects.addAll(listeners());
    return objects.stream().map(o -> o.getMetadata().getUid()).collect(Collectors.toSet());
  }

  private List<AutoScalingListener> listeners() {
    return world.kube().resources(AutoScalingListener.class).inAnyNamespace().list().getItems();
  }

  private long protocolLevel() {
    return listeners().stream()
        .mapToInt(asl -> {
          var level = asl.statusOrNone().protocolLevel();
          return level == null ? 0 : level;
        })
        .max()
        .orElse(0);
  }

  private void apply(List<CustomResourceDefinition> kinds) {
    for (var kind : kinds) {
      var there = world.kube().resource(kind).get();
      if (there == null) {
        var _ = world.kube().resource(kind).create();
      } else {
        kind.getMetadata().setResourceVersion(there.getMetadata().getResourceVersion());
        var _ = world.kube().resource(kind).update();
      }
    }
  }
}
