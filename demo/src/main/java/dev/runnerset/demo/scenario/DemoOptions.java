package dev.runnerset.demo.scenario;

import dev.runnerset.simulator.service.Flavour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a rehearsal is asked for.
 *
 * @param jobs of the scenario's main part; empty for its own number
 * @param runners the set's maxRunners; empty for the scenario's own number
 * @param flavour which generation of the service is played at first
 * @param podStart from a pod's creation to its running container
 */
public record DemoOptions(
    Scenario scenario,
    Optional<Integer> jobs,
    Optional<Integer> runners,
    Optional<Path> kubeconfig,
    boolean testCluster,
    Optional<Path> json,
    Flavour flavour,
    Duration podStart,
    boolean keepLogs) {
  int jobsOr(int own) {
    return jobs.orElse(own);
  }

  int runnersOr(int own) {
    return runners.orElse(own);
  }
}
