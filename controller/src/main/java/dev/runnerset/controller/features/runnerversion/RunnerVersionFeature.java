package dev.runnerset.controller.features.runnerversion;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.features.history.RunnerVersions;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reports the version that a set's runners really have, and until when github.com serves it (RN21).
 * A pass over the runners finds one that has been online, a thread of its own reads its version
 * from the service, and the next pass over the set writes it into the status. Nothing is switched
 * off or deleted because of a date.
 */
public final class RunnerVersionFeature implements SetFeature {
  /** Those that have been online, and have the pod of the present revision. */
  private static final Group ONLINE =
      Group.of(r -> !r.older() && !r.isEnded() && (r.busy() || r.isIdle()))
          .by(Comparator.comparing(RunnerView::created));

  private static final Slot<VersionState> STATE = new Slot<>();

  private final VersionReader reader;
  private final Function<EphemeralRunner, Optional<Pod>> pods;
  private final Memories ofSets;
  private final Executor threads;
  private final Consumer<SetKey> wake;
  private final Clock clock;

  /**
   * The feature of one controller.
   *
   * @param pods the pod of a runner, as the cache shows it
   * @param ofSets what the process remembers of runner sets
   * @param threads one thread for each reading
   * @param wake triggers a pass over a runner set
   */
  public RunnerVersionFeature(
      ServiceConnections connections,
      Function<EphemeralRunner, Optional<Pod>> pods,
      Memories ofSets,
      Executor threads,
      Consumer<SetKey> wake,
      Clock clock) {
    this.reader = new VersionReader(connections, clock);
    this.pods = pods;
    this.ofSets = ofSets;
    this.threads = threads;
    this.wake = wake;
    this.clock = clock;
  }

  /** Begins a reading if one is due and a runner has been online. */
  @Override
  public void follow(SetMoment moment) {
    var set = moment.set();
    var uid = Ownership.setUid(set).orElse(null);
    var state = uid == null ? null : ofSets.of(uid).find(STATE);
    if (uid == null || state == null || !state.mayBeDue(set.getSpec().revision(), moment.now())) {
      return; // a pass over the set says first what an earlier process read
    }
    var now = moment.now().instant();
    var question = moment.fromLast(ONLINE).findFirst().flatMap(runner -> question(set, runner));
    if (question.isEmpty()
        || !state.isDue(set.getSpec().revision(), question.get().imageId(), moment.now())) {
      ofSets.of(uid).put(STATE, state.compared(now));
      return;
    }
    ofSets.of(uid).put(STATE, state.begun(now));
    begin(uid, SetKey.of(set), question.get(), state);
  }

  private void begin(String uid, SetKey set, VersionReader.Question question, VersionState state) {
    try {
      threads.execute(() -> {
        var answer = new VersionReader.Answer(null, false);
        try {
          var last = state.last();
          if (last != null) {
            reader.learned(question.connection(), last);
          }
          answer = reader.read(question, last);
        } finally {
          ofSets
              .of(uid)
              .put(STATE, state.ended(answer.status(), !answer.complete(), clock.instant()));
          wake.accept(set);
        }
      });
    } catch (RejectedExecutionException e) { // the process ends
      ofSets.of(uid).clear(STATE);
    }
  }

  private Optional<VersionReader.Question> question(EphemeralRunnerSet set, RunnerView runner) {
    var id = runner.resource().statusOrNone().runnerId();
    return id == null
        ? Optional.empty()
        : Optional.of(
            new VersionReader.Question(
                RunnerConnections.keyOf(set),
                new RunnerId(id),
                imageVersion(set),
                set.getSpec().revision(),
                imageId(runner.resource())));
  }

  private static @Nullable RunnerVersion imageVersion(EphemeralRunnerSet set) {
    var image = RunnerPod.image(set.getSpec().template());
    return RunnerVersion.parse(RunnerVersions.of(null, image)).orElse(null);
  }

  private @Nullable String imageId(EphemeralRunner runner) {
    return pods.apply(runner)
        .flatMap(RunnerPod::containerStatus)
        .map(ContainerStatus::getImageID)
        .orElse(null);
  }

  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    if (!facts.isBeingDeleted()) {
      var written = facts.set().statusOrNone().runnerVersion();
      var state = ofSets.of(facts.set()).begin(STATE, () -> VersionState.of(written));
      status.runnerVersion(state.last());
    }
  }

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return VersionConditions.all();
  }
}
