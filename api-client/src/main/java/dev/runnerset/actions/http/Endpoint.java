package dev.runnerset.actions.http;

import java.util.Locale;

/** The calls of the protocol, as retry rules and metrics tell them apart (protocol 3.13). */
public enum Endpoint {
  INSTALLATION_TOKEN(Kind.TOKEN, true),
  REGISTRATION_TOKEN(Kind.TOKEN, true),
  RUNNER_REGISTRATION(Kind.TOKEN, true),
  FIND_RUNNER_GROUP(Kind.READ, true),
  FIND_SCALE_SET(Kind.READ, true),
  GET_SCALE_SET(Kind.READ, true),
  /** Not repeatable: after a lost answer the repetition would call our own set a stranger's. */
  CREATE_SCALE_SET(Kind.CHANGE, false),
  UPDATE_SCALE_SET(Kind.CHANGE, true),
  DELETE_SCALE_SET(Kind.CHANGE, true),
  /** Repeatable: a lost answer shows as a taken name, and the caller gives the runner up (RN4). */
  GENERATE_JIT_CONFIG(Kind.CHANGE, true),
  GET_RUNNER(Kind.READ, true),
  FIND_RUNNER(Kind.READ, true),
  /** Of GitHub's public API, which has limits of its own. */
  LIST_RUNNERS(Kind.READ, true),
  REMOVE_RUNNER(Kind.CHANGE, true),
  /** Not repeatable: after a lost answer the repetition would conflict with our own session. */
  OPEN_SESSION(Kind.CHANGE, false),
  REFRESH_SESSION(Kind.CHANGE, true),
  DELETE_SESSION(Kind.CHANGE, true),
  GET_MESSAGE(Kind.READ, true),
  DELETE_MESSAGE(Kind.CHANGE, true);

  private enum Kind {
    /** Changes nothing. */
    READ,
    /** Makes a token for us alone; other processes notice nothing. */
    TOKEN,
    /** Changes what other processes see. */
    CHANGE
  }

  private final Kind kind;
  private final boolean repeatable;

  Endpoint(Kind kind, boolean repeatable) {
    this.kind = kind;
    this.repeatable = repeatable;
  }

  /** Whether the call changes what another process sees or counts on. */
  boolean changesService() {
    return kind == Kind.CHANGE;
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
