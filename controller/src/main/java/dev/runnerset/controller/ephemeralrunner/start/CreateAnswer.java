package dev.runnerset.controller.ephemeralrunner.start;

/** The server's answer to a create; whatever tells nothing for certain is an exception instead. */
public sealed interface CreateAnswer<T> {
  /** Stored, as it stands there now. */
  record Created<T>(T stored) implements CreateAnswer<T> {}

  /** 409: something of that name is there. */
  record AlreadyExists<T>() implements CreateAnswer<T> {}

  /** 400 or 422: never, as it is. */
  record Refused<T>(String message) implements CreateAnswer<T> {}

  /**
   * For certain not made, but maybe later: a quota, a webhook that does not answer.
   *
   * @param why a stable word, to go behind the kind: as {@code Forbidden} for {@code PodForbidden}
   */
  record NotNow<T>(String why, String message) implements CreateAnswer<T> {}

  /** The namespace is going away, or gone. */
  record NamespaceGone<T>() implements CreateAnswer<T> {}
}
