package dev.runnerset.controller.ephemeralrunner.start;

import static dev.runnerset.crds.condition.ConditionType.REGISTERED;
import static dev.runnerset.crds.condition.ConditionType.SCHEDULED;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfigResult.NameTaken;
import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RegistrationMismatch;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerIdentity;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The start of a runner: registration, secret, pod; one service call and two creates, and no read,
 * when all is well. A runner's name never stands for two registrations (RN4): a step is repeated
 * only where the answer proves that nothing was made, and with the same registration; any other
 * start is given up.
 */
public final class RunnerStart {
  private final RunnerConnections connections;
  private final RunnerObjects objects;

  public RunnerStart(RunnerConnections connections, RunnerObjects objects) {
    this.connections = connections;
    this.objects = objects;
  }

  /**
   * Goes on from where the start is known to be.
   *
   * @param beforeSending called before the first request that makes something
   */
  public StartOutcome goOn(
      EphemeralRunner runner,
      PodTemplateSpec template,
      RunnerMemory attempt,
      Runnable beforeSending) {
    var id = attempt.runnerId();
    var fresh = attempt.start().unstored();
    return switch (attempt.stage()) {
      case UNSEEN ->
          whatIsThere(runner).orElseGet(() -> register(runner, template, attempt, beforeSending));
      case NEW -> register(runner, template, attempt, beforeSending);
      case REGISTERED -> {
        beforeSending.run();
        yield fresh == null ? new StartOutcome.Unknown(id) : store(runner, template, fresh);
      }
      case PREPARED -> {
        beforeSending.run();
        yield id == null ? new StartOutcome.Unknown(null) : makePod(runner, template, id);
      }
      case UNCERTAIN, MADE, PARKED -> new StartOutcome.Unknown(id);
    };
  }

  /** What an earlier process made of a start that this process knows nothing about. */
  private Optional<StartOutcome> whatIsThere(EphemeralRunner runner) {
    try {
      return found(runner);
    } catch (KubernetesClientException e) {
      return Optional.of(notBegun("the secret and the pod of the runner", e));
    }
  }

  private static StartOutcome notBegun(String what, KubernetesClientException e) {
    return new StartOutcome.NotBegun(
        RunnerReason.READ_FAILED,
        "the controller cannot read "
            + what
            + " from the API server: the start of the runner waits, and is tried again; "
            + e.getMessage());
  }

  private Optional<StartOutcome> found(EphemeralRunner runner) {
    var namespace = runner.getMetadata().getNamespace();
    var name = runner.getMetadata().getName();
    var secret = objects.secret(namespace, name);
    var pod = objects.pod(namespace, name);
    if (pod.isPresent()) {
      var inSecret = secret.filter(s -> JitSecret.isOwn(s, runner)).flatMap(JitSecret::runnerId);
      return Optional.of(taken(runner, pod.get(), inSecret.orElse(null)));
    }
    var status = runner.getStatus();
    if (secret.isPresent() || (status != null && status.runnerId() != null)) {
      return Optional.of(
          new StartOutcome.LeftBehind(
              "an earlier controller began its start: whether a pod comes of it is not known"));
    }
    return Optional.empty();
  }

  private StartOutcome register(
      EphemeralRunner runner,
      PodTemplateSpec template,
      RunnerMemory attempt,
      Runnable beforeSending) {
    ActionsService service;
    try {
      service = connections.to(runner);
    } catch (InvalidConnectionException e) {
      return new StartOutcome.NotNow(REGISTERED, e.reason(), String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      return notBegun("the credentials of the runner's set", e);
    }
    beforeSending.run();
    try {
      var answer =
          service.generateJitConfig(
              new ScaleSetId(runner.getSpec().runnerScaleSetId()),
              runner.getMetadata().getName(),
              RunnerPod.workFolder(template));
      return switch (answer) {
        case Registered fresh -> store(runner, template, fresh);
        case NameTaken() -> nameTaken(attempt.start());
      };
    } catch (ServiceException e) {
      // should the request have been carried out, the next one is told that the name is taken
      return new StartOutcome.NotNow(REGISTERED, reason(e.error()), String.valueOf(e.getMessage()));
    }
  }

  /**
   * The name is registered by an earlier try, whose JIT config is lost, or for another scale set.
   * This start can use neither. Only what an earlier process may have left is no failure.
   */
  private static StartOutcome nameTaken(StartState start) {
    var message = "the service already has a runner of this name";
    if (start.stage() == StartState.Stage.UNSEEN) {
      return new StartOutcome.LeftBehind(
          message + "; an earlier controller may have registered it and lost the answer");
    }
    return start.failures() == 0
        ? new StartOutcome.GivenUp(null, RunnerReason.NAME_TAKEN, message)
        : new StartOutcome.GivenUp(
            null,
            RunnerReason.START_UNKNOWN,
            message
                + "; an earlier try may have registered it, but the answer was lost: another runner"
                + " takes its place");
  }

  private static AccessReason reason(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized _ -> AccessReason.UNAUTHORIZED;
      case ServiceError.Forbidden _ -> AccessReason.FORBIDDEN;
      case ServiceError.NotFound _ -> AccessReason.NOT_FOUND;
      case ServiceError.Conflict _, ServiceError.SessionLost _ -> AccessReason.CONFLICT;
      case ServiceError.RateLimited _ -> AccessReason.RATE_LIMITED;
      case ServiceError.Unavailable _, ServiceError.NotSent _ -> AccessReason.SERVICE_UNAVAILABLE;
      case ServiceError.Refused _ -> AccessReason.REFUSED;
      case ServiceError.Malformed _ -> AccessReason.MALFORMED_ANSWER;
      case ServiceError.Cancelled _ -> AccessReason.CANCELLED;
    };
  }

