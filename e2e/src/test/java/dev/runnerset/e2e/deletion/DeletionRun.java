package dev.runnerset.e2e.deletion;

import static dev.runnerset.crds.condition.ConditionType.READY;
import static dev.runnerset.crds.condition.ConditionType.SUCCEEDED;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.e2e.Bars;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import dev.runnerset.e2e.deletion.Deletion.Meanwhile;
import dev.runnerset.e2e.deletion.Deletion.Phase;
import dev.runnerset.e2e.deletion.Deletion.Trait;
import dev.runnerset.e2e.deletion.Deletion.What;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/** One deletion on one set: prepared, then carried out, to the moment at which nothing is left. */
final class DeletionRun {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration REPORTED = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);

  /** Longer than any scenario: it ends when the test says so. */
  private static final Duration JOB = Duration.ofHours(1);

  /** What the garbage collector of the cluster takes for itself. */
  private static final Duration COLLECTED = Duration.ofSeconds(10);

  private static final String KEEP = "retention: {succeededLimit: 5, podPolicy: Keep}";

  private final Deletion deletion;
  private final SeparateSet set;
  private final Sightings seen;
  private final Progress progress;
  private final Clock clock;
  private String subject = "";
  private String said = "";
  private @Nullable Instant deletedAt;
  private @Nullable Instant reportedAt;
  private @Nullable Instant freeAt;
  private @Nullable Instant goneAt;

  /** A run that has not begun. */
  DeletionRun(Deletion deletion, SeparateSet set, Sightings seen, Progress progress, Clock clock) {
    this.deletion = deletion;
    this.set = set;
    this.seen = seen;
    this.progress = progress;
    this.clock = clock;
  }

  Deletion deletion() {
    return deletion;
  }

  SeparateSet set() {
    return set;
  }

  /** Makes the set, and brings it where the deletion is to meet it. */
  void prepare() {
    set.prepare();
    switch (deletion.phase()) {
      case PENDING -> set.podFault(new PodFault.Unschedulable());
      case HANGING -> set.podFault(new PodFault.NeverEnds());
      case UNREGISTERED -> set.serviceFaults(HttpFault.answer("generatejitconfig", 500, -1));
      case UNMARKED -> set.service().control().faults(FaultPlan.NONE.withDropped("JobStarted", 1));
      default -> {}
    }
    if (deletion.phase() == Phase.NEW) {
      return; // the set is made when it is deleted
    }
    set.make(deletion.phase() == Phase.FINISHED ? KEEP : "", "");
    switch (deletion.phase()) {
      case UNREGISTERED -> await("a runner waits for its registration", () -> !runners().isEmpty());
      case PENDING ->
          await("a runner waits for a node", () -> !seen.pods(set.namespace()).isEmpty());
      case IDLE -> await("a runner is idle", () -> idle() == 1);
      case FINISHED -> {
        await("a runner is idle", () -> idle() == 1);
        set.jobs(1, Duration.ofSeconds(1));
        await("a runner has finished", () -> runners().stream().anyMatch(DeletionRun::isOver));
        await("another one is idle", () -> idle() == 1);
      }
      case BUSY, UNMARKED, ROLLOUT, HANGING -> {
        await("a runner is idle", () -> idle() == 1);
        set.jobs(1, JOB);
        await("a runner has the job", () -> isMarkedOrUnmarked() && idle() == 1);
        if (deletion.phase() == Phase.ROLLOUT) {
          set.changeImage();
        } else if (deletion.phase() == Phase.HANGING) {
          endJob();
        }
      }
      case NEW -> throw new IllegalStateException();
    }
  }

  /** The job ends by itself; returns when the service knows that it is over. */
  void endJob() {
    var runner = Objects.requireNonNull(lastJob(), set.name()).runnerName();
    if (!set.world().node().finishJob(set.namespace(), runner)) {
      throw new DemoException(set.name() + ": no runner " + runner + " has the job");
    }
    await("the job is over", set::isDone);
  }

  /** Breaks what is broken meanwhile, and deletes. */
  void delete() {
    switch (deletion.meanwhile()) {
      case SERVICE_DOWN -> set.administrationAnswers(503);
      case CREDENTIALS_REFUSED -> set.administrationAnswers(401);
      case NOTHING, CONTROLLER_KILLED, LISTENER_KILLED, BOTH_KILLED -> {}
    }
    if (deletion.phase() == Phase.NEW) {
      set.make("", "");
      await("the set is made", () -> seen.set(set.namespace()).isPresent());
    }
    var kube = set.world().kube();
    deletedAt = clock.instant();
    switch (deletion.what()) {
      case RUNNER -> {
        var runner = chosen();
        subject = uid(runner);
        kube.resource(runner).delete();
      }
      case POD -> {
        var name = chosen().getMetadata().getName();
        var pod = kube.pods().inNamespace(set.namespace()).withName(name);
        var there = Objects.requireNonNull(pod.get(), name);
        subject = uid(there);
        set.annotate(there, Labels.FORCE_DELETE, "true"); // else its shield holds it (SH2)
        pod.delete();
      }
      case EPHEMERAL_RUNNER_SET -> {
        subject = uid(chosen());
        kube.resources(EphemeralRunnerSet.class).inNamespace(set.namespace()).delete();
      }
      case LISTENER_OBJECT -> {
        var listener = listeners().findFirst().orElseThrow();
        subject = uid(listener);
        kube.resource(listener).delete();
      }
      case SET -> deleteSet();
      case SECRET_AND_SET -> {
        set.deleteSecret();
        deleteSet();
      }
      case SCALE_SET -> set.service().control().deleteScaleSet(set.scaleSet());
      case SCALE_SET_AND_SET -> {
        set.service().control().deleteScaleSet(set.scaleSet());
        deleteSet();
      }
      case NAMESPACE -> {
        subject = uid(seen.set(set.namespace()).orElseThrow());
        set.deleteNamespace();
      }
    }
  }

  private void deleteSet() {
    subject = uid(seen.set(set.namespace()).orElseThrow());
    set.deleteSet();
  }

  /**
   * Waits until the deletion says what it waits for, if it waits.
   *
   * @param runningSince since when both programs run
   */
  void awaitWords(Instant runningSince) {
    freeAt = later(deletedAt, runningSince);
    if (deletion.reported() != null) {
      var _ = until(REPORTED, this::awaitReport);
      if (reportedAt == null) {
        said = String.join("; ", words().toList());
        progress.step(set.name() + " NOT reported; it says: " + said);
      }
    }
  }

  /** Takes away what is in the way of the deletion, and waits until it has come to its end. */
  void finish() {
    if (deletion.is(Trait.FORCED)) {
      force();
    } else if (deletion.phase().hasJob()) {
      if (!set.isDone()) {
        endJob();
      }
      freeAt = later(freeAt, lastJobEnd());
    }
    repair();
    if (deletion.what() == What.SCALE_SET || deletion.what() == What.LISTENER_OBJECT) {
      goneAt = until(PATIENCE, this::isReadyAgain) ? clock.instant() : null;
    } else {
      var _ = until(PATIENCE, () -> seen.gone(subject) != null);
      goneAt = seen.gone(subject);
    }
    progress.step(
        set.name()
            + (goneAt == null
                ? " NOT gone; it says: " + words().toList()
                : " gone after %.1f s".formatted(Times.seconds(freeAt, goneAt))));
  }

  /** What is left when only a part of the set was deleted: a runner is replaced, and all goes. */
  void clear() {
    if (deletion.what().isOfSet()) {
      return;
    }
    set.noPodFault();
    set.serviceFaults();
    boolean ran = deletion.phase() == Phase.IDLE || deletion.phase().hasJob();
    if (ran && !until(PATIENCE, this::isReadyAgain)) {
      progress.step(set.name() + " NOT ready again; it says: " + words().toList());
      goneAt = null;
    }
    set.deleteSet();
    var _ = until(PATIENCE, () -> seen.set(set.namespace()).isEmpty());
  }

  private Stream<AutoScalingListener> listeners() {
    return set
        .world()
        .kube()
        .resources(AutoScalingListener.class)
        .inAnyNamespace()
        .withLabel(Labels.SET_NAMESPACE, set.namespace())
        .list()
        .getItems()
        .stream();
  }

  private boolean isReadyAgain() {
    boolean hasOther = listeners().map(DeletionRun::uid).anyMatch(uid -> !uid.equals(subject));
    return hasOther
        && seen.set(set.namespace())
            .filter(s -> StatusConditions.isTrue(s.statusOrNone().conditions(), READY))
            .isPresent()
        && set.isDone()
        && idle() == 1;
  }

  private void force() {
    runners().forEach(runner -> set.annotate(runner, Labels.FORCE_DELETE, "true"));
    freeAt = clock.instant();
  }

  private void repair() {
    if (deletion.meanwhile().isOfService()) {
      set.serviceFaults();
      freeAt = clock.instant();
    } else if (deletion.what() == What.SECRET_AND_SET
        && deletion.meanwhile() == Meanwhile.CONTROLLER_KILLED) {
      set.makeSecret();
      freeAt = clock.instant();
    }
  }

  private boolean awaitReport() {
    var pattern = Objects.requireNonNull(deletion.reported());
    var found = words().filter(w -> pattern.matcher(w).find()).findFirst();
    if (found.isPresent()) {
      reportedAt = clock.instant();
      said = found.get();
      return true;
    }
    return seen.gone(subject) != null;
  }

  /** What the object says that is deleted. */
  private Stream<String> words() {
    var conditions = new ArrayList<Condition>();
    seen.set(set.namespace())
        .filter(s -> deletion.what().isOfSet())
        .ifPresent(s -> conditions.addAll(s.statusOrNone().conditions()));
    if (!deletion.what().isOfSet()) {
      runners().forEach(r -> conditions.addAll(r.statusOrNone().conditions()));
    }
    return conditions.stream().map(SetHealth::words);
  }

  private List<EphemeralRunner> runners() {
    return seen.runners(set.namespace());
  }

  /** The runner that is deleted: the one with the job, or the only one of its kind. */
  private EphemeralRunner chosen() {
    var job = lastJob();
    return runners().stream()
        .filter(r ->
            job == null
                || deletion.phase() == Phase.IDLE
                || r.getMetadata().getName().equals(job.runnerName()))
        .findFirst()
        .orElseThrow();
  }

  private @Nullable JobView lastJob() {
    var jobs = set.service().control().jobs();
    return jobs.isEmpty() ? null : jobs.getLast();
  }

  private @Nullable Instant lastJobEnd() {
    var job = lastJob();
    return job == null ? null : job.completed();
  }

  private boolean isMarkedOrUnmarked() {
    return deletion.phase() == Phase.UNMARKED
        ? set.service().control().jobCounts().running() == 1
        : runners().stream().anyMatch(r -> r.statusOrNone().isBusy());
  }

  private static boolean isOver(EphemeralRunner runner) {
    return runner.statusOrNone().isTerminal()
        && StatusConditions.isTrue(runner.statusOrNone().conditions(), SUCCEEDED);
  }

  private long idle() {
    return set.service().control().runners().stream().filter(r -> r.state().equals("IDLE")).count();
  }

  private static String uid(HasMetadata object) {
    return object.getMetadata().getUid();
  }

  /** Holds what became of it against what must; waits for the garbage collector first. */
  void check(SoftAssertions softly) {
    var _ = until(COLLECTED, () -> left().isEmpty());
    var id = deletion.id();
    var gone = Times.seconds(freeAt, goneAt);
    Bars.within(softly, Times.seconds(deletion.bar()), gone, "%s was gone", id);
    if (deletion.reported() != null) {
      var reported = Times.seconds(deletedAt, reportedAt);
      Bars.within(softly, Times.seconds(REPORTED), reported, "%s reported; it says %s", id, said);
    }
    softly
        .assertThat(Remains.killed(set))
        .as("%s: jobs killed", deletion.id())
        .isEqualTo(deletion.jobsKilled());
    softly.assertThat(left()).as("%s: what is left", deletion.id()).isEmpty();
  }

  /** Everything of the set that is still there. */
  private List<String> left() {
    var left = new ArrayList<>(Remains.objects(set, false));
    if (deletion.jobsKilled() == 0) {
      left.addAll(Remains.violations(set));
    }
    if (deletion.what() == What.NAMESPACE && Remains.hasNamespace(set)) {
      left.add("Namespace " + set.namespace());
    }
    return left;
  }

  private void await(String what, BooleanSupplier done) {
    if (!until(PATIENCE, done)) {
      throw new DemoException(
          set.name() + ": gave up waiting until " + what + "; it says: " + words().toList());
    }
  }

  private boolean until(Duration atMost, BooleanSupplier done) {
    var end = clock.instant().plus(atMost);
    while (!done.getAsBoolean()) {
      if (clock.instant().isAfter(end)) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(INTERVAL.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DemoException("interrupted");
      }
    }
    return true;
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    return a == null || (b != null && b.isAfter(a)) ? b : a;
  }
}
