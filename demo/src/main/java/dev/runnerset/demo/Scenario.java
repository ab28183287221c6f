package dev.runnerset.demo;

import dev.runnerset.controller.manifests.Manifests;
import dev.runnerset.controller.manifests.Manifests.Reach;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A rehearsal by name; what it does stands in {@link Script}. */
enum Scenario {
  DEFAULT(
      "default",
      "60 jobs on at most 20 runners, then a scale-down with busy and idle runners mixed"),
  SCALE_DOWN("scale-down", "busy and idle runners mixed, the target lowered in steps"),
  LOST_MARKS("lost-marks", "the same with half of the JobStarted messages dropped"),
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
  UPGRADE(
      "upgrade",
      "kinds, controller and listener are replaced one by one while jobs come, forth and back"),
  SINGLE_NAMESPACE(
      "single-namespace",
      "20 jobs with a controller that has roles in one namespace and no cluster role"),
  STALLS("stalls", "sets that stall say why within 30 s, and go on within 30 s of the repair"),
  DRAIN("drain", "nodes are cordoned and drained under running jobs, as kubectl does it"),
  DELETION(
      "deletion",
      "sets and parts of them are deleted in every phase, with jobs, an outage, a killed program"),
  CHAOS(
      "chaos",
      "programs, API server and the way to the service fail under running jobs; --seed, --rounds"),
  SCHEDULE(
      "schedule",
      "a set follows its schedule through virtual days of spring and autumn; then its mode changes");

  private final String word;
  private final String what;

  Scenario(String word, String what) {
    this.word = word;
    this.what = what;
  }

  /** Its name on the command line. */
  String word() {
    return word;
  }

  /** Flags of the controller beside the common ones. */
  List<String> controllerFlags() {
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

  /**
   * How long a lease lasts: shorter than it would in a deployment, so that the next holder comes
   * soon, but longer than a full machine keeps a renewal waiting where jobs come meanwhile.
   */
  List<String> leaseFlags() {
    return this == CHAOS
        ? List.of("--lease-duration=12s", "--renew-deadline=8s", "--retry-period=1s")
        : List.of("--lease-duration=3s", "--renew-deadline=2s", "--retry-period=500ms");
  }

  /** Where the controller may work. */
  Reach reach() {
    return this == SINGLE_NAMESPACE
        ? new Reach.Only(Set.of(World.NAMESPACE))
        : new Reach.PerSetNamespace();
  }

  /** The identities of both programs, and the namespace that roles stand in. */
  String identities() {
    return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(World.NAMESPACE)
        + Manifests.identities(Manifests.Names.defaults(), reach());
  }

  /** How long a pod takes to start at least: with slow ones, idle time and age differ. */
  Duration leastPodStart() {
    return this == IDLE_AGE ? Duration.ofSeconds(4) : Duration.ZERO;
  }

  /** How many nodes there are. */
  int nodes() {
    return this == DRAIN ? DrainScript.NODES : 1;
  }

  /** What happens in it, in a line. */
  String what() {
    return what;
  }
}
