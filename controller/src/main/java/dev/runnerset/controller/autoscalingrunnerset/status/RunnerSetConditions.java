package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.ServiceConnection;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that a runner set has of its own. Every pass computes each of them. {@link
 * #READY}, {@link #REGISTERED} and {@link #LISTENER_READY} are always there; the others are
 * positive sentences, there only while they are True.
 */
public final class RunnerSetConditions {
  /** Whether a job that comes now gets a runner; the reason names the first obstacle. */
  static final ConditionRule<ConditionInput> READY =
      new ConditionRule<>(ConditionType.READY, input -> Optional.of(ready(input)));

  /** Whether the set has its scale set at the Actions service. */
  static final ConditionRule<ConditionInput> REGISTERED =
      new ConditionRule<>(ConditionType.REGISTERED, input -> Optional.of(registered(input)));

  /** Whether a listener holds the message session of the set. */
  static final ConditionRule<ConditionInput> LISTENER_READY =
      new ConditionRule<>(ConditionType.LISTENER_READY, input -> Optional.of(listenerReady(input)));

  /** Whether some runners fail or cannot start, while others stand. */
  static final ConditionRule<ConditionInput> DEGRADED =
      new ConditionRule<>(ConditionType.DEGRADED, RunnerSetConditions::degraded);

  /** Whether the set takes fewer jobs than it could, and why. */
  static final ConditionRule<ConditionInput> CAPACITY_LIMITED =
      new ConditionRule<>(ConditionType.CAPACITY_LIMITED, RunnerSetConditions::capacityLimited);

  /** Whether the API server drops fields of spec.template, and which. */
  static final ConditionRule<ConditionInput> TEMPLATE_WARNING =
      new ConditionRule<>(ConditionType.TEMPLATE_WARNING, RunnerSetConditions::templateWarning);

  private static final List<ConditionRule<ConditionInput>> OWN =
      List.of(READY, REGISTERED, LISTENER_READY, DEGRADED, CAPACITY_LIMITED, TEMPLATE_WARNING);

  /** What is wrong with the runners, and what the listener could not write onto them. */
  private static final List<ConditionRule<ConditionInput>> OF_CHILDREN =
      Stream.concat(
              Stream.of(
                      ConditionType.PASSES_FAILING,
                      ConditionType.RUNNERS_FAILING,
                      ConditionType.RUNNERS_NOT_ENDING,
                      ConditionType.DRAIN_HELD,
                      ConditionType.JOBS_AT_RISK,
                      ConditionType.RUNNERS_NOT_REGISTERING,
                      ConditionType.JOBS_STRANDED,
                      ConditionType.RUNNERS_PENDING)
                  .map(type ->
                      new ConditionRule<ConditionInput>(type, input -> input.runners().of(type))),
              Stream.of(
                  new ConditionRule<>(
                      ConditionType.MARKS_DROPPED, RunnerSetConditions::marksDropped)))
          .toList();

  /** How long it stands that another controller sees the set, unless that one says so again. */
  public static final Duration OTHER_CONTROLLER_STANDS = Duration.ofMinutes(10);

  private RunnerSetConditions() {}

  /**
   * All conditions that are there, in their fixed order: those of the core, of the features, of the
   * children; equal to those before when nothing changed.
   *
   * @param facts the set with the conditions as they stand, and the time of those that change
   */
  public static List<Condition> all(
      ConditionInput input, List<ConditionRule<RunnerSetFacts>> ofFeatures, RunnerSetFacts facts) {
    var before = facts.set().statusOrNone().conditions();
    long generation = facts.set().getMetadata().getGeneration();
    var now = facts.now().instant();
    var ofFeaturesNow =
        ConditionRule.conditions(ofFeatures, facts, before, generation, now).toList();
    boolean expired = // which is why no runner takes a job (RN21)
        StatusConditions.find(ofFeaturesNow, ConditionType.RUNNER_VERSION_EXPIRED).isPresent();
    return Stream.of(
            ConditionRule.conditions(OWN, input, before, generation, now),
            ofFeaturesNow.stream(),
            ConditionRule.conditions(OF_CHILDREN, input, before, generation, now),
            ofOtherController(before, now))
        .flatMap(s -> s)
        .filter(c -> !expired || !ConditionType.JOBS_STRANDED.word().equals(c.getType()))
        .toList();
  }

  /** Another controller wrote it. It writes it again if it is still there when the time is over. */
  private static Stream<Condition> ofOtherController(List<Condition> before, Instant now) {
    return StatusConditions.find(before, ConditionType.OTHER_CONTROLLER)
        .filter(c -> {
          var since = Timestamps.parse(c.getLastTransitionTime());
          return since != null && now.isBefore(since.plus(OTHER_CONTROLLER_STANDS));
        })
        .stream();
  }

  private static Verdict ready(ConditionInput input) {
    if (input.obstacles().deletion() != null) {
      return Verdict.no(RunnerSetReason.DELETING, input.obstacles().deletion());
    }
    var refused = input.obstacles().template().refused();
    if (refused != null && othersThanRefused(input).isEmpty()) {
      return refused.no();
    }
    if (input.obstacles().registration() instanceof Registration.Failed(var finding, _)) {
      return finding.no();
    }
    if (input.obstacles().registration() instanceof Registration.Asking(var finding)) {
      return finding.no();
    }
    if (input.obstacles().cluster() != null) {
      return input.obstacles().cluster().no();
    }
    var listener = listenerReady(input);
    if (!listener.isTrue()) {
      return Verdict.no(listener.reason(), listener.message());
    }
    return switch (input.mode()) {
      case ACTIVE -> takingJobs(input);
      case PAUSED ->
          Verdict.yes(RunnerSetReason.PAUSED, "spec.mode is Paused: no new jobs are taken");
      case DRAINED -> drained(input.counts());
    };
  }

  /** A limit is a wish fulfilled, and so is a quota, which somebody set for the namespace. */
  private static Verdict takingJobs(ConditionInput input) {
    if (input.capacity().advertised() == 0 && input.capacity().why() == null) {
      return Verdict.yes(
          RunnerSetReason.MAX_RUNNERS,
          input.maximum() + " is 0: no jobs are taken; raise it if jobs are to run");
    }
    return RunnerHindrance.otherThanQuota(input.runners())
        .filter(hindrance -> hindrance.others(input.counts()).isEmpty())
        .map(RunnerHindrance::verdict)
        .map(verdict -> Verdict.no(verdict.reason(), verdict.message()))
        .orElseGet(() ->
            Verdict.yes(
                RunnerSetReason.READY,
                capacityLimited(input).map(Verdict::message).orElseGet(() -> atTheLimit(input))));
  }

  private static Verdict drained(@Nullable RunnerCounts counts) {
    return counts == null || counts.live() == 0
        ? Verdict.yes(RunnerSetReason.DRAINED, "spec.mode is Drained: no new jobs are taken")
        : Verdict.no(
            RunnerSetReason.DRAINING,
            "spec.mode is Drained: no new jobs are taken; %d runners are left, %d of them with a job"
                .formatted(counts.live(), counts.busy()));
  }

  private static Optional<Verdict> degraded(ConditionInput input) {
    var refused = input.obstacles().template().refused();
    if (refused != null) {
      return othersThanRefused(input)
          .map(others -> Verdict.yes(refused.reason(), others + ", but " + refused.message()));
    }
    if (input.mode() != RunnerMode.ACTIVE) {
      return Optional.empty();
    }
    return RunnerHindrance.otherThanQuota(input.runners())
        .flatMap(hindrance ->
            hindrance
                .others(input.counts())
                .map(others ->
                    Verdict.yes(
                        hindrance.verdict().reason(),
                        others + ", but " + hindrance.verdict().message())))
        .or(() -> labelsNotTaken(input));
  }

  private static Optional<Verdict> labelsNotTaken(ConditionInput input) {
    return input.obstacles().registration()
            instanceof Registration.Registered(_, _, _, _, var labels)
        ? Optional.ofNullable(labels).map(Finding::yes)
        : Optional.empty();
  }

  /** Which runners take a job that comes now although the template is refused; empty for none. */
  private static Optional<String> othersThanRefused(ConditionInput input) {
    if (input.obstacles().formerTemplate()) {
      return Optional.of("runners of the last accepted template are made");
    }
    return RunnerHindrance.idle(input.counts());
  }

  /** What a job that comes now waits for although all is well; empty if it need not wait. */
  private static String atTheLimit(ConditionInput input) {
    var jobs = input.jobs();
    int places = input.capacity().advertised();
    return jobs == null || jobs.assigned() < places
        ? ""
        : "all %d places%s are taken: a job that comes now waits"
            .formatted(places, input.capacity().why() == null ? " of " + input.maximum() : "");
  }

  private static Verdict registered(ConditionInput input) {
    return switch (input.obstacles().registration()) {
      case Registration.Registered(var id, _, _, _, _) ->
          Verdict.yes(RunnerSetReason.REGISTERED, "scale set " + id);
      case Registration.Asking(var finding) -> finding.unknown();
      case Registration.Failed(var finding, _) -> finding.no();
    };
  }

  /** What the status of a set says of its listener; empty if nothing yet. */
  public static Optional<Condition> listenerReadyOf(AutoScalingRunnerSet set) {
    return StatusConditions.find(set.statusOrNone().conditions(), ConditionType.LISTENER_READY);
  }

  private static Verdict listenerReady(ConditionInput input) {
    var listener = input.listener();
    if (listener == null) {
      var cluster = input.obstacles().cluster();
      if (cluster != null && cluster.reason() == RunnerSetReason.CHILD_FOREIGN) {
        return cluster.no();
      }
      return Verdict.no(
          RunnerSetReason.NO_LISTENER,
          "the set has no listener object yet: see the other conditions");
    }
    if (listener.holder() == null || listener.holder().isEmpty()) {
      return Verdict.no(
          RunnerSetReason.NOT_HELD,
          "no listener process holds the set yet: check that a listener runs and can read the"
              + " listener namespace");
    }
    var connected = connected(listener);
    return connected.isTrue() ? applied(listener) : connected;
  }

  /** A listener that hears all and cannot write it leaves the set without its jobs. */
  private static Verdict applied(AutoScalingListenerStatus listener) {
    var condition =
        StatusConditions.find(listener.conditions(), ConditionType.MESSAGES_APPLIED, Value.FALSE);
    if (condition.isEmpty()) {
      return Verdict.yes(RunnerSetReason.CONNECTED, "");
    }
    var reason = StatusConditions.reason(condition.get(), RunnerSetReason.NOT_CONNECTED);
    var message = StatusConditions.message(condition.get());
    // a message of which a part was skipped is over: the set gets its jobs
    return StatusConditions.has(condition.get(), ListenerReason.MESSAGE_SKIPPED)
        ? Verdict.yes(reason, message)
        : Verdict.no(reason, message);
  }

  /**
   * Whether the listener holds the session of the set, by the settings of its present spec.
   *
   * @param heard the status of the object, if its holder is dead with a condition of that
   */
  public static boolean isConnected(AutoScalingListener listener, AutoScalingListenerStatus heard) {
    return ServiceConnection.of(listener.getSpec()).hash().equals(heard.connection())
        && connected(heard).isTrue();
  }

  private static Optional<Verdict> marksDropped(ConditionInput input) {
    return Optional.ofNullable(input.listener())
        .flatMap(listener ->
            StatusConditions.find(listener.conditions(), ConditionType.MARKS_DROPPED, Value.TRUE))
        .map(c ->
            Verdict.yes(
                StatusConditions.reason(c, ListenerReason.RUNNER_GONE),
                StatusConditions.message(c)));
  }

  private static Verdict connected(AutoScalingListenerStatus listener) {
    var found = StatusConditions.find(listener.conditions(), ConditionType.CONNECTED);
    if (found.isEmpty()) {
      return Verdict.no(RunnerSetReason.CONNECTING, "the listener has not opened its session yet");
    }
    var condition = found.get();
    if (StatusConditions.has(condition, Value.TRUE)) {
      return Verdict.yes(RunnerSetReason.CONNECTED, "");
    }
    return new Verdict(
        StatusConditions.has(condition, Value.UNKNOWN) ? Value.UNKNOWN : Value.FALSE,
        StatusConditions.reason(condition, RunnerSetReason.NOT_CONNECTED),
        StatusConditions.message(condition));
  }

  private static Optional<Verdict> capacityLimited(ConditionInput input) {
    var limit = input.capacity().limitedBy();
    return limit == null
        ? Optional.empty()
        : Optional.of(Verdict.yes(limit.reason(), advice(limit, input)));
  }

  private static String advice(LimitedBy limit, ConditionInput input) {
    var jobs = input.jobs();
    return switch (limit) {
      case MAX_RUNNERS -> full(input.capacity().advertised(), jobs, input.maximum());
      case QUOTA ->
          waitingIfAny(jobs)
              + RunnerHindrance.of(input.runners())
                  .map(found -> found.verdict().message())
                  .orElseGet(() -> noRoom(input));
      case UNSCHEDULABLE, FAILING, NOT_STARTING -> waitingIfAny(jobs) + notPlaced(input);
      case STARTS_PER_MINUTE ->
          "no further runner is made now: %s; raise spec.capacity.startsPerMinute, or wait"
              .formatted(why(input));
      case PAUSED -> "spec.mode is Paused";
      case DRAINED -> "spec.mode is Drained";
      case DELETED -> "the set is being deleted";
    };
  }

  private static String waitingIfAny(@Nullable JobCounts jobs) {
    return jobs == null || jobs.waiting() == 0 ? "" : waiting(jobs.waiting()) + "; ";
  }

  /** What keeps runners from their places, and whether that limits what is taken. */
  private static String notPlaced(ConditionInput input) {
    var why = input.capacity().why();
    var limited = why != null && why.by().isOfPlacement() ? why.sentence() : "";
    var hindrance =
        RunnerHindrance.of(input.runners()).map(found -> found.verdict().message()).orElse("");
    return Stream.of(hindrance, limited)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String noRoom(ConditionInput input) {
    var refusal = input.obstacles().template().quota();
    return "no further runner finds room: %s; raise the quota, or lower %s"
        .formatted(refusal == null ? why(input) : refusal, input.maximum());
  }

  private static String why(ConditionInput input) {
    var why = input.capacity().why();
    return why == null ? "" : why.sentence();
  }

  private static String full(int places, @Nullable JobCounts jobs, String field) {
    int beyond = jobs == null ? 0 : jobs.running() + jobs.waiting() - places;
    return "all %d places of %s are taken, and %s for one: raise %s if more"
            .formatted(places, field, beyond > 0 ? waiting(beyond) : "further jobs wait", field)
        + " jobs are to run at a time";
  }

  private static String waiting(int jobs) {
    return jobs == 1 ? "1 job waits" : jobs + " jobs wait";
  }

  private static Optional<Verdict> templateWarning(ConditionInput input) {
    return Optional.ofNullable(input.obstacles().template().warning())
        .map(warning -> warning.yes());
  }
}
