package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ScaleSetIdentities;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, finds, makes or changes the scale set of a runner set (NM2, NM5). Blocks for calls of the
 * service.
 */
record ScaleSetSource(Events events, ScaleSetClaims claims, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetSource.class);

  /** What the service has for a set. */
  sealed interface Result {
    /** A scale set that the set may use; the origin is null if nobody wrote it down. */
    record Usable(ScaleSet scaleSet, @Nullable Origin origin) implements Result {}

    /** None that the set may use. */
    record None(Finding finding) implements Result {}
  }

  /**
   * The scale set of the set.
   *
   * @param before called before a scale set is made, and when none was made after all: then with
   *     what a request before it may still bring, else null; before one is changed; and when that
   *     of the status is lost
   */
  Result obtain(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls before) {
    var status = set.statusOrNone();
    var known = status.scaleSetId();
    if (known != null) {
      var there = service.scaleSet(new ScaleSetId(known));
      // INVARIANT: an id proves nothing: a restored server gives it again
      if (there.filter(found -> ScaleSetProof.isStillThatOf(set, found)).isPresent()) {
        return new Result.Usable(
            updated(service, set, there.get(), group, before), status.scaleSetOrigin());
      }
      var why =
          there
              .map(ScaleSetProof::anothers)
              .orElse("it was deleted there, or the server was restored");
      events.warn(
          set,
          EventReason.SCALE_SET_GONE,
          "The scale set " + known + " is no longer at the service: " + why);
      log(set).addKeyValue("scaleSetId", known).addKeyValue("why", why).log("lost the scale set");
      before.lost();
      claims.lost(set); // another set may have the id
    }
    var found = service.findScaleSet(group, SpecCheck.scaleSetName(set));
    return found.isPresent()
        ? judged(set, found.get(), status.scaleSetIntent())
        : made(service, set, group, before);
  }

  private Result judged(AutoScalingRunnerSet set, ScaleSet found, @Nullable Intent intent) {
    if (ScaleSetProof.isMadeBy(intent, wanted(set, found.runnerGroupId()), found)) {
      log(set).addKeyValue("scaleSetId", found.id()).log("found the scale set that was made");
      return new Result.Usable(found, Origin.CREATED);
    }
    if (!ScaleSetProof.isAdopted(set, found)) {
      return new Result.None(ScaleSetProof.adoptionRequired(set, found));
    }
    events.warn(
        set,
        EventReason.SCALE_SET_ADOPTED,
        ("The scale set '%s' (%s) was made by somebody else; spec.adoptScaleSetId names it: this set"
                + " uses it from now on")
            .formatted(found.name(), found.id()));
    return new Result.Usable(found, Origin.ADOPTED);
  }

  private Result made(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls intents) {
    var name = SpecCheck.scaleSetName(set);
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var last = set.statusOrNone().scaleSetIntent();
    var before = ScaleSetProof.mayComeTrue(last, wanted(set, group), at) ? last : null;
    intents.making(new Intent(name, group.value(), at));
    CreateScaleSetResult answer;
    try {
      answer = service.createScaleSet(wanted(set, group));
    } catch (ServiceException e) {
      if (!mayBeMade(e.error())) {
        intents.making(before);
      }
      throw e;
    }
    return switch (answer) {
      case CreateScaleSetResult.Created(var made) -> {
        log(set).addKeyValue("scaleSetId", made.id()).log("created the scale set");
        yield new Result.Usable(made, Origin.CREATED);
      }
      // INVARIANT: the request is sent once, so that only one before it may have made this one
      case CreateScaleSetResult.NameTaken() -> {
        intents.making(before);
        yield service
            .findScaleSet(group, name)
            .map(found -> judged(set, found, before))
            .orElseGet(() -> new Result.None(hidden(set)));
      }
    };
  }

  /** Whether the request may have been carried out though no answer says so. */
  private static boolean mayBeMade(ServiceError error) {
    return error instanceof ServiceError.Unavailable
        || error instanceof ServiceError.Malformed
        || error instanceof ServiceError.Cancelled;
  }

  /** The scale set with name, group and labels of the spec. */
  private ScaleSet updated(
      ActionsService service,
      AutoScalingRunnerSet set,
      ScaleSet ours,
      RunnerGroupId group,
      BeforeCalls before) {
    var wanted = wanted(set, group);
    var labels = ScaleSetProof.folded(wanted.labels());
    boolean labelled = ScaleSetProof.folded(ours.labels()).equals(labels);
    boolean placed = ours.name().equals(wanted.name()) && ours.runnerGroupId().equals(group);
    if (placed && labelled) {
      return ours;
    }
    if (!placed) {
      before.changing(ScaleSetIdentities.of(ours).becoming(wanted.name(), group.value()));
    }
    var updated = service.updateScaleSet(ours.id(), wanted);
    log(set)
        .addKeyValue("scaleSetId", ours.id())
        .addKeyValue("name", updated.name())
        .addKeyValue("runnerGroupId", updated.runnerGroupId())
        .addKeyValue("labels", updated.labels())
        .log("changed the scale set");
    return updated;
  }

  private static NewScaleSet wanted(AutoScalingRunnerSet set, RunnerGroupId group) {
    return new NewScaleSet(SpecCheck.scaleSetName(set), group, SpecCheck.labels(set));
  }

  private static Finding hidden(AutoScalingRunnerSet set) {
    return new Finding(
        RunnerSetReason.SCALE_SET_NAME_TAKEN,
        ("The service says that a scale set named '%s' exists, which the credentials may not see: choose"
                + " another spec.runnerScaleSetName")
            .formatted(SpecCheck.scaleSetName(set)));
  }

  private static org.slf4j.spi.LoggingEventBuilder log(AutoScalingRunnerSet set) {
    return LogLines.about(set, LOG.atInfo());
  }
}