  private StartOutcome store(EphemeralRunner runner, PodTemplateSpec template, Registered fresh) {
    var id = fresh.runner().id();
    try {
      return switch (objects.createSecret(JitSecret.of(runner, fresh.runner(), fresh.config()))) {
        case CreateAnswer.Created<Secret> stored -> makePod(runner, template, id.value());
        case CreateAnswer.AlreadyExists<Secret> exists ->
            isStored(runner, id)
                ? makePod(runner, template, id.value()) // by our own request, sent again
                : new StartOutcome.GivenUp(
                    id.value(),
                    RunnerReason.START_UNKNOWN,
                    "a secret of its name is there already");
        case CreateAnswer.Refused<Secret>(var message) ->
            new StartOutcome.GivenUp(id.value(), RunnerReason.SECRET_REFUSED, message);
        case CreateAnswer.NotNow<Secret>(var why, var message) ->
            new StartOutcome.SecretNotNow(fresh, why.ofSecret(), message);
        case CreateAnswer.NamespaceGone<Secret> gone -> new StartOutcome.NamespaceGone(id.value());
      };
    } catch (KubernetesClientException e) {
      return new StartOutcome.Unknown(id.value());
    }
  }

  private boolean isStored(EphemeralRunner runner, RunnerId id) {
    return objects
        .secret(runner.getMetadata().getNamespace(), runner.getMetadata().getName())
        .filter(secret -> JitSecret.isOwn(secret, runner))
        .flatMap(JitSecret::runnerId)
        .filter(stored -> stored == id.value())
        .isPresent();
  }

  private StartOutcome makePod(EphemeralRunner runner, PodTemplateSpec template, long id) {
    var name = runner.getMetadata().getName();
    return switch (RunnerPod.build(runner, template, new RunnerIdentity(id, name))) {
      case PodBuild.Problem(var sentence) ->
          new StartOutcome.GivenUp(id, RunnerReason.POD_REFUSED, sentence);
      case PodBuild.Built(var pod) -> create(pod, id);
    };
  }

  private StartOutcome create(Pod pod, long id) {
    try {
      return switch (objects.createPod(pod)) {
        case CreateAnswer.Created<Pod>(var stored) -> new StartOutcome.Made(stored);
        case CreateAnswer.AlreadyExists<Pod> exists -> new StartOutcome.Unknown(id);
        case CreateAnswer.Refused<Pod>(var message) ->
            new StartOutcome.GivenUp(id, RunnerReason.POD_REFUSED, message);
        case CreateAnswer.NotNow<Pod>(var why, var message) ->
            new StartOutcome.PodNotNow(id, SCHEDULED, why.ofPod(), message);
        case CreateAnswer.NamespaceGone<Pod> gone -> new StartOutcome.NamespaceGone(id);
      };
    } catch (KubernetesClientException e) {
      return new StartOutcome.Unknown(id); // the server may make the pod all the same, even later
    }
  }

  /**
   * Whether a start whose outcome was not known made the pod; if it did not by now, it may yet.
   *
   * @param id of the registration, if it is known
   */
  public StartOutcome outcome(EphemeralRunner runner, @Nullable Long id) {
    return objects
        .pod(runner.getMetadata().getNamespace(), runner.getMetadata().getName())
        .map(pod -> taken(runner, pod, id))
        .orElseGet(() ->
            new StartOutcome.GivenUp(
                id,
                RunnerReason.START_UNKNOWN,
                "the API server did not say whether it makes the runner's pod: another runner"
                    + " takes its place"));
  }

  /** A pod is the runner's if it was made for it, and for the registration that is known. */
  private static StartOutcome taken(EphemeralRunner runner, Pod pod, @Nullable Long id) {
    if (!JitSecret.isOwn(pod, runner)) {
      return new StartOutcome.GivenUp(
          id, RunnerReason.NAME_TAKEN, "a pod of its name is not its own");
    }
    var mismatch = RegistrationMismatch.between(PodView.of(pod), id);
    return mismatch == null
        ? new StartOutcome.Made(pod)
        : new StartOutcome.GivenUp(id, RunnerReason.REGISTRATION_MISMATCH, mismatch);
  }
}
