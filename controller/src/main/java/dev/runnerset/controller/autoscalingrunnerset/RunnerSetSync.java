package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildCache;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.children.CredentialsInUse;
import dev.runnerset.controller.autoscalingrunnerset.children.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.children.PermissionWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.autoscalingrunnerset.planning.NameOwnership;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.autoscalingrunnerset.status.Conditions;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RolloutStall;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetCondition;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetStatus;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One pass over a set that is to live: scale set, children, permissions, status. */
final class RunnerSetSync {
  private final ScaleSetRegistrar registrar;
  private final TemplateCheck templates;
  private final ChildWriter children;
  private final PermissionWriter permissions;
  private final CredentialsInUse credentials;
  private final StatusWriter statuses;
  private final AgeCollectionStep ages;
  private final RunnerSetSeries series;
  private final EmbeddedStatus embedded;
  private final HistoryWriter history;
  private final Events events;
  private final Clock clock;

  RunnerSetSync(SetParts parts) {
    this.registrar = parts.registrar();
    this.templates = parts.templates();
    this.children = parts.children();
    this.permissions = parts.permissions();
    this.credentials = parts.credentials();
    this.statuses = parts.statuses();
    this.ages = parts.ages();
    this.series = parts.series();
    this.embedded = parts.embedded();
    this.history = parts.history();
    this.events = parts.events();
    this.clock = parts.clock();
  }

  /** What came of the writes to the cluster. */
  private static final class Written {
    final String revision;
    AutoScalingRunnerSet set;
    @Nullable EphemeralRunnerSet ephemeralRunnerSet;
    @Nullable AutoScalingListener listener;
    @Nullable Finding template;
    @Nullable Finding cluster;
    @Nullable KubernetesClientException failure;
    Optional<Instant> again = Optional.empty();

    Written(ObservedRunnerSet gathered) {
      this.revision = Revision.of(gathered.set().getSpec());
      this.set = gathered.set();
      this.ephemeralRunnerSet = gathered.ephemeralRunnerSet();
      this.listener = gathered.listener();
    }
  }

  /**
   * The pass; blocks for requests.
   *
   * @return when to look again without an event
   * @throws KubernetesClientException after the status was written: try again with backoff
   */
  Optional<Instant> run(ObservedRunnerSet seen, ChildCache cache) {
    series.show(seen.set());
    var gathered = seen.with(ages.take(seen.set(), seen.ephemeralRunnerSet(), cache));
    var written = new Written(gathered);
    var registration =
        registrar.ensure(
            gathered.set(),
            gathered.all(),
            gathered.disconnectedSince(),
            asking -> tell(asking, written, cache));
    try {
      write(gathered.with(written.set), registration, written, cache);
    } catch (ForeignChildException e) {
      written.cluster = new Finding("ChildForeign", String.valueOf(e.getMessage()));
      events.warn(seen.set(), "ChildForeign", written.cluster.message());
      written.failure = new KubernetesClientException(e.getMessage());
    } catch (KubernetesClientException e) {
      written.failure = ClusterFindings.isNamespaceTerminating(e) ? null : e;
      written.cluster = e.getCode() == 409 ? null : ClusterFindings.of(e);
    }
    var status = status(written, registration);
    var again = statuses.write(written.set, status, cache, clock.instant());
    if (again.isEmpty()) {
      RolloutStall.turned(written.set, status.conditions())
          .ifPresent(message ->
              events.warn(written.set, RunnerSetCondition.ROLLOUT_STALLED.type(), message));
    }
    if (written.failure != null) {
      throw written.failure;
    }
    return earliest(
        Stream.of(again, written.again, retryAt(registration), templates.askAgainAt(written.set)));
  }

  /** A service that accepts and never answers must not leave a user without a word. */
  private void tell(Registration.Asking asking, Written written, ChildCache cache) {
    if (!StatusWriter.tellsOfRegistration(written.set)) {
      written.set = statuses.beforeAsking(written.set, status(written, asking), cache);
    }
  }

