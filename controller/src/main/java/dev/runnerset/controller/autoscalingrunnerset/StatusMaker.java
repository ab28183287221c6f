package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerHindrance;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.autoscalingrunnerset.status.StallCondition;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.CapacityLimitStatus;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a runner set, from what a pass found: the part of the core, and of each feature.
 *
 * @param holders which listener processes live
 * @param reports of the passes over the EphemeralRunnerSets
 */
record StatusMaker(
    SetFeatures hooks,
    HolderLeases holders,
    RunnersReports reports,
    Memories memories,
    Clock clock) {
  /** What stands beside the specs, and since when. */
  private static final Slot<Optional<StallCondition.Seen>> STALL = new Slot<>(Optional.empty());

  /** Tells the features that the status is stored. */
  void stored(RunnerSetFacts facts) {
    hooks.inOrder().forEach(feature -> feature.stored(facts));
  }

  /** The limits of the set that hold now. */
  Limits limits(AutoScalingRunnerSet set) {
    return hooks.limits(set);
  }

  /** How many runners there is room for now. */
  RunnerPlaces places(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, Limits limits) {
    return hooks.places(set, ers, limits.maxRunners().value());
  }

  /** What is wrong with the runners, as far as this process knows. */
  RunnersReport report(@Nullable EphemeralRunnerSet ers) {
    return Optional.ofNullable(ers).flatMap(reports::of).orElse(RunnersReport.NONE);
  }

  /** What the status follows from, at this moment. */
  RunnerSetFacts facts(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      boolean offering,
      @Nullable String withoutBudget) {
    var now = clock.instant();
    var status = set.statusOrNone();
    var heard =
        listener == null ? null : holders.judged(listener.statusOrNone(), status.conditions(), now);
    return new RunnerSetFacts(
        set, status, ers, listener, heard, report(ers), offering, withoutBudget, new Now(now));
  }

  /** The same with the status that is to be written. */
  RunnerSetFacts of(
      RunnerSetFacts facts,
      Obstacles obstacles,
      Limits limits,
      RunnerPlaces places,
      String revision) {
    var set = facts.set();
    var ers = facts.ephemeralRunnerSet();
    var counts = ers == null ? null : ers.statusOrNone().runners();
    var counted = counts == null ? new RunnerCounts(0, 0, 0, 0, 0, 0, 0) : counts;
    int maxRunners = limits.maxRunners().value();
    var offered = CapacityPlan.of(set, maxRunners, places, ers);
    var template = obstacles.template().of(counts, offered.advertised());
    var capacity =
        offered.hinderedBy(
            RunnerHindrance.of(facts.runners())
                .map(RunnerHindrance::limit)
                .orElse(template.quota() == null ? null : LimitedBy.QUOTA));
    var jobs = jobs(set, ers);
    var status =
        AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone())
            .observedGeneration(set.getMetadata().getGeneration())
            .revision(revision)
            .jobs(jobs)
            .runners(
                ers == null
                    ? null
                    : counted.withDesired(set.isMarkedForDeletion() ? 0 : DesiredRunners.of(ers)))
            .capacity(capacity(capacity, places, shadow(maxRunners, places, ers)));
    if (obstacles.deletion() == null
        && obstacles.registration()
            instanceof Registration.Registered(var id, var group, _, _, _)) {
      status.scaleSetId(id.value()).runnerGroupId(group.value());
    }
    hooks.inOrder().forEach(feature -> feature.fill(facts, status));
    var input =
        new ConditionInput(
            set.modeNow(),
            limits.maxRunners().field(),
            jobs,
            obstacles.with(template),
            facts.heard(),
            capacity,
            counts,
            facts.runners());
    var rules =
        facts.isBeingDeleted() ? List.<ConditionRule<RunnerSetFacts>>of() : hooks.conditions();
    var conditions = RunnerSetConditions.all(input, rules, facts.with(status.build()));
    status.conditions(facts.isBeingDeleted() ? conditions : withStall(conditions, facts));
    return facts.with(status.build());
  }

  private List<Condition> withStall(List<Condition> conditions, RunnerSetFacts facts) {
    var meta = facts.set().getMetadata();
    var before = facts.set().statusOrNone().conditions();
    var now = facts.now();
    var memory = memories.of(facts.set());
    var known = memory.get(STALL).orElse(null);
    var found = StallCondition.of(conditions, before, known, meta.getGeneration(), now.instant());
    memory.put(STALL, Optional.ofNullable(found.seen()));
    now.note(found.requeueAt());
    return Stream.concat(conditions.stream(), Stream.ofNullable(found.condition())).toList();
  }

  /** What would be advertised if the limits held; null if they do. */
  private static @Nullable Integer shadow(
      int maxRunners, RunnerPlaces places, @Nullable EphemeralRunnerSet ers) {
    return places.shadow()
        ? RunnerPlaces.number(maxRunners, places.least(), ers == null ? 0 : ers.assigned())
        : null;
  }

  private static AdvertisedCapacity capacity(
      CapacityPlan plan, RunnerPlaces places, @Nullable Integer shadow) {
    var limit = plan.limitedBy();
    return new AdvertisedCapacity(
        plan.advertised(),
        limit == null ? null : limit.reason().word(),
        places.limits().stream()
            .map(each ->
                new CapacityLimitStatus(
                    each.by().reason().word(),
                    each.places(),
                    each.of().isEmpty() ? null : each.of()))
            .toList(),
        shadow,
        places.placement());
  }

  /** What the service counts, and since when jobs wait. */
  private static @Nullable JobCounts jobs(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var jobs = ers == null ? null : ers.jobs();
    var demand = ers == null ? null : ers.statusOrNone().demand();
    return jobs == null || demand == null
        ? jobs
        : jobs.after(set.statusOrNone().jobs(), demand.observedAt());
  }
}
