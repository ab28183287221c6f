package dev.runnerset.controller.ephemeralrunnerset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.audit.RegistrationCondition;
import dev.runnerset.controller.audit.StrandCondition;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartDeadlines;
import dev.runnerset.controller.references.ChildFields;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.references.TruncatedCondition;
import dev.runnerset.controller.timing.Pause;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of an EphemeralRunnerSet: one patch of what differs, at most once a second.
 * Only that nothing is left is written at once, since the deletion of the runner set waits for it.
 */
final class StatusStep {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** A long list is sent whole, so it is sent less often (docs/adr/0011). */
  private static final int CHILDREN_A_SECOND = 250;

  private final KubeApi kube;
  private final EmbeddedStatus embedded;

  StatusStep(KubeApi kube, EmbeddedStatus embedded) {
    this.kube = kube;
    this.embedded = embedded;
  }

  /**
   * Writes what may be written now; blocks for it.
   *
   * @return when to write the rest; never if nothing is left
   */
  RequeueTime write(
      EphemeralRunnerSet set,
      ReplicasPass.Result pass,
      SetMemory memory,
      WriteCache cache,
      Instant now) {
    var pace = memory.statusPace();
    var observed = pass.observed();
    var input = pass.input();
    if (Pause.isOn(pace.notBefore(), INTERVAL, now) && !isFirstOfNothingLeft(set, pass)) {
      // nothing is compared yet: that would cost more than a later pass
      return RequeueTime.at(pace.notBefore());
    }
    var status = set.statusOrNone();
    var generation = set.getMetadata().getGeneration();
    var children = ChildFields.of(status, observed.byUid().values(), embedded, generation, now);
    var progress =
        RolloutProgress.of(set.getSpec().revision(), input.runners(), input.demandMessageId(), now);
    var rollout =
        progress.withSettled(
            memory
                .rollout()
                .isSettled(
                    progress,
                    input.runners(),
                    pass.plan().counts().live(),
                    input.replicas(),
                    memory.creation().failures(now) != null,
                    now));
    boolean due =
        endsRollout(status.rollout(), rollout)
            || !Pause.isOn(pace.childrenNotBefore(), pause(MOST_COUNTED), now);
    boolean listed = due || children.patch().isEmpty();
    var pending = PendingCondition.find(status.conditions(), observed, generation, now);
    var counts = pass.plan().counts().withStuck(pending.stuck());
    var failures = memory.creation().failures(now);
    var stalled = StatusConditions.find(status.conditions(), ConditionType.STALLED);
    var conditions =
        Stream.of(
                problems(set, observed, pending, memory, input, counts, now),
                listed ? children.truncated().stream() : TruncatedCondition.in(status),
                stalled.stream()) // the end of a pass takes it off
            .flatMap(each -> each)
            .toList();
    var collections = memory.removals().collections();
    var own = ownPart(status);
    var wanted =
        EphemeralRunnerSetStatusBuilder.builder(own)
            .observedGeneration(generation)
            .replicas(counts.live())
            .runners(counts)
            .rollout(rollout)
            .failures(failures)
            .releasedIdle(collections.releasedIdle())
            .idleCollections(collections.idleCollections())
            .conditions(conditions)
            .build();
    var patch = MergePatch.between(own, wanted).orElseGet(JsonNodeFactory.instance::objectNode);
    if (due) {
      patch.setAll(children.patch());
    }
    if (!patch.isEmpty()) {
      pace.written(now.plus(INTERVAL));
      if (due && !children.patch().isEmpty()) {
        pace.childrenWritten(now.plus(pause(observed.byUid().size())));
      }
      cache.changed(set, kube.mergeStatus(EphemeralRunnerSet.class, Resource.of(set), patch));
    }
    return RequeueTime.firstAfter(
        now,
        Stream.of(
                pending.next(),
                DrainCondition.changes(set, observed, now),
                RequeueTime.at(failures == null ? null : FailingCondition.until(failures, counts)),
                RequeueTime.at(listed ? null : pace.childrenNotBefore()))
            .flatMap(time -> time.toOptional().stream()));
  }

  /** Without what the listener writes, and without the lists, which have a pace of their own. */
  private static EphemeralRunnerSetStatus ownPart(EphemeralRunnerSetStatus status) {
    return EphemeralRunnerSetStatusBuilder.builder(status)
        .demand(null)
        .childReferences(List.of())
        .runnerStatuses(Map.of())
        .build();
  }

  /** Whether no runner is wanted, none counts any more, and the status does not say both yet. */
  private static boolean isFirstOfNothingLeft(EphemeralRunnerSet set, ReplicasPass.Result pass) {
    var before = set.statusOrNone();
    boolean seen = Objects.equals(before.observedGeneration(), set.getMetadata().getGeneration());
    boolean counted = before.runners() != null && before.runners().live() == 0;
    return Objects.equals(set.getSpec().replicas(), 0)
        && pass.plan().counts().live() == 0
        && !(seen && counted);
  }

  /**
   * Whether this patch is the first to say that no older runner is left: then the list that shows
   * it must go with it (RF11).
   */
  private static boolean endsRollout(@Nullable RolloutCounts before, RolloutCounts now) {
    return now.older() == 0
        && (before == null || before.older() > 0 || !before.revision().equals(now.revision()));
  }

  /** The pause between two writes of that many children. */
  static Duration pause(int children) {
    return INTERVAL.multipliedBy(1 + Math.min(children, MOST_COUNTED) / CHILDREN_A_SECOND);
  }

  private static final int MOST_COUNTED = 1000;

  /** The conditions of runners that fail, do not start, do not end or do not go. */
  private static Stream<Condition> problems(
      EphemeralRunnerSet set,
      RunnerGathering.Observed observed,
      PendingCondition.Found pending,
      SetMemory memory,
      ReplicasInput input,
      RunnerCounts counts,
      Instant now) {
    var before = set.statusOrNone().conditions();
    var generation = set.getMetadata().getGeneration();
    var failing =
        isVersionRejected(set, memory)
            ? Optional.of(FailingCondition.rejected(before, generation, now))
            : memory.creation().failing(before, counts, generation, now);
    var exits = ExitCondition.of(before, observed.views(), input.settledUpTo(), generation, now);
    var audit = memory.audit().get();
    var missing =
        RegistrationCondition.missing(
            observed.views(), audit.missing().sinceByUid(), observed.counts(), now);
    var deadline = StartDeadlines.of(set.getSpec()).registration();
    var registering = RegistrationCondition.of(before, missing, deadline, generation, now);
    var strand =
        StrandCondition.of(
            before, audit.strand(), observed.views(), observed.counts(), generation, now);
    return Stream.of(
            failing.stream(),
            pending.condition().stream(),
            exits.stream(),
            DrainCondition.of(set, observed, now).stream(),
            registering.stream(),
            strand.stream())
        .flatMap(each -> each);
  }

  /** Whether no runner is made since the service refused the version of this revision (RN9). */
  private static boolean isVersionRejected(EphemeralRunnerSet set, SetMemory memory) {
    return set.getMetadata().getDeletionTimestamp() == null
        && set.getSpec().revision().equals(memory.creation().rejectedRevision());
  }
}