  private void write(
      ObservedRunnerSet gathered, Registration registration, Written written, ChildCache cache) {
    var set = gathered.set();
    written.template = templates.finding(set, written.revision).orElse(null);
    if (registration instanceof Registration.Registered registered) {
      written.set = statuses.registered(set, registered, cache);
      credentials.hold(set);
    }
    var before = written.ephemeralRunnerSet;
    if (isAnothers(registration)) {
      children.stopOffering(set, before, written.listener, cache);
      return;
    }
    var id = scaleSetId(registration, written.set);
    if (id == null || (written.template != null && before == null)) {
      if (before == null) {
        credentials.releaseFormer(set, written.listener, gathered.all());
      }
      return;
    }
    var wanted = ChildSpecs.ephemeralRunnerSet(set, before, id);
    if (written.template != null && before != null) {
      wanted = ChildSpecs.keepingTemplate(wanted, before.getSpec());
    }
    var ephemeralRunnerSet = children.ephemeralRunnerSet(set, before, wanted, cache);
    written.ephemeralRunnerSet = ephemeralRunnerSet;
    ages.lowered(set, ephemeralRunnerSet);
    credentials.releaseFormer(set, written.listener, gathered.all());
    permissions.grant(set, gathered.role(), gathered.binding(), cache);
    var listener = ChildSpecs.listener(set, ephemeralRunnerSet, id);
    written.listener = children.listener(set, written.listener, listener, cache);
    var recorded = history.record(written.set, ephemeralRunnerSet, written.listener, cache);
    written.set = recorded.set();
    written.again = recorded.requeueAt();
  }

  /** Whether the scale set that the set knows is another set's: then it must not be worked with. */
  private static boolean isAnothers(Registration registration) {
    return registration instanceof Registration.Failed(var finding, _)
        && finding.reason().equals(NameOwnership.SHARED);
  }

  /** One that is known goes on working while the service cannot be asked. */
  private static @Nullable ScaleSetId scaleSetId(
      Registration registration, AutoScalingRunnerSet set) {
    if (registration instanceof Registration.Registered(var id, _)) {
      return id;
    }
    var known = set.statusOrNone().scaleSetId();
    return known == null ? null : new ScaleSetId(known);
  }

  private RunnerSetStatus status(Written written, Registration registration) {
    var set = written.set;
    var scaling = ChildSpecs.scaling(set, written.ephemeralRunnerSet);
    var capacity = CapacityPlan.of(scaling);
    var listener = written.listener;
    var view =
        new ConditionInput(
            null,
            scaling.mode(),
            set.getSpec().retention(),
            written.template,
            registration,
            written.cluster,
            listener == null ? null : listener.statusOrNone(),
            capacity,
            ObservedRunnerSet.runnersFailing(written.ephemeralRunnerSet),
            RolloutStall.of(set, written.ephemeralRunnerSet),
            ages.view(set));
    var registered = registration instanceof Registration.Registered r ? r : null;
    long generation = set.getMetadata().getGeneration();
    return new RunnerSetStatus(
        generation,
        registered == null ? null : registered.id().value(),
        registered == null ? null : registered.group().value(),
        written.revision,
        ObservedRunnerSet.mirrored(
            Conditions.of(set.statusOrNone().conditions(), view, generation, clock.instant()),
            written.ephemeralRunnerSet,
            generation),
        RunnerSetStatus.jobs(written.ephemeralRunnerSet),
        RunnerSetStatus.runners(written.ephemeralRunnerSet, DesiredRunners.of(scaling)),
        RunnerSetStatus.capacity(capacity),
        RunnerSetStatus.children(written.ephemeralRunnerSet, listener, embedded));
  }

  private static Optional<Instant> retryAt(Registration registration) {
    return registration instanceof Registration.Failed(_, var retryAt)
        ? Optional.of(retryAt)
        : Optional.empty();
  }

  private static Optional<Instant> earliest(Stream<Optional<Instant>> looks) {
    return looks.flatMap(Optional::stream).min(Comparator.naturalOrder());
  }
}
