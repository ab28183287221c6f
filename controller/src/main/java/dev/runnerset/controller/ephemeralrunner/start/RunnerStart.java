package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfigResult.NameTaken;
import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.JitWait;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The start of a runner: registration, secret, pod. It takes one service call, two creates and no
 * read when all is well. A runner's name never stands for two registrations (RN4): a step is
 * repeated only if the answer proves that nothing was made, and with the same registration; any
 * other start is given up.
 */
public record RunnerStart(RunnerConnections connections, RunnerObjects objects) {
  /** What one attempt to start a runner came to. */
  public sealed interface Outcome {
    /** The pod exists, made now or before. */
    record Made(Pod pod) implements Outcome {}

    /**
     * Not now: the step that failed is tried again, and nothing that was made before it.
     *
     * @param from where the next attempt goes on
     * @param condition the runner's condition that says why
     * @param asked how long the service asked to wait, or null
     */
    record TryAgain(
        StartState from,
        ConditionType condition,
        Reason reason,
        String message,
        @Nullable Duration asked)
        implements Outcome {}

    /** Nothing was sent: it is not the runner's turn to ask for its JIT config (CN3). */
    record Waits(StartState from, JitWait turn) implements Outcome {}

    /**
     * The service is asked for the JIT config by a call, which may run on any thread; what it
     * returns goes on with the start.
     */
    record Asks(Supplier<Answered> call) implements Outcome {}

    /** Nobody knows whether something was made. */
    record Unknown(@Nullable Long runnerId) implements Outcome {}

    /** The runner cannot start, or nobody can tell whether it does: it has failed. */
    record GivenUp(@Nullable Long runnerId, Reason reason, String message) implements Outcome {}

    /**
     * An earlier process left something behind: the runner is replaced. That is no failure, so that
     * a restart does not hold other runners back.
     */
    record LeftBehind(String why) implements Outcome {}

    /** Nothing more can be made in the namespace. */
    record NamespaceGone(long runnerId) implements Outcome {}
  }

  /**
   * The answer to a call for a JIT config.
   *
   * @param runnerId of the registration; null if none is known to be made
   * @param goesOn what is left of the start
   */
  public record Answered(@Nullable Long runnerId, Supplier<Outcome> goesOn) {}

  /**
   * Goes on with a start from where it stands. Blocks for requests of the API server.
   *
   * @param beforeSending called before the first request that makes something
   */
  public Outcome goOn(
      EphemeralRunner runner, PodTemplateSpec template, StartState start, Runnable beforeSending) {
    var attempt = new Attempt(runner, template, start, beforeSending);
    var id = start.runnerId();
    var fresh = start.unstored();
    return switch (start.stage()) {
      case UNSEEN -> whatIsThere(attempt).orElseGet(() -> register(attempt));
      case NEW, PERHAPS_REGISTERED -> register(attempt);
      case REGISTERED -> {
        beforeSending.run();
        yield fresh == null ? new Outcome.Unknown(id) : store(attempt, fresh);
      }
      case PREPARED -> {
        beforeSending.run();
        yield id == null ? new Outcome.Unknown(null) : makePod(attempt, id);
      }
      case UNCERTAIN, MADE, PARKED -> new Outcome.Unknown(id);
    };
  }

  private record Attempt(
      EphemeralRunner runner, PodTemplateSpec template, StartState start, Runnable beforeSending) {
    Outcome notRegistered(Reason reason, @Nullable String message, @Nullable Duration asked) {
      return new Outcome.TryAgain(
          start.unmade(), ConditionType.REGISTRATION_MADE, reason, String.valueOf(message), asked);
    }

    /** The API server could not be asked for that before anything was sent. */
    Outcome notBegun(String what, KubernetesClientException e) {
      return new Outcome.TryAgain(
          start,
          ConditionType.REGISTRATION_MADE,
          RunnerReason.READ_FAILED,
          "the controller cannot "
              + what
              + ", so it made nothing; it tries the start again; "
              + e.getMessage(),
          null);
    }

    /** The secret or the pod was not made, and may be later. */
    static Outcome notMade(StartState from, Reason reason, String message) {
      return new Outcome.TryAgain(from, ConditionType.SCHEDULED, reason, message, null);
    }
  }

