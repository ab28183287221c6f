package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildObjects;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.autoscalingrunnerset.planning.CreationHold;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.registration.BeforeCalls;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSets;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Fields;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.RunnerFacts;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.MirroredConditions;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RolloutStall;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerHindrance;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetCondition;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetStatus;
import dev.runnerset.controller.autoscalingrunnerset.status.TemplateFindings;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.schedule.Limits;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.NamespaceTermination;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles a runner set that is not being deleted: scale set, children, permissions, status. */
final class RunnerSetSync {
  private static final Duration AFTER_CANCELLED = Duration.ofSeconds(2);

  private static final Duration LATELY = Duration.ofMinutes(1);

  /** A budget that could not be made is tried again as soon as the framework retries. */
  private static final Duration BUDGET_AGAIN = Duration.ofSeconds(20);

  private final ScaleSets scaleSets;
  private final ChildObjects objects;
  private final Reporting reporting;
  private final ScheduledLimits schedules;
  private final Clock clock;

  RunnerSetSync(ScaleSets scaleSets, ChildObjects objects, Reporting reporting, Clocks clocks) {
    this.scaleSets = scaleSets;
    this.objects = objects;
    this.reporting = reporting;
    this.schedules = new ScheduledLimits(clocks);
    this.clock = clocks.now();
  }

