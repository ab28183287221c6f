package dev.runnerset.controller.ephemeralrunnerset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.audit.RegistrationCondition;
import dev.runnerset.controller.audit.StrandCondition;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartDeadlines;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.timing.Unwritten;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes the status of an EphemeralRunnerSet: one patch of what differs, at most once a second, and
 * of counts alone when they have stood still. "No runners left" is written at once, since the
 * deletion of the runner set waits for it.
 *
 * @param reports take what the conditions say, for the passes over the runner sets
 * @param wake makes a pass over the runner set, for the first report of this process
 */
record StatusStep(
    KubeApi kube, SetFeatures features, RunnersReports reports, Consumer<SetKey> wake) {
  static final Slot<Unwritten> UNWRITTEN = new Slot<>(Unwritten.NONE);

  /** What changes with each runner that starts or ends. */
  private static final Set<String> COUNTS =
      Set.of("observedGeneration", "replicas", "runners", "registered", "jobs");

  /** The conditions of the core, in their order; each is there only while it is True. */
  private static final List<ConditionRule<Observed>> CONDITIONS =
      List.of(
          new ConditionRule<>(ConditionType.RUNNERS_FAILING, StatusStep::failing),
          new ConditionRule<>(ConditionType.RUNNERS_PENDING, o -> o.pending().verdict()),
          new ConditionRule<>(
              ConditionType.RUNNERS_NOT_ENDING, o -> ExitCondition.of(o.pass().moment())),
          new ConditionRule<>(ConditionType.RUNNERS_NOT_REGISTERING, StatusStep::registering),
          new ConditionRule<>(ConditionType.JOBS_STRANDED, StatusStep::stranded));

  /** What the conditions are judged from. */
  private record Observed(
      ReplicasPass.Result pass,
      PendingCondition.Found pending,
      RunnerCounts counts,
      SetMemory memory) {}

  /** Writes what may be written now, and notes when to write the rest; blocks for it. */
  void write(ReplicasPass.Result pass, SetMemory memory, WriteCache cache) {
    var moment = pass.moment();
    var set = moment.set();
    var now = moment.now().instant();
    var unwritten = memory.slots().get(UNWRITTEN);
    boolean atOnce = isFirstOfNothingLeft(set, pass);
    if (unwritten.waits(now) && !atOnce) {
      // nothing is compared yet: that would cost more than a later pass
      moment.now().note(RequeueTime.at(unwritten.comparedAt()));
      return;
    }
    var status = set.statusOrNone();
    var generation = set.getMetadata().getGeneration();
    var wanted = EphemeralRunnerSetStatusBuilder.builder(status);
    features.inOrder().forEach(feature -> feature.fill(moment, wanted));
    var pending = PendingCondition.find(moment);
    var counts = pass.plan().counts().withStuck(pending.stuck());
    var failures = memory.creation().failures(now);
    var before = status.conditions();
    var observed = new Observed(pass, pending, counts, memory);
    var verdicts = ConditionRule.verdicts(CONDITIONS, observed);
    verdicts.putAll(ConditionRule.verdicts(features.runnerConditions(), moment));
    if (reports.put(set, new RunnersReport(verdicts))) {
      wake.accept(SetKey.of(set));
    }
    var conditions =
        Stream.of(
                ConditionRule.conditions(verdicts, before, generation, now),
                // the end of a pass takes it off
                StatusConditions.find(before, ConditionType.PASSES_FAILING).stream())
            .flatMap(each -> each)
            .toList();
    wanted
        .observedGeneration(generation)
        .replicas(counts.live())
        .runners(counts)
        .jobs(set.jobs())
        .failures(failures)
        .conditions(conditions);
    if (failures != null) {
      moment.now().note(RequeueTime.at(FailingCondition.until(failures, counts)));
    }
    var patch = MergePatch.between(status, wanted.build()).orElse(null);
    var still = Unwritten.still(kube.patchesTake());
    var longest = still.plus(Unwritten.RESTLESS);
    var next = patch == null ? unwritten.equal() : unwritten.differs(patch, now);
    boolean held =
        patch != null
            && !atOnce
            && areCounts(patch, Set.of("rollout"))
            && next.holds(still, longest, now);
    var noted = patch == null || held ? next : Unwritten.written(now);
    memory.slots().put(UNWRITTEN, noted);
    if (held) {
      moment.now().note(RequeueTime.at(next.dueAt(still, longest)));
    } else if (patch != null) {
      cache.changed(set, kube.mergeStatus(EphemeralRunnerSet.class, Resource.of(set), patch));
    }
  }

  /** Whether nothing else changes, also within the fields of those names. */
  private static boolean areCounts(JsonNode patch, Set<String> parents) {
    return patch.properties().stream()
        .allMatch(field ->
            COUNTS.contains(field.getKey())
                || (parents.contains(field.getKey()) && areCounts(field.getValue(), Set.of())));
  }

  /** Whether no runner is wanted, none counts any more, and the status does not say both yet. */
  private static boolean isFirstOfNothingLeft(EphemeralRunnerSet set, ReplicasPass.Result pass) {
    var before = set.statusOrNone();
    boolean seen = Objects.equals(before.observedGeneration(), set.getMetadata().getGeneration());
    boolean counted = before.runners() != null && before.runners().live() == 0;
    return pass.moment().replicas() == 0 && pass.plan().counts().live() == 0 && !(seen && counted);
  }

  private static Optional<Verdict> failing(Observed observed) {
    var moment = observed.pass().moment();
    var creation = observed.memory().creation();
    var meta = moment.set().getMetadata();
    boolean rejected = // no runner is made since the service refused the version (RN9)
        meta.getDeletionTimestamp() == null
            && moment.set().getSpec().revision().equals(creation.rejectedRevision());
    return rejected
        ? Optional.of(FailingCondition.rejected())
        : creation.failing(observed.counts(), moment.now().instant());
  }

  private static Optional<Verdict> registering(Observed observed) {
    var moment = observed.pass().moment();
    var missing =
        RegistrationCondition.missing(
            observed.memory().audit().get().seen(),
            observed.pass().counts(),
            moment.now().instant());
    return RegistrationCondition.of(
        missing, StartDeadlines.of(moment.set().getSpec().deadlines()).registration());
  }

  private static Optional<Verdict> stranded(Observed observed) {
    var moment = observed.pass().moment();
    var strand = observed.memory().audit().get().strand();
    var now = moment.now().instant();
    return StrandCondition.of(strand, moment.runners(), observed.pass().counts(), now);
  }
}
