package dev.runnerset.e2e.world;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.AutoScalingRunnerSet;

/** A bug that a test plants between our programs and the world; none by default. */
interface Bugs {
  Bugs NONE = new Bugs() {};

  /** The service as the controller sees it. */
  default ActionsService service(ActionsService real) {
    return real;
  }

  /** The API server as the controller sees it. */
  default PlayedKube kube(World world, LivingProcess process) {
    return new PlayedKube(world, process);
  }

  /** Whether the controller hears of cordons. */
  default boolean hearsOfCordons() {
    return true;
  }

  /** Whether the controller hears of quotas that have changed. */
  default boolean hearsOfQuotas() {
    return true;
  }

  /** A set as the rounds of lost jobs see it. */
  default AutoScalingRunnerSet seenByReruns(AutoScalingRunnerSet real) {
    return real;
  }

  /** The remover as the finalizer sees it. */
  default RunnerRemover remover(RunnerRemover real) {
    return real;
  }

  /** The service as the listener sees it. */
  default ActionsService listenerService(ActionsService real) {
    return real;
  }

  /** The API server as the listener sees it. */
  default PlayedKube listenerKube(World world, LivingProcess process) {
    return new PlayedKube(world, process);
  }
}
