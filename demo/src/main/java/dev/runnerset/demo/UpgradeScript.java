package dev.runnerset.demo;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.Findings.Stage;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Programs and kinds are replaced one by one while jobs come: the version before, each pair of both
 * versions, and this version.
 */
final class UpgradeScript {
  private static final int WARM = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TOLD = Duration.ofSeconds(60);

  private static final Stage OLD = new Stage("nothing", "old-controller-old-listener", "");
  private static final Stage CONTROLLER =
      new Stage("controller", "new-controller-old-listener", "new-controller-after-old");
  private static final Stage LISTENER =
      new Stage("listener", "new-controller-new-listener", "new-listener-after-old");
  private static final Stage BACK =
      new Stage("controller-back", "old-controller-new-listener", "old-controller-after-new");
  private static final Stage AGAIN =
      new Stage("controller-again", "both-new-again", "new-controller-after-old-again");

  private final World world;
  private final Progress progress;
  private final UpgradeJobs jobs;
  private final WrittenFields fields;
  private final Former former = Former.ofEnvironment();
  private final List<Findings.Change> changes = new ArrayList<>();

  UpgradeScript(World world, Progress progress, int jobs) {
    this.world = world;
    this.progress = progress;
    fields = new WrittenFields(world.kube());
    this.jobs = new UpgradeJobs(world, fields, jobs);
  }

  Findings.Upgrade run(int runners) {
    apply(former.kinds());
    var oldController = world.moreControllers("controller-before").of(former.classPath());
    var oldListener = world.moreListeners("listener-before").of(former.classPath());
    progress.step("both programs of the version before: " + former.words());
    oldController.start();
    oldListener.start();
    world.make(WARM, runners);
    jobs.keepFinishedRunners();
    world.awaitReady(WARM);
    whileJobsCome(OLD, () -> {});
    var before = identities();

    replace(CONTROLLER, ProgramLease.CONTROLLER, oldController, world.controller());
    var told = untilTold(true);
    progress.step("the kinds of this version, each with a field that neither version knows");
    apply(WrittenFields.withLater(Former.kinds(Crds.yaml())));
    var healed = untilTold(false);
    replace(LISTENER, ProgramLease.LISTENER, oldListener, world.listener());
    world.settle(TOLD, () -> protocolLevel() == ProtocolLevel.OURS);
    long level = protocolLevel();
    int later = fields.writeLater();
    var again = world.moreControllers("controller-back").of(former.classPath());
    replace(BACK, ProgramLease.CONTROLLER, world.controller(), again);
    replace(AGAIN, ProgramLease.CONTROLLER, again, world.controller());

    var counters = world.service().counters();
    var after = identities();
    return new Findings.Upgrade(
        changes,
        new Findings.Kinds(told, healed, level),
        new Findings.Stayed(
            before.stream().filter(uid -> !after.contains(uid)).count(),
            later - fields.later(),
            world.rollouts().revisions().size(),
            counters.getOrDefault("removeRunner", 0L)));
  }

  /** As a Deployment does: the next process is there before the former is asked to end. */
  private void replace(Stage stage, ProgramLease lease, Program former, Program next) {
    next.start();
    world.await("the new process has started", PATIENCE, next::hasStarted, next::lastLines);
    var holder = lease.holder(world.kube());
    whileJobsCome(
        stage,
        () -> {
          former.close();
          world.await(
              "the new process leads",
              PATIENCE,
              () -> lease.isTakenFrom(holder, world.kube()),
              next::lastLines);
        });
  }

  private void whileJobsCome(Stage stage, Runnable change) {
    progress.step("jobs come, and in the midst of them goes: " + stage.goes());
    try {
      world.awaitIdle(WARM);
      changes.add(jobs.during(stage, change));
    } catch (DemoException e) {
      throw new DemoException(stage.pair() + ": " + e.getMessage());
    }
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

  /** What must be the same object from the first to the last; listener objects got other names. */
  private Set<String> identities() {
    return fields.objects().stream()
        .filter(object -> !(object instanceof AutoScalingListener))
        .map(object -> object.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  private long protocolLevel() {
    return fields.objects(AutoScalingListener.class).stream()
        .map(asl -> asl.statusOrNone().protocolLevel())
        .mapToLong(level -> level == null ? 0 : level)
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
