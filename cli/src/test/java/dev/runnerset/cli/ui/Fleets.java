package dev.runnerset.cli.ui;

import dev.runnerset.cli.Fleet;
import java.time.Instant;

/** Fleets for the page. */
final class Fleets {
  private static final String READY =
      "conditions: [{type: Ready, status: \"True\", reason: Ready, message: fine}]";

  private Fleets() {}

  /** Sets of all kinds of health, and runners at each step of their life. */
  static Fleet mixed(Instant now) {
    var fleet =
        new Fleet()
            .set(
                "ci",
                "linux",
                "maxRunners: 20, schedule: [{name: day, timeZone: Europe/Berlin, start: \"0 7 * * 1-5\", duration: 12h, minRunners: 2}]",
                """
                {conditions: [{type: Ready, status: "True", reason: Ready, message: fine},
                  {type: CapacityLimited, status: "True", reason: Quota, lastTransitionTime: "%s", message: "the quota build of the namespace is used up; raise it, or wait for other pods"}],
                runners: {desired: 12, live: 12, pending: 2, idle: 2, busy: 8, stuck: 1},
                jobs: {assigned: 10, running: 8, waiting: 5},
                schedule: {active: [day], minRunners: 2, maxRunners: 20, nextChange: "2026-11-30T18:00:00Z"},
                capacity: {advertised: 12, limitedBy: Quota, limits: [{reason: Quota, places: 12, of: "build: pods"}, {reason: StartsPerMinute, places: 15}]},
                history: [{state: Partial, version: "2.338.1", image: "ghcr.io/actions/actions-runner:2.338.1", revision: 7c1f, startedTime: "%s", reason: "2 runners of the former revision have jobs"}]}
                """
                    .formatted(now.minusSeconds(200), now.minusSeconds(900)))
            .set(
                "ci",
                "gpu",
                "maxRunners: 4",
                "{conditions: [{type: Ready, status: \"False\", reason: SecretNotFound, message:"
                    + " \"create the secret github in the namespace ci"
                    + " <img src=x onerror=document.title='hit'>\"}], jobs: {waiting: 3}}")
            .set("ci", "arm", "maxRunners: 50", "{" + READY + ", runners: {idle: 2, live: 2}}")
            .set("web", "e2e", "mode: Paused", "{" + READY + "}");
    runner(fleet, "linux-new", now, "{phase: Pending, timeline: {created: \"%1$s\"}}", 5);
    runner(
        fleet,
        "linux-starts",
        now,
        "{phase: Pending, nodeName: node-1, timeline: {created: \"%1$s\", scheduled: \"%2$s\"}}",
        30);
    runner(
        fleet,
        "linux-idle",
        now,
        "{phase: Running, nodeName: node-1, idleSince: \"%4$s\", timeline: {created: \"%1$s\","
            + " scheduled: \"%2$s\", imagesPulled: \"%3$s\", started: \"%4$s\"}}",
        60);
    runner(
        fleet,
        "linux-busy",
        now,
        "{phase: Running, nodeName: node-2, jobId: j1, job: {displayName: <b>build</b>,"
            + " repository: my-org/app, workflowRunId: 12, startedAt: \"%5$s\"}, timeline: {created:"
            + " \"%1$s\", scheduled: \"%2$s\", imagesPulled: \"%3$s\", started: \"%4$s\","
            + " jobStarted: \"%5$s\"}}",
        90);
    runner(
        fleet,
        "linux-lost",
        now,
        "{phase: Failed, nodeName: node-7, jobId: j2, job: {displayName: test, repository:"
            + " my-org/app, workflowRunId: 13, startedAt: \"%5$s\"}, failure: {reason: NodeLost,"
            + " message: \"node-7 does not answer\", jobLostBy: node_down, evidence: {node:"
            + " {name: node-7, ready: Unknown}, events: [\"NodeNotReady: kubelet stopped\"]}},"
            + " timeline: {created: \"%1$s\", scheduled: \"%2$s\", imagesPulled: \"%3$s\", started:"
            + " \"%4$s\", jobStarted: \"%5$s\", finished: \"%6$s\"}}",
        120);
    return fleet.make("ci", event(now), "");
  }

  private static String event(Instant now) {
    return """
    apiVersion: v1
    kind: Event
    metadata: {name: linux.1, namespace: ci}
    involvedObject: {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, name: linux, namespace: ci}
    type: Warning
    reason: JobLost
    message: "the runner linux-lost lost its job <script>alert(1)</script>"
    lastTimestamp: "%s"
    count: 2
    """
        .formatted(now.minusSeconds(90).toString());
  }

  /** A runner whose steps are some seconds apart, the first one so many seconds ago. */
  private static void runner(Fleet fleet, String name, Instant now, String status, int ago) {
    var made = now.minusSeconds(ago);
    fleet.runner(
        "ci",
        "linux",
        name,
        status.formatted(
            made,
            made.plusSeconds(4),
            made.plusSeconds(12),
            made.plusSeconds(15),
            made.plusSeconds(25),
            made.plusSeconds(80)));
  }

  /** So many sets {@code set-N}, and so many runners each. */
  static Fleet many(int sets, int runnersEach) {
    var fleet = new Fleet();
    for (int i = 0; i < sets; i++) {
      var name = "set-" + i;
      fleet.set(
          "ci",
          name,
          "maxRunners: 100",
          "{" + READY + ", runners: {live: 10, idle: 2, busy: 8}, jobs: {waiting: " + i % 7 + "}}");
      for (int j = 0; j < runnersEach; j++) {
        fleet.runner(
            "ci",
            name,
            name + "-" + j,
            "{phase: Running, nodeName: node-1, podName: p, jobId: j, job: {displayName: build,"
                + " repository: my-org/app, workflowRunId: 12, startedAt:"
                + " \"2026-11-29T11:55:00Z\"}, timeline: {created: \"2026-11-29T11:54:00Z\", started:"
                + " \"2026-11-29T11:54:10Z\", jobStarted: \"2026-11-29T11:55:00Z\"}}");
      }
    }
    return fleet;
  }
}
