package dev.runnerset.simulator.service;

import java.net.URI;

/** The generations of the service and in what they differ (protocol 0). */
public enum Flavour {
  /** github.com and ghe.com today: the service assigns jobs by itself, up to the capacity. */
  BROKER(100_000_001, "/rest/"),

  /**
   * Servers of a user's own: jobs are offered to all sets that may run them; the first acquires.
   */
  LEGACY(1, "/_services/pipelines/simulated/");

  private final long firstMessageId;
  private final String base;

  Flavour(long firstMessageId, String base) {
    this.firstMessageId = firstMessageId;
    this.base = base;
  }

  long firstMessageId() {
    return firstMessageId;
  }

  /** The URL that the registration gives; it ends with a slash. */
  String base(URI front) {
    return front + base;
  }

  /** Where the messages of a session are read; the session's token is all the broker needs. */
  String queueUrl(URI front, Session session) {
    return this == BROKER
        ? front + "/scalesets/message"
        : base(front)
            + "_apis/runtime/runnerscalesets/"
            + session.set.id
            + "/messages?sessionId="
            + session.id
            + "&api-version=6.0-preview";
  }

  /** {@code runnerRequestId} in job messages. */
  long requestId(Job job) {
    return this == BROKER ? 0 : job.number;
  }

  Reply sessionConflict(Session session) {
    var name = session.set.name;
    return Reply.fault(
        409,
        SessionApi.SPACE + "RunnerScaleSetSessionConflictException",
        this == BROKER
            ? "The actions runner scaleset " + name + " already has an active session."
            : "The runner scale set "
                + name
                + " already has an active session for owner "
                + session.owner
                + ".");
  }

  /** What is said of a session that has ended, or never was. */
  Reply noSession(String id) {
    return this == BROKER
        ? Reply.fault(404, "RunnerAdminException", "No session found with identifier " + id + ".")
        : Reply.fault(
            400,
            SessionApi.SPACE + "RunnerScaleSetSessionExpiredException",
            "The session identifier " + id + " is not valid.");
  }
}
