package dev.runnerset.demo.show;

import dev.runnerset.cli.ui.Stage;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.Endpoint;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The buttons of the demo's page. Each does to the simulated surroundings what its label says. */
final class DemoStage implements Stage {
  /** Shorter than the time after which the service gives up a job whose runner is silent. */
  static final Duration OUTAGE = Duration.ofSeconds(15);

  /** In which Kubernetes starts a container again. */
  private static final Duration RESTART = Duration.ofSeconds(2);

  private static final Duration JOB = Duration.ofSeconds(6);

  /** All calls but the runners': the simulated runner does not try again as the real one does. */
  private static final List<HttpFault> DOWN =
      Arrays.stream(Endpoint.values())
          .map(Endpoint::label)
          .filter(label -> !label.startsWith("runner.") && !label.startsWith("run."))
          .map(label -> HttpFault.gateway(label, 503))
          .toList();

  private final World world;
  private final int jobs;

  /**
   * The buttons of a world.
   *
   * @param jobs how many come at a press
   */
  DemoStage(World world, int jobs) {
    this.world = world;
    this.jobs = jobs;
  }

  @Override
  public List<Button> buttons() {
    return List.of(
        new Button("jobs", "Send " + jobs + " jobs", Place.FLEET, ""),
        new Button("listener", "Kill the listener", Place.FLEET, ""),
        new Button("service", "GitHub down", Place.FLEET, ""),
        new Button("pod", "Delete this pod", Place.RUNNER, ""),
        new Button("drain", "Drain this node", Place.NODE, ""),
        new Button("free", "End the drain", Place.NODE, ""));
  }

  @Override
  public Map<String, Long> counters() {
    var counts = world.service().jobCounts();
    var shown = new LinkedHashMap<String, Long>();
    shown.put("jobs sent", (long) counts.submitted());
    shown.put("running", (long) counts.running());
    shown.put("done", (long) counts.completed());
    shown.put("jobs lost", (long) counts.lost());
    return shown;
  }

  @Override
  public String press(String id, String namespace, String name) {
    return switch (id) {
      case "jobs" -> sendJobs();
      case "listener" -> killListener();
      case "service" -> endService();
      case "pod" -> deletePod(namespace, name);
      case "drain" -> drain(name, true);
      case "free" -> drain(name, false);
      default -> throw new IllegalArgumentException("There is no button '" + id + "'.");
    };
  }

  /** Sends the jobs of the demo. */
  String sendJobs() {
    world.submit(jobs, JOB);
    return jobs + " jobs of " + JOB.toSeconds() + " s are in the queue of GitHub.";
  }

  private String killListener() {
    world.listener().kill();
    later(RESTART, world.listener()::start);
    return "The listener was killed, and is started again as Kubernetes would. Jobs that run go on.";
  }

  private String endService() {
    world.service().faults(FaultPlan.NONE.withHttp(DOWN));
    later(OUTAGE, () -> world.service().faults(FaultPlan.NONE));
    return "GitHub answers each call of the controller and the listener with 503 for "
        + OUTAGE.toSeconds()
        + " s. Jobs that run go on; nothing is made or removed on a guess.";
  }

  private String deletePod(String namespace, String name) {
    var runner =
        world.kube().resources(EphemeralRunner.class).inNamespace(namespace).withName(name).get();
    var pod = runner == null ? null : runner.statusOrNone().podName();
    if (pod == null) {
      throw new IllegalArgumentException("The runner " + name + " has no pod (any more).");
    }
    world.kube().pods().inNamespace(namespace).withName(pod).withGracePeriod(0).delete();
    return runner.statusOrNone().isBusy()
        ? "The pod "
            + pod
            + " is deleted, and its job is lost. In a cluster with the admission policy of the chart"
            + " the API server refuses that."
        : "The pod " + pod + " is deleted. It had no job.";
  }

  private String drain(String node, boolean isDrained) {
    if (!world.nodes().contains(node)) {
      throw new IllegalArgumentException("There is no node '" + node + "'.");
    }
    world.cordon(node, isDrained);
    return isDrained
        ? "The node "
            + node
            + " is cordoned: its idle runners go now, and each busy one after its job."
        : "The node " + node + " takes pods again.";
  }

  private static void later(Duration after, Runnable act) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            Thread.sleep(after);
            act.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
