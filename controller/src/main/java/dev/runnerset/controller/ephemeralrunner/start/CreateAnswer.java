package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.crds.condition.RunnerReason;

/** The server's answer to a create; whatever tells nothing for certain is an exception instead. */
public sealed interface CreateAnswer<T> {
  /** Stored, as it stands there now. */
  record Created<T>(T stored) implements CreateAnswer<T> {}

  /** 409: something of that name is there. */
  record AlreadyExists<T>() implements CreateAnswer<T> {}

  /** 400 or 422: never, as it is. */
  record Refused<T>(String message) implements CreateAnswer<T> {}

  /** For certain not made, but maybe later: a quota, a webhook that does not answer. */
  record NotNow<T>(Obstacle why, String message) implements CreateAnswer<T> {}

  /** What keeps the server from making it now, and what the runner's condition says of it. */
  enum Obstacle {
    /** A quota or a policy. */
    FORBIDDEN(RunnerReason.SECRET_FORBIDDEN, RunnerReason.POD_FORBIDDEN),
    /** A webhook that does not answer. */
    WEBHOOK_FAILED(RunnerReason.SECRET_WEBHOOK_FAILED, RunnerReason.POD_WEBHOOK_FAILED),
    /** The server did not take the request. */
    NOT_ACCEPTED(RunnerReason.SECRET_NOT_ACCEPTED, RunnerReason.POD_NOT_ACCEPTED),
    /** The request never left this process. */
    NOT_SENT(RunnerReason.SECRET_NOT_SENT, RunnerReason.POD_NOT_SENT);

    private final RunnerReason ofSecret;
    private final RunnerReason ofPod;

    Obstacle(RunnerReason ofSecret, RunnerReason ofPod) {
      this.ofSecret = ofSecret;
      this.ofPod = ofPod;
    }

    /** The reason where the secret was to be made. */
    public RunnerReason ofSecret() {
      return ofSecret;
    }

    /** The reason where the pod was to be made. */
    public RunnerReason ofPod() {
      return ofPod;
    }
  }

  /** The namespace is going away, or gone. */
  record NamespaceGone<T>() implements CreateAnswer<T> {}
}
