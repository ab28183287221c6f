package dev.runnerset.controller.runner;

import static dev.runnerset.controller.runner.RunnerConditions.REGISTERED;
import static dev.runnerset.controller.runner.RunnerConditions.SCHEDULED;

import dev.runnerset.controller.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerIdentity;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.service.ActionsService;
import dev.runnerset.service.JitConfigResult;
import dev.runnerset.service.JitConfigResult.NameTaken;
import dev.runnerset.service.JitConfigResult.Registered;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.ServiceException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;

/**
 * One try to start a runner: registration, secret, pod; one service call and two creates, and no
 * read, when all is well. A JIT config goes only into the pod made in the attempt that fetched it
 * (design section 6, "JIT configs are single use").
 */
final class RunnerStart {
  private final RunnerConnections connections;
  private final RunnerObjects objects;
  private final LeftOvers leftOvers;

  RunnerStart(RunnerConnections connections, RunnerObjects objects, LeftOvers leftOvers) {
    this.connections = connections;
    this.objects = objects;
    this.leftOvers = leftOvers;
  }

  /** Begins anew: nothing is known to be made. */
  StartOutcome begin(EphemeralRunner runner, PodTemplateSpec template) {
    try {
      var service = connections.to(runner);
      return switch (register(service, runner, template)) {
        case Registered fresh -> store(runner, template, fresh);
        case NameTaken() -> recover(service, runner, template);
      };
    } catch (InvalidConnectionException e) {
      return new StartOutcome.NotNow(REGISTERED, e.reason(), String.valueOf(e.getMessage()));
    } catch (ServiceException e) {
      return new StartOutcome.NotNow(
          REGISTERED, e.error().getClass().getSimpleName(), String.valueOf(e.getMessage()));
    }
  }

  /** Goes on in an attempt whose secret is stored and whose pod was refused for the time being. */
  StartOutcome goOn(EphemeralRunner runner, PodTemplateSpec template, long runnerId) {
    return makePod(runner, template, runnerId);
  }

  private static JitConfigResult register(
      ActionsService service, EphemeralRunner runner, PodTemplateSpec template) {
    return service.generateJitConfig(
        new ScaleSetId(runner.getSpec().runnerScaleSetId()),
        runner.getMetadata().getName(),
        RunnerPod.workFolder(template));
  }

  private StartOutcome store(EphemeralRunner runner, PodTemplateSpec template, Registered fresh) {
    return switch (objects.createSecret(JitSecret.of(runner, fresh.runner(), fresh.config()))) {
      case CreateAnswer.Created<Secret> stored ->
          makePod(runner, template, fresh.runner().id().value());
      case CreateAnswer.AlreadyExists<Secret> exists -> replace(runner, template, fresh);
      case CreateAnswer.Refused<Secret>(var message) -> new StartOutcome.PodRefused(message);
      case CreateAnswer.Forbidden<Secret>(var message) ->
          new StartOutcome.NotNow(SCHEDULED, "SecretForbidden", message);
      case CreateAnswer.NamespaceGone<Secret> gone -> new StartOutcome.NamespaceGone();
    };
  }

  /** The name is registered, maybe by an attempt of ours that nobody remembers. */
  private StartOutcome recover(
      ActionsService service, EphemeralRunner runner, PodTemplateSpec template) {
    var pod = objects.pod(runner.getMetadata().getNamespace(), runner.getMetadata().getName());
    if (pod.isPresent()) {
      return found(runner, pod.get()); // its registration is in use: not to be touched (I5, I6)
    }
    // INVARIANT (I5): the secret never names a registration that is gone while another one bears
    // the name, since a removal would believe it; so it is emptied before anything is removed.
    var seen = objects.secret(runner.getMetadata().getNamespace(), runner.getMetadata().getName());
    if (seen.isPresent() && !JitSecret.isOwn(seen.get(), runner)) {
      return new StartOutcome.NameOfAnother("a secret of its name is not its own");
    }
    if (seen.isPresent() && !objects.replaceSecret(seen.get(), JitSecret.empty(runner))) {
      return secretChanged();
    }
    return switch (leftOvers.clear(service, runner)) {
      case LeftOvers.Answer.Clear() ->
          switch (register(service, runner, template)) {
            case Registered fresh -> store(runner, template, fresh);
            case NameTaken() ->
                new StartOutcome.NotNow(REGISTERED, "NameTaken", "the name is still registered");
          };
      case LeftOvers.Answer.OfAnother(var why) -> new StartOutcome.NameOfAnother(why);
      case LeftOvers.Answer.NotYet(var reason, var message) ->
          new StartOutcome.NotNow(REGISTERED, reason, message);
    };
  }

  private static StartOutcome secretChanged() {
    return new StartOutcome.NotNow(REGISTERED, "SecretChanged", "its secret changed meanwhile");
  }

  /** A secret is there: of an earlier attempt, whose config is spent or was never used. */
  private StartOutcome replace(EphemeralRunner runner, PodTemplateSpec template, Registered fresh) {
    var namespace = runner.getMetadata().getNamespace();
    var name = runner.getMetadata().getName();
    var pod = objects.pod(namespace, name);
    if (pod.isPresent()) {
      // Its own registration had ended, else the name would have been taken: the fresh one is ours
      // alone, and no pod will use it.
      leftOvers.remove(runner, fresh.runner().id());
      return found(runner, pod.get());
    }
    var seen = objects.secret(namespace, name);
    if (seen.isPresent() && !JitSecret.isOwn(seen.get(), runner)) {
      leftOvers.remove(runner, fresh.runner().id());
      return new StartOutcome.NameOfAnother("a secret of its name is not its own");
    }
    var next = JitSecret.of(runner, fresh.runner(), fresh.config());
    return seen.isPresent() && objects.replaceSecret(seen.get(), next)
        ? makePod(runner, template, fresh.runner().id().value())
        : secretChanged();
  }

  private StartOutcome makePod(EphemeralRunner runner, PodTemplateSpec template, long runnerId) {
    var name = runner.getMetadata().getName();
    return switch (RunnerPod.build(runner, template, new RunnerIdentity(runnerId, name))) {
      case PodBuild.Problem(var sentence) -> new StartOutcome.PodRefused(sentence);
      case PodBuild.Built(var pod) -> create(runner, pod, runnerId);
    };
  }

  private StartOutcome create(EphemeralRunner runner, Pod pod, long runnerId) {
    return switch (objects.createPod(pod)) {
      case CreateAnswer.Created<Pod>(var stored) -> new StartOutcome.Made(stored);
      case CreateAnswer.AlreadyExists<Pod> exists ->
          objects
              .pod(pod.getMetadata().getNamespace(), pod.getMetadata().getName())
              .map(there -> found(runner, there))
              .orElseGet(() -> new StartOutcome.NotNow(SCHEDULED, "PodGone", "its pod went"));
      case CreateAnswer.Refused<Pod>(var message) -> new StartOutcome.PodRefused(message);
      case CreateAnswer.Forbidden<Pod>(var message) ->
          new StartOutcome.PodForbidden(runnerId, message);
      case CreateAnswer.NamespaceGone<Pod> gone -> new StartOutcome.NamespaceGone();
    };
  }

  private static StartOutcome found(EphemeralRunner runner, Pod pod) {
    return JitSecret.isOwn(pod, runner)
        ? new StartOutcome.Made(pod)
        : new StartOutcome.NameOfAnother("a pod of its name is not its own");
  }
}
