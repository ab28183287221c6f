package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.ResourceLookup;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.Labels;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/** Connections to the Actions service for single runners. */
@FunctionalInterface
public interface RunnerConnections {
  /**
   * The connection for a runner: by the secret, proxy and certificate that its set names now, since
   * those it was made with may be gone for good; by its own where it has no set. Blocks as {@link
   * ServiceConnections#to} does, and throws as it does.
   */
  ActionsService to(EphemeralRunner runner);

  /** The same for what is cleaned up, as {@link ServiceConnections#toCleanUp} says. */
  default ActionsService toCleanUp(EphemeralRunner runner) {
    return to(runner);
  }

  /**
   * A connection, and whether a runner may ask it for its JIT config now, as {@link
   * ServiceConnections#jitTurn} says.
   */
  record ForJitConfig(ActionsService service, Supplier<Optional<JitWait>> turn) {}

  /** The connection that {@link #to} finds, with its turns. */
  default ForJitConfig forJitConfig(EphemeralRunner runner) {
    return new ForJitConfig(to(runner), Optional::empty);
  }

  /** Through the connections that all reconcilers share. */
  static RunnerConnections of(
      ServiceConnections connections, ResourceLookup<EphemeralRunnerSet> sets, Clock clock) {
    return new RunnerConnections() {
      @Override
      public ActionsService to(EphemeralRunner runner) {
        return connections.to(key(runner, sets));
      }

      @Override
      public ActionsService toCleanUp(EphemeralRunner runner) {
        return connections.toCleanUp(key(runner, sets));
      }

      @Override
      public ForJitConfig forJitConfig(EphemeralRunner runner) {
        var key = key(runner, sets);
        return new ForJitConfig(
            connections.to(key),
            () ->
                waitOfHeld(runner)
                    .or(() ->
                        connections.jitTurn(
                            key,
                            new ScaleSetId(runner.getSpec().runnerScaleSetId()),
                            Ownership.setName(runner).orElse(""),
                            runner.getMetadata().getName())));
      }

      private Optional<JitWait> waitOfHeld(EphemeralRunner runner) {
        return isHeld(runner, sets)
            ? Optional.of(new JitWait(clock.instant().plus(ConnectionTimes.PROVED_WITHIN), null))
            : Optional.empty();
      }

      @Override
      public boolean isScaleSetDoubted(EphemeralRunner runner) {
        return isHeld(runner, sets)
            || connections.isDoubted(
                key(runner, sets), new ScaleSetId(runner.getSpec().runnerScaleSetId()));
      }
    };
  }

  /**
   * Whether the id of the runner's scale set may be somebody else's now, and with it the id of its
   * registration, as after a restore of the service. Never blocks.
   */
  default boolean isScaleSetDoubted(EphemeralRunner runner) {
    return false;
  }

  /** The set has lost the scale set of the runner, or nobody knows yet whose it is. */
  private static boolean isHeld(EphemeralRunner runner, ResourceLookup<EphemeralRunnerSet> sets) {
    return set(runner, sets)
        .map(set -> set.getSpec())
        .filter(set ->
            Boolean.TRUE.equals(set.creationHeld())
                || !set.runnerScaleSetId().equals(runner.getSpec().runnerScaleSetId()))
        .isPresent();
  }

  /** What the runners of a set are registered and removed by. */
  static ConnectionKey keyOf(EphemeralRunnerSet set) {
    return of(set.getMetadata().getNamespace(), set.getSpec());
  }

  private static ConnectionKey of(String namespace, EphemeralRunnerSetSpec set) {
    return new ConnectionKey(
        namespace,
        set.githubConfigUrl(),
        set.githubConfigSecret().name(),
        set.proxy(),
        set.githubServerTLS());
  }

  private static Optional<EphemeralRunnerSet> set(
      EphemeralRunner runner, ResourceLookup<EphemeralRunnerSet> sets) {
    var labels = runner.getMetadata().getLabels();
    var name = labels == null ? "" : labels.getOrDefault(Labels.SET, "");
    return sets.of(runner.getMetadata().getNamespace(), name)
        .filter(set -> Ownership.isOf(runner, set));
  }

  private static ConnectionKey key(
      EphemeralRunner runner, ResourceLookup<EphemeralRunnerSet> sets) {
    var namespace = runner.getMetadata().getNamespace();
    var own = runner.getSpec();
    return set(runner, sets)
        .map(set -> set.getSpec())
        .filter(set -> own.githubConfigUrl().equals(set.githubConfigUrl()))
        .map(set -> of(namespace, set))
        .orElseGet(() ->
            new ConnectionKey(
                namespace,
                own.githubConfigUrl(),
                own.githubConfigSecret().name(),
                own.proxy(),
                own.githubServerTLS()));
  }
}
