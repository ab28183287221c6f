package dev.runnerset.controller.runner;

/** The server's answer to a create; whatever tells nothing for certain is an exception instead. */
sealed interface CreateAnswer<T> {
  /** Stored, as it stands there now. */
  record Created<T>(T stored) implements CreateAnswer<T> {}

  /** 409: something of that name is there. */
  record AlreadyExists<T>() implements CreateAnswer<T> {}

  /** 400 or 422: never, as it is. */
  record Refused<T>(String message) implements CreateAnswer<T> {}

  /** 403: not now, as for a quota. */
  record Forbidden<T>(String message) implements CreateAnswer<T> {}

  /** The namespace is going away, or gone. */
  record NamespaceGone<T>() implements CreateAnswer<T> {}
}
