package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.Endpoint.Kind.CHANGE;
import static dev.runnerset.actions.http.Endpoint.Kind.CHANGE_ONCE;
import static dev.runnerset.actions.http.Endpoint.Kind.READ;
import static dev.runnerset.actions.http.Endpoint.Kind.TOKEN;

import java.util.Locale;

/**
 * The calls of the protocol (protocol 3): method, path, the status of a success (protocol 3.13; 2xx
 * for the registration), and the fault that is an answer of its own and no failure.
 */
enum Endpoint {
  INSTALLATION_TOKEN(TOKEN, "POST", "app/installations/%s/access_tokens", 201, Fault.OTHER),
  REGISTRATION_TOKEN(TOKEN, "POST", "actions/runners/registration-token", 201, Fault.OTHER),
  RUNNER_REGISTRATION(TOKEN, "POST", "actions/runner-registration", 200, Fault.OTHER),
  /** With a slash at the end (protocol 3.1). */
  FIND_RUNNER_GROUP(READ, "GET", "_apis/runtime/runnergroups/", 200, Fault.OTHER),
  FIND_SCALE_SET(READ, "GET", Paths.SETS, 200, Fault.OTHER),
  GET_SCALE_SET(READ, "GET", Paths.SET, 200, Fault.SCALE_SET_NOT_FOUND),
  /** Once: after a lost answer the repetition would call our own set a stranger's. */
  CREATE_SCALE_SET(CHANGE_ONCE, "POST", Paths.SETS, 200, Fault.SCALE_SET_EXISTS),
  UPDATE_SCALE_SET(CHANGE, "PATCH", Paths.SET, 200, Fault.OTHER),
  DELETE_SCALE_SET(CHANGE, "DELETE", Paths.SET, 204, Fault.SCALE_SET_NOT_FOUND),
  /** Repeatable: a lost answer shows as a taken name, and the caller gives the runner up (RN4). */
  GENERATE_JIT_CONFIG(CHANGE, "POST", Paths.SET + "/generatejitconfig", 200, Fault.RUNNER_EXISTS),
  GET_RUNNER(READ, "GET", Paths.AGENTS + "/%s", 200, Fault.RUNNER_NOT_FOUND),
  FIND_RUNNER(READ, "GET", Paths.AGENTS, 200, Fault.OTHER),
  /** Of GitHub's public API, which has limits of its own. */
  LIST_RUNNERS(READ, "GET", "actions/runners", 200, Fault.OTHER),
  LISTED_RUNNER(READ, "GET", "actions/runners/%s", 200, Fault.OTHER),
  VERSION_DATES(READ, "GET", "actions/runners/deprecations/%s", 200, Fault.OTHER),
  RUN(READ, "GET", Paths.RUN, 200, Fault.OTHER),
  RUN_JOBS(READ, "GET", Paths.RUN + "/jobs", 200, Fault.OTHER),
  /** Once: after a lost answer the repetition would be refused, since the run runs again. */
  RERUN_FAILED_JOBS(CHANGE_ONCE, "POST", Paths.RUN + "/rerun-failed-jobs", 201, Fault.OTHER),
  RERUN_JOB(CHANGE_ONCE, "POST", "repos/%s/actions/jobs/%s/rerun", 201, Fault.OTHER),
  REMOVE_RUNNER(CHANGE, "DELETE", Paths.AGENTS + "/%s", 204, Fault.RUNNER_NOT_FOUND),
  /** Once: after a lost answer the repetition would conflict with our own session. */
  OPEN_SESSION(CHANGE_ONCE, "POST", Paths.SET + "/sessions", 200, Fault.SESSION_CONFLICT),
  REFRESH_SESSION(CHANGE, "PATCH", Paths.SET + "/sessions/%s", 200, Fault.OTHER),
  DELETE_SESSION(CHANGE, "DELETE", Paths.SET + "/sessions/%s", 204, Fault.SESSION_EXPIRED),
  GET_MESSAGE(READ, "GET", "", 200, Fault.OTHER),
  LIST_OFFERS(READ, "GET", Paths.SET + "/acquirablejobs", 200, Fault.OTHER),
  /** Repeatable: what a lost answer won is in the counts of the scale set (protocol 4.5). */
  ACQUIRE_JOBS(CHANGE, "POST", Paths.SET + "/acquirejobs", 200, Fault.OTHER),
  DELETE_MESSAGE(CHANGE, "DELETE", "%s", 204, Fault.OTHER);

  /** Bytes; a message of 50 jobs with long names is a quarter of that (protocol 4.1). */
  static final int LONGEST_LIST = 512 * 1024;

  /** Bytes of any other answer, and of a refusal. */
  static final int LONGEST_OTHER = 64 * 1024;

  /** What a call does at the service. */
  enum Kind {
    /** Changes nothing. */
    READ,
    /** Makes a token for us alone; other processes notice nothing. */
    TOKEN,
    /** Changes what other processes see. */
    CHANGE,
    /** Changes something, and must not be sent again when it may already have been carried out. */
    CHANGE_ONCE
  }

  private static final class Paths {
    static final String SETS = "_apis/runtime/runnerscalesets";
    static final String SET = SETS + "/%s";
    static final String RUN = "repos/%s/actions/runs/%s";
    static final String AGENTS = "_apis/distributedtask/pools/0/agents";
  }

  final String method;
  final int success;
  private final Kind kind;
  private final String path;
  private final Fault answer;

  Endpoint(Kind kind, String method, String path, int success, Fault answer) {
    this.kind = kind;
    this.method = method;
    this.path = path;
    this.success = success;
    this.answer = answer;
  }

  /** The path below the base of its API, with these ids. */
  String path(Object... ids) {
    return path.formatted(ids);
  }

  /** The longest body that an answer of that status may have, in bytes. */
  int longestBody(int status) {
    return Contents.isRead(this, status) ? LONGEST_LIST : LONGEST_OTHER;
  }

  /** Whether the fault is an answer of this call and no failure: the thing is gone, or taken. */
  boolean isAnsweredBy(Fault fault) {
    return fault == answer && fault != Fault.OTHER;
  }

  /** Whether the call changes what another process sees or counts on. */
  boolean changesService() {
    return kind == Kind.CHANGE || kind == Kind.CHANGE_ONCE;
  }

  /** Whether sending it again is harmless when it may already have been carried out. */
  boolean isRepeatable() {
    return kind != Kind.CHANGE_ONCE;
  }

  /** Whether the call goes to the queue of one session, with the token of that queue. */
  boolean isOfQueue() {
    return this == GET_MESSAGE || this == DELETE_MESSAGE;
  }

  /** Whether nothing is lost if it is sent later, so that it leaves GitHub's limits to others. */
  boolean canWait() {
    return switch (this) {
      case LISTED_RUNNER, VERSION_DATES, RUN, RUN_JOBS, RERUN_FAILED_JOBS, RERUN_JOB -> true;
      default -> false;
    };
  }

  /** Its name for people, as {@code get-message}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