  /**
   * Whether a start of unknown outcome made the pod. If there is none by now, the server may still
   * make one, so the start is given up.
   *
   * @param id of the registration, if it is known
   */
  public Outcome outcome(EphemeralRunner runner, @Nullable Long id) {
    return objects
        .pod(runner.getMetadata().getNamespace(), runner.getMetadata().getName())
        .map(pod -> found(runner, pod, id))
        .orElseGet(() ->
            new Outcome.GivenUp(
                id,
                RunnerReason.START_UNKNOWN,
                "the API server did not say whether it makes the runner's pod: another runner"
                    + " takes its place"));
  }

  // --- 0. what an earlier process left

  private Optional<Outcome> whatIsThere(Attempt attempt) {
    try {
      return read(attempt.runner());
    } catch (KubernetesClientException e) {
      return Optional.of(
          attempt.notBegun("read the secret and the pod of the runner from the API server", e));
    }
  }

  private Optional<Outcome> read(EphemeralRunner runner) {
    var namespace = runner.getMetadata().getNamespace();
    var name = runner.getMetadata().getName();
    var secret = objects.secret(namespace, name);
    var pod = objects.pod(namespace, name);
    if (pod.isPresent()) {
      var id =
          secret
              .filter(s -> RunnerPod.isOwnedBy(s, runner))
              .flatMap(JitSecret::runnerId)
              .orElseGet(() -> runner.statusOrNone().runnerId());
      return Optional.of(found(runner, pod.get(), id));
    }
    if (secret.isPresent() || runner.statusOrNone().runnerId() != null) {
      return Optional.of(
          new Outcome.LeftBehind(
              "an earlier controller began its start, and it is not known whether a pod will"
                  + " follow"));
    }
    return Optional.empty();
  }

  /** A pod is the runner's if it was made for the runner and for the registration that is known. */
  private static Outcome found(EphemeralRunner runner, Pod pod, @Nullable Long id) {
    if (!RunnerPod.isOwnedBy(pod, runner, id)) {
      return new Outcome.GivenUp(
          id,
          RunnerReason.NAME_TAKEN,
          "a pod of the runner's name exists and belongs to something else");
    }
    var mismatch = PodView.of(pod).registrationMismatch(id);
    return mismatch == null
        ? new Outcome.Made(pod)
        : new Outcome.GivenUp(id, RunnerReason.REGISTRATION_MISMATCH, mismatch);
  }

  // --- 1. the registration

  private Outcome register(Attempt attempt) {
    var runner = attempt.runner();
    RunnerConnections.ForJitConfig connection;
    try {
      connection = connections.forJitConfig(runner);
    } catch (InvalidConnectionException e) {
      return attempt.notRegistered(e.reason(), e.getMessage(), null);
    } catch (KubernetesClientException e) {
      return attempt.notBegun("read the credentials of the runner's set from the API server", e);
    }
    if (!runner.hasFinalizer(Labels.RUNNER_FINALIZER)) {
      try {
        objects.putFinalizer(runner); // INVARIANT (I5): before there is anything to leave behind
      } catch (KubernetesClientException e) {
        return attempt.notBegun("put its finalizer on the runner", e);
      }
    }
    var turn = connection.turn().get();
    if (turn.isPresent()) {
      return new Outcome.Waits(attempt.start().unmade(), turn.get());
    }
    attempt.beforeSending().run();
    return new Outcome.Asks(() -> ask(attempt, connection.service()));
  }

  private Answered ask(Attempt attempt, ActionsService service) {
    var runner = attempt.runner();
    try {
      var answer =
          service.generateJitConfig(
              new ScaleSetId(runner.getSpec().runnerScaleSetId()),
              runner.getMetadata().getName(),
              RunnerPod.workFolder(attempt.template()));
      return switch (answer) {
        case Registered fresh ->
            new Answered(fresh.runner().id().value(), () -> store(attempt, fresh));
        case NameTaken() -> new Answered(null, () -> nameTaken(attempt.start()));
      };
    } catch (ServiceException e) {
      // if the request was carried out all the same, the next one learns that the name is taken
      boolean paced = e.error() instanceof ServiceError.RateLimited; // its turn says when (CN3)
      var asked = paced ? Duration.ZERO : e.retryAfter();
      return new Answered(
          null, () -> attempt.notRegistered(AccessReasons.of(e.error()), e.getMessage(), asked));
    }
  }

