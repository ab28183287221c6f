package dev.runnerset.actions.http;

import java.util.Locale;

/** The calls of the protocol, as retry rules and metrics tell them apart (protocol 3.13). */
public enum Endpoint {
  INSTALLATION_TOKEN(true),
  REGISTRATION_TOKEN(true),
  RUNNER_REGISTRATION(true),
  FIND_RUNNER_GROUP(true),
  FIND_SCALE_SET(true),
  GET_SCALE_SET(true),
  /** Not repeatable: after a lost answer the repetition would call our own set a stranger's. */
  CREATE_SCALE_SET(false),
  UPDATE_SCALE_SET(true),
  DELETE_SCALE_SET(true),
  /** Repeatable: a lost answer shows as a taken name, and the caller gives the runner up (RN4). */
  GENERATE_JIT_CONFIG(true),
  GET_RUNNER(true),
  FIND_RUNNER(true),
  REMOVE_RUNNER(true),
  /** Not repeatable: after a lost answer the repetition would conflict with our own session. */
  OPEN_SESSION(false),
  REFRESH_SESSION(true),
  DELETE_SESSION(true),
  GET_MESSAGE(true),
  DELETE_MESSAGE(true);

  private final boolean repeatable;

  Endpoint(boolean repeatable) {
    this.repeatable = repeatable;
  }

  /** Whether sending it again is harmless when it may already have been carried out. */
  public boolean isRepeatable() {
    return repeatable;
  }

  /** Whether the call goes to the queue of one session, with the token of that queue. */
  boolean isOfQueue() {
    return this == GET_MESSAGE || this == DELETE_MESSAGE;
  }

  /** Its name in metrics, as {@code get-message}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
