package dev.runnerset.e2e.chaos;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import dev.runnerset.simulator.network.TcpProxy;
import dev.runnerset.simulator.service.Control;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set under chaos, with the service it belongs to.
 *
 * @param own where it is; null for the set of the world
 * @param wire between the programs and its service; null for the set of the world
 * @param truth what it said, beside what was so
 */
record ChaosSet(
    String name, Control service, @Nullable SeparateSet own, @Nullable TcpProxy wire, Truth truth) {
  static ChaosSet ofWorld(World world) {
    return new ChaosSet(World.SET, world.service(), null, null, new Truth());
  }

  static ChaosSet of(SeparateSet set) {
    var wire = set.putProxyBeforeService();
    return new ChaosSet(set.name(), set.service().control(), set, wire, new Truth());
  }

  /** The set with a namespace and a service of its own. */
  SeparateSet set() {
    return Objects.requireNonNull(own);
  }

  void close() {
    if (wire != null) {
      wire.close();
    }
  }

  void job(Duration length) {
    service.submit(JobRequest.of(1, name, length));
  }

  /** What is so at the service. */
  Truth.Facts facts() {
    return new Truth.Facts(
        service.jobs().stream()
            .map(j -> new Truth.Job(j.queued(), j.assigned(), j.started(), j.completed()))
            .toList());
  }

  /** What it says of itself; empty if nobody can read that now, or it has no status. */
  static Optional<Truth.Said> said(@Nullable AutoScalingRunnerSet set) {
    if (set == null || set.getStatus() == null) {
      return Optional.empty();
    }
    var status = set.getStatus();
    if (status.conditions().stream().anyMatch(c -> "Pending".equals(c.getReason()))) {
      return Optional.empty(); // no controller has looked at it
    }
    var jobs = status.jobs();
    return Optional.of(
        new Truth.Said(
            SetHealth.isWell(status.conditions()),
            SetHealth.problems(status.conditions()),
            jobs == null ? 0 : jobs.assigned(),
            jobs == null ? 0 : jobs.running()));
  }
}