  /** A step failed, and the status says so. */
  static final class StepException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StepException(RuntimeException failure) {
      super(failure.getMessage(), failure);
    }
  }

  /** The results of the writes to the cluster. */
  private static final class Written {
    final String revision;
    final Limits limits;
    AutoScalingRunnerSet set;
    @Nullable EphemeralRunnerSet ephemeralRunnerSet;
    @Nullable AutoScalingListener listener;
    TemplateFindings template = TemplateFindings.NONE;
    boolean formerTemplate;
    @Nullable Finding cluster;
    @Nullable String withoutBudget;
    final Steps steps = new Steps();
    RequeueTime requeue = RequeueTime.NEVER;

    Written(ObservedRunnerSet gathered, Limits limits) {
      this.limits = limits;
      this.revision = Revision.of(gathered.set().getSpec());
      this.set = gathered.set();
      this.ephemeralRunnerSet = gathered.ephemeralRunnerSet();
      this.listener = gathered.listener();
    }
  }

  /**
   * One pass; blocks for requests.
   *
   * @return when the next pass is due without an event
   * @throws StepException for the first failure of a step, after the other steps were taken and the
   *     status was written; the caller must retry with backoff
   */
  RequeueTime run(ObservedRunnerSet seen, WriteCache cache) {
    var written = new Written(seen, schedules.of(seen.set().getSpec()));
    var registration = registration(seen, written, cache);
    write(seen.with(written.set), registration, written, cache);
    if (isEndOfProcess(registration)) {
      return RequeueTime.at(clock.instant().plus(AFTER_CANCELLED));
    }
    var status = status(written, registration);
    var again =
        RequeueTime.earliest(
            Stream.of(
                written.requeue,
                schedules.requeueAt(written.limits),
                retryAt(registration),
                objects.templates().askAgainAt(written.set)));
    var rest = reporting.statuses().write(written.set, status, cache, clock.instant());
    written.steps.failures().stream()
        .filter(failure -> !isEndOfNamespace(failure))
        .findFirst()
        .ifPresent(failure -> {
          throw new StepException(failure);
        });
    return rest.or(again);
  }

  private Registration registration(ObservedRunnerSet gathered, Written written, WriteCache cache) {
    var before =
        new BeforeCalls() {
          @Override
          public void asking(Registration.Asking asking) {
            report(asking, written, cache);
          }

          @Override
          public void making(@Nullable Intent intent) {
            written.set = reporting.statuses().making(written.set, intent, cache);
          }
        };
    try {
      return scaleSets
          .registrar()
          .ensure(gathered.set(), gathered.all(), gathered.disconnectedSince(), before);
    } catch (KubernetesClientException e) {
      throw e; // what is told of a registration stands until the API server answers
    } catch (RuntimeException e) {
      written.steps.failed(e);
      return new Registration.Failed(
          Objects.requireNonNull(ClusterFindings.ofPass(e)),
          clock.instant().plus(RetryWaits.SERVICE.longest()));
    }
  }

  /** Takes a step; the status says the first failure for which there are words. */
  private static boolean step(Written written, Runnable step) {
    boolean taken = written.steps.take(step);
    if (!taken && written.cluster == null) {
      written.cluster = ClusterFindings.ofPass(written.steps.failures().getLast());
    }
    return taken;
  }

  /** The status says it, and a retry would not help. */
  private static boolean isEndOfNamespace(RuntimeException failure) {
    return failure instanceof KubernetesClientException refused
        && NamespaceTermination.isCauseOf(refused);
  }

  /** Tells the user what is asked, in case that the service never answers. */
  private void report(Registration.Asking asking, Written written, WriteCache cache) {
    if (!StatusWriter.tellsOfRegistration(written.set)) {
      written.set = reporting.statuses().beforeAsking(written.set, status(written, asking), cache);
    }
  }

  private void write(
      ObservedRunnerSet gathered, Registration registration, Written written, WriteCache cache) {
    var set = gathered.set();
    var before = written.ephemeralRunnerSet;
    step(
        written,
        () ->
            written.template =
                objects
                    .templates()
                    .findings(set, written.revision, isDoubted(before, written.revision)));
    boolean refused = written.template.refused() != null;
    written.formerTemplate =
        refused
            && before != null
            && !before.getSpec().revision().equals(written.revision)
            && !Boolean.TRUE.equals(before.getSpec().templateRefused());
    if (registration instanceof Registration.Registered registered) {
      step(written, () -> written.set = reporting.statuses().registered(set, registered, cache));
    }
    if (isAnothers(registration)) {
      step(written, () -> objects.children().stopOffering(set, before, written.listener, cache));
      return;
    }
    var id = scaleSetId(written.set);
    if (id == null || (refused && before == null)) {
      return;
    }
    boolean made =
        step(
            written,
            () ->
                written.ephemeralRunnerSet =
                    ephemeralRunnerSet(set, before, id, refused, written, cache));
    boolean granted =
        step(
            written,
            () -> objects.permissions().grant(set, gathered.role(), gathered.binding(), cache));
    step(
        written,
        () -> written.withoutBudget = objects.budgets().ensure(set, gathered.budget(), cache));
    var runners = written.ephemeralRunnerSet;
    // a listener that may not write would take jobs for which no runner is made
    boolean mayListen = made && (granted || written.listener != null);
    if (runners != null && mayListen) {
      step(written, () -> listen(set, runners, id, written, cache));
      step(written, () -> writeHistory(runners, written, cache));
    }
    if (written.withoutBudget != null) {
      written.requeue = written.requeue.or(clock.instant().plus(BUDGET_AGAIN));
    }
  }

  private EphemeralRunnerSet ephemeralRunnerSet(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet before,
      ScaleSetId id,
      boolean refused,
      Written written,
      WriteCache cache) {
    var origin = written.set.statusOrNone().scaleSetOrigin();
    var wanted =
        ChildSpecs.ephemeralRunnerSet(set, before, written.limits, id).toBuilder()
            .creationHeld(CreationHold.of(before, written.listener, id, origin) ? true : null)
            .templateRefused(refused && !written.formerTemplate ? true : null)
            .build();
    if (refused && before != null) {
      wanted = ChildSpecs.keepingTemplate(wanted, before.getSpec());
    }
    var made = objects.children().ephemeralRunnerSet(set, before, wanted, cache);
    if (written.cluster == null) {
      written.cluster = keptAlive(made);
    }
    return made;
  }

  private void listen(
      AutoScalingRunnerSet set,
      EphemeralRunnerSet runners,
      ScaleSetId id,
      Written written,
      WriteCache cache) {
    var listener = ChildSpecs.listener(set, runners, written.limits, id);
    written.listener = objects.children().listener(set, written.listener, listener, cache);
  }

  private void writeHistory(EphemeralRunnerSet runners, Written written, WriteCache cache) {
    var recorded = reporting.history().record(written.set, runners, written.listener, cache);
    written.set = recorded.set();
    written.requeue = recorded.requeue();
  }

  /** No runner is made for an EphemeralRunnerSet that is being deleted. */
  private static @Nullable Finding keptAlive(EphemeralRunnerSet ers) {
    var finalizers = ChildWriter.keptBy(ers);
    return finalizers.isEmpty()
        ? null
        : new Finding(
            RunnerSetReason.CHILD_TERMINATING,
            "The EphemeralRunnerSet '%s' is being deleted, and its finalizers %s keep it: no runner is"
                    .formatted(ers.getMetadata().getName(), finalizers)
                + " made until it is gone; let the programs that own the finalizers end, or take the"
                + " finalizers off");
  }

  /** Whether this process cancelled its call, as it does when it ends: that says nothing. */
  private static boolean isEndOfProcess(Registration registration) {
    return registration instanceof Registration.Failed failed
        && failed.finding().reason() == AccessReason.CANCELLED;
  }

  /** Whether pods of that revision are refused, though the server took one in the dry run. */
  private boolean isDoubted(@Nullable EphemeralRunnerSet ers, String revision) {
    return ers != null
        && ers.getSpec().revision().equals(revision)
        && (failsLately(ers)
            || RunnerHindrance.of(MirroredConditions.of(ers, null))
                .filter(RunnerHindrance::isRefusalOfPods)
                .isPresent());
  }

  /** A pod that is refused for good is a failed runner: others must not fail after it. */
  private boolean failsLately(EphemeralRunnerSet ers) {
    var failures = ers.statusOrNone().failures();
    return failures != null && clock.instant().isBefore(failures.lastAt().plus(LATELY));
  }

  /** Whether the scale set belongs to somebody else: then none is used. */
  private static boolean isAnothers(Registration registration) {
    return registration instanceof Registration.Failed(var finding, _)
        && (finding.reason() == RunnerSetReason.SCALE_SET_SHARED
            || finding.reason() == RunnerSetReason.ADOPTION_REQUIRED);
  }

  /**
   * The scale set in the status, used while the service fails, too. One that could not be written
   * there is not used: with runners it would not be known as our own again (NM5).
   */
  private static @Nullable ScaleSetId scaleSetId(AutoScalingRunnerSet set) {
    var known = set.statusOrNone().scaleSetId();
    return known == null ? null : new ScaleSetId(known);
  }

  private AutoScalingRunnerSetStatus status(Written written, Registration registration) {
    var set = written.set;
    var ers = written.ephemeralRunnerSet;
    var listener = written.listener;
    var heard = reporting.of(listener, set, clock.instant());
    var scaling = ChildSpecs.scaling(set, ers, written.limits);
    var mirrored = MirroredConditions.of(ers, heard);
    var offered = CapacityPlan.of(scaling);
    var counts = ers == null ? null : ers.statusOrNone().runners();
    var template = written.template.of(counts, offered.advertised());
    var capacity =
        offered.hinderedBy(
            RunnerHindrance.of(mirrored)
                .map(RunnerHindrance::limit)
                .orElse(template.quota() == null ? null : LimitedBy.QUOTA));
    var input =
        new ConditionInput(
            scaling.mode(),
            new Fields(
                set.getSpec().retention(),
                reporting.shield().lackedBy(set, written.withoutBudget),
                reporting.kinds().of(set, heard, reporting.shield().outdatedFor(set)),
                written.limits),
            RunnerSetStatus.jobs(ers),
            new Obstacles(null, template, written.formerTemplate, registration, written.cluster),
            heard,
            capacity,
            new RunnerFacts(
                counts,
                mirrored,
                RolloutStall.of(set, ers),
                AgeFacts.of(reporting.ages(), set, ers)));
    long generation = set.getMetadata().getGeneration();
    var before = set.statusOrNone();
    var status =
        AutoScalingRunnerSetStatusBuilder.builder(before)
            .observedGeneration(generation)
            .revision(written.revision)
            .conditions(
                RunnerSetCondition.all(before.conditions(), input, generation, clock.instant()))
            .jobs(input.jobs())
            .runners(RunnerSetStatus.runners(ers, DesiredRunners.of(scaling)))
            .capacity(RunnerSetStatus.capacity(capacity))
            .schedule(set.getSpec().schedule().isEmpty() ? null : written.limits.status())
            .releasedIdle(scaling.releasedIdle() == 0 ? null : scaling.releasedIdle())
            .idleCollections(ers == null ? null : ers.statusOrNone().idleCollections())
            .childReferences(RunnerSetStatus.children(ers, listener, reporting.embedded()));
    return (registration instanceof Registration.Registered(var id, var group, _)
            ? status.scaleSetId(id.value()).runnerGroupId(group.value())
            : status)
        .build();
  }

  private static RequeueTime retryAt(Registration registration) {
    return registration instanceof Registration.Failed(_, var retryAt)
        ? RequeueTime.at(retryAt)
        : RequeueTime.NEVER;
  }
}
