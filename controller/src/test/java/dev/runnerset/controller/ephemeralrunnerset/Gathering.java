package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.removal.NodeFate;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@link RunnerGathering} of tests that know no changes of runners, only all of them. */
final class Gathering {
  private Gathering() {}

  /** Of a set that nothing is known of. */
  static SetMemory memory() {
    return new SetMemory(new Memories().of("set"));
  }

  /** Of a cluster in which all nodes stay. */
  static RunnerGathering withExits(RunnerExits exits) {
    return new RunnerGathering(exits, (node, created) -> NodeFate.STAYS, Duration.ofSeconds(10));
  }

  /** The same, of runners whose containers do not end. */
  static RunnerGathering withoutExits() {
    return withExits(new RunnerExits(new Memories(), runner -> {}));
  }

  /** A moment of a set that has these runners with its label, and of which nothing is counted. */
  static SetMoment observe(
      RunnerGathering gathering,
      EphemeralRunnerSet set,
      Collection<EphemeralRunner> labelled,
      SetMemory memory,
      Instant now) {
    return gathering.observe(set, changes(memory, labelled), null, 0, memory, now);
  }

  /** What a complete list of the runners is as changes. */
  static Map<String, Optional<EphemeralRunner>> changes(
      SetMemory memory, Collection<EphemeralRunner> labelled) {
    var changes = new LinkedHashMap<String, Optional<EphemeralRunner>>();
    memory.runners().names().forEach(name -> changes.put(name, Optional.empty()));
    labelled.forEach(runner -> changes.put(runner.getMetadata().getName(), Optional.of(runner)));
    return changes;
  }
}
