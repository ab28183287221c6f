package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.autoscalingrunnerset.planning.CreationHold;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.registration.BeforeCalls;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerHindrance;
import dev.runnerset.controller.autoscalingrunnerset.status.TemplateFindings;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.NamespaceTermination;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles a runner set that is not being deleted: scale set, children, permissions, status. */
record RunnerSetSync(
    ScaleSetRegistrar registrar,
    TemplateCheck templates,
    ChildWriter children,
    StatusMaker maker,
    StatusWriter statuses,
    WriteCache cache,
    Clock clock) {
  /** After a call that the end of a process cancelled, until the set has its next pass. */
  @Detail private static final Duration AFTER_CANCELLED = Duration.ofSeconds(2);

  /** How late the status is written at most while a call is under way. */
  @Detail private static final Duration REPORTED_WITHIN = Duration.ofSeconds(5);

  /** How long a failed runner makes the template doubted. */
  @Detail private static final Duration LATELY = Duration.ofMinutes(1);

  /** A budget that could not be made is tried again as soon as the framework retries. */
  @Detail private static final Duration BUDGET_AGAIN = Duration.ofSeconds(20);

  /** A step failed, and the status says so. */
  static final class StepException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StepException(RuntimeException failure) {
      super(failure.getMessage(), failure);
    }
  }

  /**
   * One pass; blocks for requests.
   *
   * @return when the next pass is due without an event
   * @throws StepException for the first failure of a step, after the other steps were taken and the
   *     status was written; the caller must retry with backoff
   */
  RequeueTime run(ObservedRunnerSet seen) {
    return new Pass(seen).run();
  }

  /** One pass, with the set and its children as its writes leave them. */
  private final class Pass implements BeforeCalls {
    private final ObservedRunnerSet seen;
    private final String revision;
    private final Limits limits;
    private final Steps steps = new Steps();
    private AutoScalingRunnerSet set;
    private @Nullable EphemeralRunnerSet ers;
    private @Nullable AutoScalingListener listener;
    private TemplateFindings template = TemplateFindings.NONE;
    private @Nullable RunnerPlaces places;
    private boolean formerTemplate;
    private @Nullable Finding cluster;
    private @Nullable String withoutBudget;
    private boolean offering;

    Pass(ObservedRunnerSet seen) {
      this.seen = seen;
      set = seen.set();
      ers = seen.ephemeralRunnerSet();
      listener = seen.listener();
      revision = Revision.of(set.getSpec());
      limits = maker.limits(set);
    }

    RequeueTime run() {
      var registration = registration();
      boolean asking = registration instanceof Registration.Asking;
      if (asking && !isRegistered()) {
        return RequeueTime.NEVER; // the answer wakes the set
      }
      write(registration);
      if (isEndOfProcess(registration)) {
        return RequeueTime.at(clock.instant().plus(AFTER_CANCELLED));
      }
      var status = status(registration);
      var retryAt = registration instanceof Registration.Failed(_, var at) ? at : null;
      var budgetAgain = withoutBudget == null ? null : clock.instant().plus(BUDGET_AGAIN);
      var again =
          RequeueTime.earliest(
              Stream.of(
                  limits.requeueAt(),
                  places().requeue(),
                  status.now().next(),
                  RequeueTime.at(retryAt),
                  RequeueTime.at(budgetAgain),
                  templates.askAgainAt(set)));
      var rest =
          isReported() && !asking
              ? statuses.write(set, status.status(), clock.instant(), () -> maker.stored(status))
              : RequeueTime.at(clock.instant().plus(REPORTED_WITHIN));
      steps.failures().stream()
          .filter(failure -> !isEndOfNamespace(failure))
          .findFirst()
          .ifPresent(failure -> {
            throw new StepException(failure);
          });
      return rest.or(again);
    }

    /** Found once in a pass, after the template's check: that may say what a runner costs. */
    private RunnerPlaces places() {
      var known = places;
      if (known == null) {
        known = maker.places(set, seen.ephemeralRunnerSet(), limits);
        places = known;
      }
      return known;
    }

    /**
     * Whether a pass over the runners has reported in this process: before that, what the status
     * says of them stands. The report triggers another pass.
     */
    private boolean isReported() {
      var before = seen.ephemeralRunnerSet();
      return before == null
          || before.isMarkedForDeletion()
          || maker.reports().of(before).isPresent();
    }

    /** Whether the status says of this spec that the set is registered: that stands meanwhile. */
    private boolean isRegistered() {
      var conditions = set.statusOrNone().conditions();
      return StatusConditions.find(conditions, ConditionType.REGISTERED, Value.TRUE)
          .filter(c -> Objects.equals(c.getObservedGeneration(), set.getMetadata().getGeneration()))
          .isPresent();
    }

    private Registration registration() {
      try {
        registrar.heard(set, seen.connectedSince());
        return registrar.ensure(set, seen.all(), seen.disconnectedSince(), this);
      } catch (KubernetesClientException e) {
        throw e; // what is reported of a registration stands until the API server answers
      } catch (RuntimeException e) {
        steps.failed(e);
        return new Registration.Failed(
            Objects.requireNonNull(ClusterFindings.ofPass(e)),
            clock.instant().plus(RetryWaits.SERVICE.longest()));
      }
    }

    /** Reports what is asked, in case that the service never answers. */
    @Override
    public void asking(Registration.Asking asking) {
      var generation = set.getMetadata().getGeneration();
      boolean reported =
          StatusConditions.find(set.statusOrNone().conditions(), ConditionType.REGISTERED)
              .filter(c -> Objects.equals(c.getObservedGeneration(), generation))
              .isPresent();
      if (!reported) {
        set = statuses.atOnce(set, status(asking).status());
      }
    }

    @Override
    public void making(@Nullable Intent intent) {
      set = statuses.making(set, intent);
    }

    @Override
    public void changing(ScaleSetIdentity becoming) {
      set = statuses.changing(set, becoming);
    }

    @Override
    public void lost() {
      set = statuses.lost(set);
    }

    /** Takes a step; the status says the first failure for which there are words. */
    private boolean step(Runnable step) {
      boolean taken = steps.take(step);
      if (!taken && cluster == null) {
        cluster = ClusterFindings.ofPass(steps.failures().getLast());
      }
      return taken;
    }

    private void write(Registration registration) {
      var before = ers;
      step(() -> template = templates.findings(set, revision, isDoubted(before)));
      boolean refused = template.refused() != null;
      formerTemplate =
          refused
              && before != null
              && !before.getSpec().revision().equals(revision)
              && !Boolean.TRUE.equals(before.getSpec().templateRefused());
      if (registration instanceof Registration.Registered registered) {
        step(() -> set = statuses.registered(set, registered));
      }
      if (set.statusOrNone().scaleSetId() == null) {
        step(() -> ers = children.hold(set, before, cache)); // its id may be somebody else's
      }
      if (isAnothers(registration)) {
        step(() -> children.stopOffering(set, ers, listener, cache));
        return;
      }
      // the status has it while the service fails, too; one that could not be written there is not
      // used: with runners it would not be known as our own again (NM5)
      var known = set.statusOrNone().scaleSetId();
      if (known == null || (refused && before == null)) {
        return;
      }
      var id = new ScaleSetId(known);
      boolean made = step(() -> ers = ephemeralRunnerSet(before, id, refused));
      boolean granted = step(() -> children.grant(set, seen.role(), seen.binding(), cache));
      step(() -> withoutBudget = children.budget(set, seen.budget(), cache));
      var runners = ers;
      // a listener that may not write would take jobs for which no runner is made
      if (runners != null && made && (granted || listener != null)) {
        var wanted = ChildSpecs.listener(set, runners, limits, places(), id);
        step(() -> listener = children.listener(set, listener, wanted, cache));
        cluster = cluster == null ? going(listener) : cluster;
        offering = true;
      }
    }

    private EphemeralRunnerSet ephemeralRunnerSet(
        @Nullable EphemeralRunnerSet before, ScaleSetId id, boolean refused) {
      var origin = set.statusOrNone().scaleSetOrigin();
      var wanted =
          ChildSpecs.ephemeralRunnerSet(set, limits, id).toBuilder()
              .places(places().enforced())
              .startable(places().enforcedStarts())
              .idleStay(places().enforcedStay())
              .creationHeld(CreationHold.of(before, listener, id, origin) ? true : null)
              .templateRefused(refused && !formerTemplate ? true : null)
              .build();
      if (refused && before != null) {
        wanted = ChildSpecs.keepingTemplate(wanted, before.getSpec());
      }
      var made = children.ephemeralRunnerSet(set, before, wanted, cache);
      if (cluster == null) {
        cluster = keptAlive(made);
      }
      return made;
    }

    /** Whether pods of that revision are refused, though the server took one in the dry run. */
    private boolean isDoubted(@Nullable EphemeralRunnerSet before) {
      return before != null
          && before.getSpec().revision().equals(revision)
          && (failsLately(before)
              || RunnerHindrance.of(maker.report(before))
                  .filter(RunnerHindrance::isRefusalOfPods)
                  .isPresent());
    }

    private RunnerSetFacts status(Registration registration) {
      return maker.of(
          maker.facts(set, ers, going(listener) == null ? listener : null, offering, withoutBudget),
          new Obstacles(null, template, formerTemplate, registration, cluster),
          limits,
          places(),
          revision);
    }
  }

  /** One that is being deleted though its set stays: its session is closed, or soon will be. */
  private static @Nullable Finding going(@Nullable AutoScalingListener listener) {
    if (listener == null || !listener.isMarkedForDeletion()) {
      return null;
    }
    var meta = listener.getMetadata();
    return new Finding(
        RunnerSetReason.CHILD_TERMINATING,
        "The listener object %s/%s is being deleted, so nothing listens for the jobs of the set; it is"
                .formatted(meta.getNamespace(), meta.getName())
            + " made again when it is gone. If its namespace is being deleted, make that again then");
  }

  /** The status says it, and a retry would not help. */
  private static boolean isEndOfNamespace(RuntimeException failure) {
    return failure instanceof KubernetesClientException refused
        && NamespaceTermination.isCauseOf(refused);
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
}
