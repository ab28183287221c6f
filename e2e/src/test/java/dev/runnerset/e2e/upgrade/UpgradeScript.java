package dev.runnerset.e2e.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Bars;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.ProgramLease;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Programs and kinds are replaced one by one while jobs come: the version before, each pair of both
 * versions, and this version.
 */
final class UpgradeScript {
  private static final int WARM = 2;
  private static final int RUNNERS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration REPORTED = Duration.ofSeconds(60);
  private static final double REPORTED_SECONDS = 30;

  private static final Stage OLD = new Stage("nothing", "old-controller-old-listener", "");
  private static final Stage CONTROLLER =
      new Stage("controller", "new-controller-old-listener", "new-controller-after-old");
  private static final Stage LISTENER =
      new Stage("listener", "new-controller-new-listener", "new-listener-after-old");
  private static final Stage BACK =
      new Stage("controller-back", "old-controller-new-listener", "old-controller-after-new");
  private static final Stage AGAIN =
      new Stage("controller-again", "both-new-again", "new-controller-after-old-again");

  /** How far it goes. */
  enum Way {
    FORTH,
    /** Also each pair of versions once more, and the former controller again in between. */
    FORTH_AND_BACK
  }

  private final World world;
  private final Progress progress;
  private final Way way;
  private final UpgradeJobs jobs;
  private final WrittenFields fields;
  private final Former former = Former.ofEnvironment();
  private final SoftAssertions softly = new SoftAssertions();

  private UpgradeScript(World world, Progress progress, Way way) {
    this.world = world;
    this.progress = progress;
    this.way = way;
    fields = new WrittenFields(world.kube());
    jobs = new UpgradeJobs(world, fields, softly);
  }

  /** Plays it in a world of its own. */
  static void play(Cluster cluster, Path folder, Way way) throws IOException {
    var figures =
        Play.run(
            cluster,
            Play.SETTING,
            folder,
            (world, progress) -> new UpgradeScript(world, progress, way).run());
    assertThat(figures.runners().created())
        .as("runners: one a job, and the warm ones")
        .isEqualTo(figures.jobs().submitted() + WARM);
  }

  private void run() {
    apply(former.kinds());
    var oldController = former.in(world.moreControllers("controller-before"));
    var oldListener = former.in(world.moreListeners("listener-before"));
    progress.step("both programs of the version before: " + former.words());
    oldController.start();
    oldListener.start();
    world.make(WARM, RUNNERS);
    jobs.keepFinishedRunners();
    world.awaitReady(WARM);
    if (way == Way.FORTH_AND_BACK) {
      whileJobsCome(OLD, () -> {});
    }
    var before = identities();

    replace(CONTROLLER, ProgramLease.CONTROLLER, oldController, world.controller());
    Bars.within(softly, REPORTED_SECONDS, untilReported(true), "older kinds are reported");
    progress.step("the kinds of this version, each with a field that neither version knows");
    apply(WrittenFields.withLater(Former.kinds(Crds.yaml())));
    Bars.within(softly, REPORTED_SECONDS, untilReported(false), "newer kinds heal");
    replace(LISTENER, ProgramLease.LISTENER, oldListener, world.listener());
    world.settle(REPORTED, () -> protocolLevel() == ProtocolLevel.OURS);
    softly.assertThat(protocolLevel()).as("the listener's level").isEqualTo(ProtocolLevel.OURS);
    int later = fields.writeLater();
    if (way == Way.FORTH_AND_BACK) {
      var again = former.in(world.moreControllers("controller-back"));
      replace(BACK, ProgramLease.CONTROLLER, world.controller(), again);
      replace(AGAIN, ProgramLease.CONTROLLER, again, world.controller());
    }

    softly.assertThat(identities()).as("objects that stay the same").containsAll(before);
    softly.assertThat(fields.later()).as("fields-that-neither-knows-stay").isEqualTo(later);
    softly.assertThat(world.rollouts().revisions()).as("no rollout").hasSize(1);
    softly
        .assertThat(world.service().counters().getOrDefault("removeRunner", 0L))
        .as("removal requests")
        .isZero();
    softly.assertAll();
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
      jobs.during(stage, change);
    } catch (DemoException e) {
      throw new DemoException(stage.pair() + ": " + e.getMessage());
    }
  }

  /** Seconds until the set says that its kinds are too old, or no longer; null for never. */
  private @Nullable Double untilReported(boolean wanted) {
    var begin = world.now();
    world.settle(REPORTED, () -> isReported() == wanted);
    return isReported() == wanted ? Times.seconds(begin, world.now()) : null;
  }

  private boolean isReported() {
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
