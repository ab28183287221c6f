package dev.runnerset.controller.gc;

import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;
import java.util.Optional;

/** The runner sets as the caches have them. */
public interface SweptSets {
  /**
   * One of them.
   *
   * @param listening whether its listener says {@code Connected=True}
   * @param failing whether its new runners fail: then nobody would take an old one's place
   */
  record SweptSet(AutoScalingRunnerSet set, boolean listening, boolean failing) {}

  /** All of them. */
  List<SweptSet> all();

  /** One of them; empty when it is gone. */
  Optional<SweptSet> one(SetKey key);

  /** Makes its reconciler look at a set again. */
  void wake(SetKey key);
}
