package dev.runnerset.crds.condition;

/** Reasons of the conditions of an AutoScalingListener, beside those of the access. */
public enum ListenerReason implements Reason.Known {
  SESSION_OPEN("the message session is open"),
  RUNNER_SET_NOT_FOUND("nothing: the controller is about to name the present EphemeralRunnerSet"),
  LISTENER_FAILED(
      "an error of the listener itself: the loop of the set was started again; see its log"),
  SESSION_CONFLICT(
      "another session holds the scale set: the message says whether it may be our "
          + "own, or is another listener's"),
  SESSION_UNUSABLE("the service opened a session that cannot be polled; another is opened"),
  SESSION_LOST("nothing: another session is opened"),
  UNAVAILABLE("nothing: the service, or the API server, does not answer; it is tried again"),
  POLL_UNANSWERED(
      "look at network and proxy if it stays: a poll got no answer in its time, as over a dead"
          + " connection; another session is opened at once"),
  FLAVOUR_NOT_SUPPORTED(
      "use a server that assigns jobs, as github.com does, or another controller: the server only"
          + " offers jobs to be acquired, which this version does not do"),
  STOPPED("the listener was stopped"),
  DELETED("the listener object is being deleted"),
  APPLIED("every message is applied"),
  RUNNER_SET_GONE("nothing: the set is gone, or is being recreated"),
  WRITES_FORBIDDEN(
      "the API server forbids what the listener writes: if the message names a policy, change the"
          + " policy; else `kubectl describe` the set: it says what keeps the controller from making"
          + " the listener's role in the namespace of the set"),
  MESSAGE_SKIPPED(
      "a part of a message could not be read in three tries and was skipped; reported for"
          + " ten minutes"),
  RUNNER_GONE(
      "a job started on a runner that has no EphemeralRunner: look who deleted it, or who registers"
          + " other runners with the scale set; reported for ten minutes"),
  OTHER_REGISTRATION(
      "a message was for an earlier registration of the runner's name: give a standalone runner"
          + " that is made again another name; reported for ten minutes"),
  MARK_REFUSED(
      "look at the admission policies and webhooks for `ephemeralrunners/status`: the mark of a job is"
          + " refused, in the words of the message; tried again");

  private final String sentence;

  ListenerReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
