package dev.runnerset.controller.runner;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.service.ActionsService;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.RunnerReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registrations of earlier attempts under a runner's name. One of another scale set is never
 * touched (I5); one of ours goes through the one remover, so that a refusal is heard by all.
 */
final class LeftOvers {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);

  private final RunnerRemover remover;

  LeftOvers(RunnerRemover remover) {
    this.remover = remover;
  }

  /** Whether the name is free now. */
  sealed interface Answer {
    /** No registration bears the name. */
    record Clear() implements Answer {}

    /** It belongs to another scale set. */
    record OfAnother(String why) implements Answer {}

    /** It is in use, or nothing is known. */
    record NotYet(String reason, String message) implements Answer {}
  }

  /** Frees the runner's name at the service. */
  Answer clear(ActionsService service, EphemeralRunner runner) {
    var found = service.runnerNamed(runner.getMetadata().getName());
    if (found.isEmpty()) {
      return new Answer.Clear();
    }
    var registration = found.get();
    if (!isOfItsScaleSet(registration, runner)) {
      return new Answer.OfAnother(
          "its name is registered by scale set " + registration.scaleSetId());
    }
    return remove(runner, registration.id());
  }

  /** Removes one registration of this runner. */
  Answer remove(EphemeralRunner runner, RunnerId id) {
    var outcome =
        remover.removeRegistration(RunnerWithId.of(runner, id.value()), RemovalReason.ENDED);
    return switch (outcome) {
      case RunnerRemover.Outcome.Removed() -> {
        LOG.atInfo()
            .addKeyValue("runner", runner.getMetadata().getName())
            .addKeyValue("runnerId", id.value())
            .log("removed the registration of an earlier attempt");
        // What the remover remembers is that one; the next registration is another.
        remover.forget(runner.getMetadata().getUid());
        yield new Answer.Clear();
      }
      case RunnerRemover.Outcome.Refused() ->
          new Answer.NotYet("RegistrationInUse", "its name is registered by a runner with a job");
      case RunnerRemover.Outcome.UnderWay() ->
          new Answer.NotYet("RemovalUnderWay", "its registration is being removed");
      case RunnerRemover.Outcome.Failed(var message) -> new Answer.NotYet("RemovalFailed", message);
    };
  }

  private static boolean isOfItsScaleSet(RunnerReference registration, EphemeralRunner runner) {
    return registration.scaleSetId().value() == runner.getSpec().runnerScaleSetId();
  }
}
