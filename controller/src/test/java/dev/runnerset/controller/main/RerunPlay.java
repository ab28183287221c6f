package dev.runnerset.controller.main;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.RerunView;
import dev.runnerset.simulator.service.RunView;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A set whose lost jobs may run again, and what becomes of its runs. */
final class RerunPlay {
  /** GitHub misses a runner that ended without a word, and its job fails. */
  static final Duration MISSED = Duration.ofMinutes(11);

  private final ControllerWorld world;
  private final String set;

  /** Of a set of that name, which is its label, too. */
  RerunPlay(ControllerWorld world, String set) {
    this.world = world;
    this.set = set;
  }

  /** Starts all, and creates the set. */
  void create(String rerun) {
    world.startNode();
    world.start();
    world.create(
        set,
        "minRunners: 0",
        "maxRunners: 10",
        "deadlines: {startup: 5h}", // pods have their times from a clock that does not jump
        "rerun: " + rerun);
    world.soon("a listener may connect").until(() -> world.listener(set).isPresent());
  }

  /** A run of jobs that last that long; each has a runner. */
  long run(int jobs, Duration lasts) {
    var run = world.control.runs().queue("my-org/app", List.of(JobRequest.of(jobs, set, lasts)));
    awaitBusy(jobs);
    return run;
  }

  void awaitBusy(int jobs) {
    world.soon("all jobs run").until(() -> busy().size() == jobs);
  }

  List<EphemeralRunner> busy() {
    return world.runners().stream()
        .filter(r -> r.statusOrNone().isBusy() && !r.statusOrNone().isTerminal())
        .filter(r -> r.statusOrNone().job() != null)
        .toList();
  }

  RunView seen(long run) {
    return world.control.runs().get(run);
  }

  List<RerunView> reruns() {
    return world.control.runs().reruns();
  }

  /** A runner goes with its job. Waits for the settle window (LV3). */
  void lose(EphemeralRunner runner) {
    world.killPod(runner);
    awaitLoss();
  }

  void awaitLoss() {
    world
        .within(Duration.ofSeconds(90), "the loss is written down")
        .until(() -> lostJobs().size() == 1);
  }

  Map<String, ?> lostJobs() {
    return world.set(set).statusOrNone().lostJobs();
  }

  /** An event of that reason with these words comes soon. */
  void awaitEvent(String reason, String words) {
    world
        .soon(reason + ": " + words)
        .until(() -> world.events(reason).stream().anyMatch(message -> message.contains(words)));
  }
}