  /**
   * The name is registered by an earlier attempt, whose JIT config is lost, or for another scale
   * set. This start can use neither. Only what an earlier process may have left is no failure.
   */
  private static Outcome nameTaken(StartState start) {
    var message = "the service already has a runner of this name";
    if (start.unmade().stage() == StartState.Stage.PERHAPS_REGISTERED) {
      return new Outcome.LeftBehind(
          message + "; an earlier controller may have registered it and lost the answer");
    }
    return start.failures() == 0
        ? new Outcome.GivenUp(null, RunnerReason.NAME_TAKEN, message)
        : new Outcome.GivenUp(
            null,
            RunnerReason.START_UNKNOWN,
            message
                + "; an earlier attempt may have registered it, but the answer was lost: another"
                + " runner takes its place");
  }

  // --- 2. the secret

  private Outcome store(Attempt attempt, Registered fresh) {
    var runner = attempt.runner();
    var id = fresh.runner().id();
    try {
      return switch (objects.createSecret(JitSecret.of(runner, fresh.runner(), fresh.config()))) {
        case CreateAnswer.Created<Secret> _ -> makePod(attempt, id.value());
        case CreateAnswer.AlreadyExists<Secret> _ ->
            isStored(runner, id)
                ? makePod(attempt, id.value()) // by our own request, sent again
                : new Outcome.GivenUp(
                    id.value(),
                    RunnerReason.START_UNKNOWN,
                    "a secret of the runner's name exists and is not of its registration");
        case CreateAnswer.Refused<Secret>(var message) ->
            new Outcome.GivenUp(id.value(), RunnerReason.SECRET_REFUSED, message);
        case CreateAnswer.NotNow<Secret>(var obstacle, var message) ->
            Attempt.notMade(attempt.start().registered(fresh), obstacle.ofSecret(), message);
        case CreateAnswer.NamespaceGone<Secret> _ -> new Outcome.NamespaceGone(id.value());
      };
    } catch (KubernetesClientException e) {
      return new Outcome.Unknown(id.value());
    }
  }

  private boolean isStored(EphemeralRunner runner, RunnerId id) {
    return objects
        .secret(runner.getMetadata().getNamespace(), runner.getMetadata().getName())
        .filter(secret -> RunnerPod.isOwnedBy(secret, runner))
        .flatMap(JitSecret::runnerId)
        .filter(stored -> stored == id.value())
        .isPresent();
  }

  // --- 3. the pod

  private Outcome makePod(Attempt attempt, long id) {
    return switch (RunnerPod.build(attempt.runner(), attempt.template(), id)) {
      case PodBuild.Problem(var sentence) ->
          new Outcome.GivenUp(id, RunnerReason.POD_REFUSED, sentence);
      case PodBuild.Built(var pod) -> create(attempt, pod, id);
    };
  }

  private Outcome create(Attempt attempt, Pod pod, long id) {
    try {
      return switch (objects.createPod(pod)) {
        case CreateAnswer.Created<Pod>(var stored) -> new Outcome.Made(stored);
        case CreateAnswer.AlreadyExists<Pod> _ -> new Outcome.Unknown(id);
        case CreateAnswer.Refused<Pod>(var message) ->
            new Outcome.GivenUp(id, RunnerReason.POD_REFUSED, message);
        case CreateAnswer.NotNow<Pod>(var obstacle, var message) ->
            Attempt.notMade(attempt.start().prepared(id), obstacle.ofPod(), message);
        case CreateAnswer.NamespaceGone<Pod> _ -> new Outcome.NamespaceGone(id);
      };
    } catch (KubernetesClientException e) {
      return new Outcome.Unknown(id); // the server may still make the pod, even later
    }
  }
}
