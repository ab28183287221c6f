package dev.runnerset.controller.features.retention;

import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes finished runners when their time is over (RT6, RT7). */
public final class TtlCleanupController extends CleanupController {
  private final Cached cached;

  /** The controller; {@link #round} is to be called while this process leads. */
  public TtlCleanupController(Cached cached, Ports ports) {
    super(DeletedFor.TTL, ports);
    this.cached = cached;
  }

  @Override
  Stream<Chosen> choose(Instant now, Set<String> deleted) {
    return cached
        .runners()
        .all()
        .filter(runner -> TtlPolicy.isOver(runner, now))
        .map(runner -> new Chosen(runner, setOf(runner)))
        // the deletion of a set deletes its runners in its own order
        .filter(one -> one.set() == null || cached.isCleanedUp(one.set()));
  }

  /** The set that owns the runner; not by label, which anybody can write. */
  private @Nullable AutoScalingRunnerSet setOf(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .flatMap(name -> cached.set().apply(new SetKey(runner.getMetadata().getNamespace(), name)))
        .filter(set -> Ownership.isOf(runner, set, null))
        .orElse(null);
  }
}
