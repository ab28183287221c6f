package dev.runnerset.e2e.chaos;

import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.simulator.network.TcpProxy;
import dev.runnerset.testcluster.TestCluster;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a fault can act on.
 *
 * @param api between the programs and the API server; null where nothing stands there
 * @param server the control plane; null where it is not ours
 * @param target the set that is hit; null if all are
 * @param random every choice follows from the seed of the run
 */
record ChaosPlace(
    World world,
    Caretaker programs,
    @Nullable TcpProxy apiProxy,
    @Nullable TestCluster controlPlane,
    @Nullable ChaosSet target,
    SplittableRandom random) {
  /** One of the programs. */
  interface Chosen {
    Program in(ChaosPlace place);
  }

  /** What stands between the programs and the API server. */
  TcpProxy api() {
    return Objects.requireNonNull(apiProxy);
  }

  /** The control plane. */
  TestCluster server() {
    return Objects.requireNonNull(controlPlane);
  }

  /** The set that is hit. */
  SeparateSet set() {
    return Objects.requireNonNull(target).set();
  }

  /** What stands between the programs and the service of that set. */
  TcpProxy wire() {
    return Objects.requireNonNull(Objects.requireNonNull(target).wire());
  }

  boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  /** Whether a fault can be brought about here. */
  boolean has(ChaosFault.Needs needs) {
    return switch (needs) {
      case NOTHING -> true;
      case PROXY -> apiProxy != null;
      case PROXY_ALONE -> apiProxy != null && controlPlane == null;
      case CONTROL_PLANE -> controlPlane != null;
    };
  }
}
