package dev.runnerset.controller.hooks;

import dev.runnerset.controller.removal.SetMoment;

/** A feature that follows the runners of sets, for what it remembers and judges of them. */
@FunctionalInterface
public interface Follower {
  /** Called in each pass over an EphemeralRunnerSet, before it is planned what to do. */
  void follow(SetMoment moment);
}
