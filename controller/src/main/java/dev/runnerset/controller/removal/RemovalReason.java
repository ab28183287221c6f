package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;

/** Why a runner is removed; the name stands in logs and events, the sentence in logs. */
@Pure
public enum RemovalReason {
  SCALE_DOWN("capacity", "more runners are live than wanted"),
  CORDONED("cordoned", "its node is cordoned or about to go"),
  RETIRED("retired", "a person marked it with the annotation runnerset.dev/retire"),
  REVISION("revision", "another revision is wanted"),
  LIFETIME("lifetime", "almost half of its lifetime is over"),
  AGE("age", "it was idle for too long"),
  FORMER_SCALE_SET("scale_set", "it is registered for a scale set that its set no longer has"),
  EXIT_OVERDUE("overdue", "its job is over, and its container does not end"),
  RUNNER_DELETED("", "somebody deleted its resource"),
  POD_GONE("", "its pod has ended or is gone, and nobody saw its container end"),
  ENDED("", "its container ended without a completion message"),
  ENDED_UNHEARD("", "its container ended without a mark and without a completion message"),
  /** It ended while its pod was being deleted: most likely it had no job (RN8). */
  ENDED_BY_DELETION("", "its pod was deleted, and it has no mark"),
  START_OVERDUE("", "its start took longer than its deadline"),
  UNREGISTERED("", "the service does not know it, while its container runs"),
  LEFT_OVER("", "no resource of that registration exists");

  private final String word;
  private final String sentence;

  RemovalReason(String word, String sentence) {
    this.word = word;
    this.sentence = sentence;
  }

  /** The value of the label {@code reason} of the metrics; empty if these do not count it. */
  public String word() {
    return word;
  }

  /** What is the matter with the runner. */
  public String sentence() {
    return sentence;
  }

  /** Whether the metrics of scale-down count it. */
  public boolean isCounted() {
    return !word.isEmpty();
  }

  /**
   * Whether the runner counts as live until it is gone: another one takes its place, and must not
   * be made before the service has agreed.
   */
  public boolean isReplacedAfter() {
    return this == CORDONED || this == RETIRED || this == LIFETIME;
  }

  /**
   * Whether an error of its removal takes one of the places of the set (SD6): a sweep for age that
   * fails must not keep surplus runners from going (AC7).
   */
  public boolean isErrorCounted() {
    return this != AGE;
  }

  /** Whether the service is asked whether it has the runner before it is asked to remove it. */
  boolean isCheckedFirst() {
    return this == ENDED_UNHEARD || this == ENDED_BY_DELETION;
  }

  /** Whether the end of the runner is known, so that a first refusal counts no more (SD5). */
  boolean clearsRefusal() {
    return isEnd() || this == POD_GONE;
  }

  /** Whether its container has ended. */
  boolean isEnd() {
    return this == ENDED || this == ENDED_UNHEARD || this == ENDED_BY_DELETION;
  }
}
