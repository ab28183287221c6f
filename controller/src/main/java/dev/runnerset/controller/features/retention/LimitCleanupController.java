package dev.runnerset.controller.features.retention;

import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;

/** Deletes the oldest finished runners of a set beyond its limits (RT8, RT9). */
public final class LimitCleanupController extends CleanupController {
  private final Cached cached;

  /** The controller; {@link #round} is to be called while this process leads. */
  public LimitCleanupController(Cached cached, Ports ports) {
    super(DeletedFor.LIMIT, ports);
    this.cached = cached;
  }

  @Override
  Stream<Chosen> choose(Instant now, Set<String> deleted) {
    return cached.sets().get().stream()
        .filter(cached::isCleanedUp)
        .flatMap(set -> surplus(set, deleted));
  }

  /** Runners are listed by label, as children are (RT9); a label alone proves no ownership. */
  private Stream<Chosen> surplus(AutoScalingRunnerSet set, Set<String> deleted) {
    var runners =
        cached
            .runners()
            .labelled(SetKey.of(set))
            .filter(runner -> Ownership.isOf(runner, set, null))
            .toList();
    return LimitPolicy.surplus(runners, set.getSpec().retention(), deleted).stream()
        .map(runner -> new Chosen(runner, set));
  }
}
