package dev.runnerset.demo.scenario;

import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** A rehearsal by name; what it does stands in {@link Script}. */
public enum Scenario {
  DEFAULT(
      "default",
      "60 jobs on at most 20 runners, then a scale-down with busy and idle runners mixed"),
  SCALE_DOWN("scale-down", "busy and idle runners mixed, the target lowered in steps"),
  LOST_MARKS("lost-marks", "the same with half of the JobStarted messages dropped"),
  LEGACY(
      "legacy",
      "a server that offers jobs to be acquired: a burst, then a scale-down among busy runners"),
  LISTENER_RESTART("listener-restart", "the listener is killed in a burst and started again"),
  CONTROLLER_RESTART("controller-restart", "the controller is killed in a burst and started again"),
  BURST("burst", "200 jobs at once on 200 runners"),
  STEADY("steady", "4 jobs of 5 s a second for 30 s: one runner a job, warm ones stay"),
  IDLE("idle", "10 jobs, then 60 s of nothing: no writes, no calls"),
  IDLE_AGE(
      "idle-age",
      "warm runners go for their set's age, for the operator's after a restart, or never"),
  REFERENCES(
      "references",
      "the set's references to its runners, and --embedded-status changed while jobs run"),
  RETENTION(
      "retention", "finished runners are kept by number and by time, and leave nothing behind"),
  HISTORY(
      "history", "the image changes three times under running jobs; the history was full before"),
  SHARED_CREDENTIAL(
      "shared-credential",
      "two sets with one secret: one bursts, the single job of the other does not wait behind it"),
  SERVICE_FAULTS(
      "service-faults",
      "jobs under every fault that the simulated service has, one after the other; nothing is lost"),
  SINGLE_NAMESPACE(
      "single-namespace",
      "20 jobs with a controller that has roles in one namespace and no cluster role"),
  RUNNER_VERSION(
      "runner-version", "the image has a version near its date, then one past it, then a new one"),
  NODE_LOST("node-lost", "one of two nodes dies under running jobs: each loss is reported"),
  RERUN(
      "rerun",
      "a node dies with the jobs of six runs, and the controller is killed: the lost jobs run again"),
  QUOTA(
      "quota",
      "a burst on a set whose namespace has little room: a set with the same labels takes the rest"),
  PLACEMENT(
      "placement",
      "50 jobs on nodes with 10 places: one runner tries at a time; when places come, all run"),
  FAILOVER(
      "failover",
      "the nodes of a set are full: jobs go to a set with the same label, and come back"),
  SCHEDULE(
      "schedule",
      "a set follows its schedule through virtual days of spring and autumn; then its mode changes");

  private static final Duration SLOW_START = Duration.ofSeconds(4);

  private final String word;
  private final String what;

  Scenario(String word, String what) {
    this.word = word;
    this.what = what;
  }

  /** Its name on the command line. */
  public String word() {
    return word;
  }

  /** What it needs of its surroundings, with pods that take so long to start at least. */
  public Setting setting(Duration podStart) {
    var usual = Setting.USUAL;
    return new Setting(
        controllerFlags(),
        usual.leaseFlags(),
        this == SINGLE_NAMESPACE,
        // with slow pods, idle time and age differ
        this == IDLE_AGE ? Collections.max(List.of(podStart, SLOW_START)) : podStart,
        this == NODE_LOST || this == RERUN ? 2 : usual.nodes(),
        usual.places(),
        this == SCHEDULE,
        jobLease());
  }

  /** Long enough that a run with lost jobs is read every 30 s when it ends. */
  private Duration jobLease() {
    return switch (this) {
      case NODE_LOST -> Duration.ofSeconds(60);
      case RERUN -> Duration.ofSeconds(80);
      default -> Setting.USUAL.jobLease();
    };
  }

  private List<String> controllerFlags() {
    return switch (this) {
      case IDLE_AGE ->
          List.of(
              "--feature-gates=RunnerMaximumGCAge=true",
              "--runner-maximum-gc-age=16s",
              "--runner-minimum-gc-age=2s",
              "--runner-gc-period=1s");
      case SINGLE_NAMESPACE -> List.of("--namespace=" + World.NAMESPACE);
      default -> List.of();
    };
  }

  /** What happens in it, in a line. */
  public String what() {
    return what;
  }
}
