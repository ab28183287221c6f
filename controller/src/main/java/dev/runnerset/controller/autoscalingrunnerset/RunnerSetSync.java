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
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.MirroredConditions;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerHindrance;
import dev.runnerset.controller.autoscalingrunnerset.status.TemplateFindings;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
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
  private final StatusMaker maker;
  private final StatusWriter statuses;
  private final Clock clock;

  RunnerSetSync(
      ScaleSets scaleSets,
      ChildObjects objects,
      StatusMaker maker,
      StatusWriter statuses,
      Clock clock) {
    this.scaleSets = scaleSets;
    this.objects = objects;
    this.maker = maker;
    this.statuses = statuses;
    this.clock = clock;
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
    boolean offering;
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
    var written = new Written(seen, maker.limits(seen.set(), seen.ephemeralRunnerSet()));
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
                written.limits.requeueAt(),
                status.requeue(),
                retryAt(registration),
                objects.templates().askAgainAt(written.set)));
    var rest =
        statuses.write(
            written.set, status.status(), cache, clock.instant(), () -> maker.stored(status));
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
            written.set = statuses.making(written.set, intent, cache);
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
      written.set = statuses.atOnce(written.set, status(written, asking).status(), cache);
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
      step(written, () -> written.set = statuses.registered(set, registered, cache));
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
            () -> objects.children().grant(set, gathered.role(), gathered.binding(), cache));
    step(
        written,
        () -> written.withoutBudget = objects.children().budget(set, gathered.budget(), cache));
    var runners = written.ephemeralRunnerSet;
    // a listener that may not write would take jobs for which no runner is made
    boolean mayListen = made && (granted || written.listener != null);
    if (runners != null && mayListen) {
      step(written, () -> listen(set, runners, id, written, cache));
      written.offering = true;
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

  private StatusMaker.Made status(Written written, Registration registration) {
    return maker.of(
        maker.facts(
            written.set,
            written.ephemeralRunnerSet,
            written.listener,
            written.offering,
            written.withoutBudget),
        new Obstacles(
            null, written.template, written.formerTemplate, registration, written.cluster),
        written.limits,
        written.revision);
  }

  private static RequeueTime retryAt(Registration registration) {
    return registration instanceof Registration.Failed(_, var retryAt)
        ? RequeueTime.at(retryAt)
        : RequeueTime.NEVER;
  }
}
