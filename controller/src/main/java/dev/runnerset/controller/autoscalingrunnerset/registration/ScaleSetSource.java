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
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, finds, makes or changes the scale set of a runner set (NM2, NM5). Each call runs beside
 * the pass, which asks again once it is woken.
 */
record ScaleSetSource(
    ServiceCalls calls, Events events, ScaleSetClaims claims, Memories memories, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetSource.class);

  /**
   * What came of the last request to make one, until a pass has used it: whether a scale set was
   * made is a fact of the set, whatever its spec says by then.
   */
  private static final Slot<Made> MADE = new Slot<>();

  /** What the service has for a set. */
  sealed interface Result {
    /** A scale set that the set may use; the origin is null if nobody wrote it down. */
    record Usable(ScaleSet scaleSet, @Nullable Origin origin) implements Result {}

    /** None that the set may use. */
    record None(Finding finding) implements Result {}
  }

  /**
   * What came of a request to make a scale set: the answer or the failure.
   *
   * @param before what a request before it may still bring, or null
   */
  record Made(
      String url,
      NewScaleSet wanted,
      @Nullable CreateScaleSetResult answer,
      @Nullable ServiceException failure,
      @Nullable Intent before) {
    /** Whether the request may have been carried out though no answer says so. */
    boolean isUnknown() {
      return failure != null
          && (failure.error() instanceof ServiceError.Unavailable
              || failure.error() instanceof ServiceError.Malformed
              || failure.error() instanceof ServiceError.Cancelled);
    }
  }

  /** What is asked; {@link ServiceCalls} finds the answers by it. */
  private sealed interface Question {
    record Known(ScaleSetId id) implements Question {}

    record Named(RunnerGroupId group, String name) implements Question {}

    record Taken(NewScaleSet wanted) implements Question {}

    record Create(NewScaleSet wanted) implements Question {}

    record Update(ScaleSetId id, NewScaleSet wanted) implements Question {}
  }

  /**
   * The scale set of the set.
   *
   * @param before called before a scale set is made, and when none was made after all: then with
   *     what a request before it may still bring, else null; before one is changed; and when that
   *     of the status is lost
   * @return empty while the service is asked
   */
  Optional<Result> obtain(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls before) {
    var status = set.statusOrNone();
    var known = status.scaleSetId();
    if (known != null) {
      var id = new ScaleSetId(known);
      var read = calls.ask(set, new Question.Known(id), () -> {}, () -> service.scaleSet(id));
      if (read.isEmpty()) {
        return Optional.empty();
      }
      var there = read.get();
      // INVARIANT: an id proves nothing: a restored server gives it again
      if (there.filter(found -> ScaleSetProof.isStillThatOf(set, found)).isPresent()) {
        return updated(service, set, there.get(), group, before)
            .map(ours -> new Result.Usable(ours, status.scaleSetOrigin()));
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
    var made = memories.of(set).find(MADE);
    return made != null && isOfNow(made, set, group, before)
        ? used(service, set, group, before, made)
        : found(service, set, group, before);
  }

  private Optional<Result> found(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls before) {
    var name = SpecCheck.scaleSetName(set);
    return calls
        .ask(
            set, new Question.Named(group, name), () -> {}, () -> service.findScaleSet(group, name))
        .flatMap(found ->
            found.isPresent()
                ? Optional.of(judged(set, found.get(), set.statusOrNone().scaleSetIntent()))
                : made(service, set, group, before));
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

  private Optional<Result> made(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls intents) {
    var wanted = wanted(set, group);
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var last = set.statusOrNone().scaleSetIntent();
    var before = ScaleSetProof.mayComeTrue(last, wanted, at) ? last : null;
    return calls
        .ask(
            set,
            new Question.Create(wanted),
            () -> intents.making(new Intent(wanted.name(), group.value(), at)),
            () -> create(service, set, wanted, before))
        .flatMap(made -> used(service, set, group, intents, made));
  }

  private Made create(
      ActionsService service,
      AutoScalingRunnerSet set,
      NewScaleSet wanted,
      @Nullable Intent before) {
    var url = SpecCheck.url(set);
    Made made;
    try {
      var answer = service.createScaleSet(wanted);
      made = new Made(url, wanted, answer, null, before);
      if (answer instanceof CreateScaleSetResult.Created(var created)) {
        log(set).addKeyValue("scaleSetId", created.id()).log("created the scale set");
      }
    } catch (ServiceException e) {
      made = new Made(url, wanted, null, e, before);
    }
    memories.of(set).put(MADE, made);
    return made;
  }

  /**
   * Whether that request still counts. One of another spec counts if it made a scale set, which
   * then gets the present name; if it made none, its intent is taken back.
   */
  private boolean isOfNow(
      Made made, AutoScalingRunnerSet set, RunnerGroupId group, BeforeCalls intents) {
    boolean here = made.url().equals(SpecCheck.url(set));
    if (here
        && (made.answer() instanceof CreateScaleSetResult.Created
            || made.wanted().equals(wanted(set, group)))) {
      return true;
    }
    if (here && !made.isUnknown()) {
      intents.making(made.before());
    }
    memories.of(set).clear(MADE);
    return false;
  }

  private Optional<Result> used(
      ActionsService service,
      AutoScalingRunnerSet set,
      RunnerGroupId group,
      BeforeCalls intents,
      Made made) {
    var wanted = wanted(set, group);
    var result =
        switch (made.answer()) {
          case null -> {
            if (!made.isUnknown()) {
              intents.making(made.before());
            }
            memories.of(set).clear(MADE);
            throw Objects.requireNonNull(made.failure());
          }
          case CreateScaleSetResult.Created(var created) ->
              (made.wanted().equals(wanted)
                      ? Optional.of(created)
                      : updated(service, set, created, group, intents))
                  .<Result>map(there -> new Result.Usable(there, Origin.CREATED));
          // INVARIANT: the request is sent once, so that only one before it may have made this one
          case CreateScaleSetResult.NameTaken() ->
              calls
                  .ask(
                      set,
                      new Question.Taken(wanted),
                      () -> intents.making(made.before()),
                      () -> service.findScaleSet(group, wanted.name()))
                  .map(found ->
                      found
                          .map(other -> judged(set, other, made.before()))
                          .orElseGet(() -> new Result.None(hidden(set))));
        };
    result.ifPresent(_ -> memories.of(set).clear(MADE));
    return result;
  }

  /** The scale set with name, group and labels of the spec; empty while it is changed. */
  private Optional<ScaleSet> updated(
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
      return Optional.of(ours);
    }
    return calls.ask(
        set,
        new Question.Update(ours.id(), wanted),
        () -> {
          if (!placed) {
            before.changing(ScaleSetIdentities.of(ours).becoming(wanted.name(), group.value()));
          }
        },
        () -> update(service, set, ours.id(), wanted));
  }

  private static ScaleSet update(
      ActionsService service, AutoScalingRunnerSet set, ScaleSetId id, NewScaleSet wanted) {
    var updated = service.updateScaleSet(id, wanted);
    log(set)
        .addKeyValue("scaleSetId", id)
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
