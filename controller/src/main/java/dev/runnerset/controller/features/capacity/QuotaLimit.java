package dev.runnerset.controller.features.capacity;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How many runners one resource of one quota allows.
 *
 * @param hard the limit, in base units
 * @param used what all objects of the namespace take of it
 * @param own what of that the set's own live runners take
 * @param perRunner what a runner with a job takes, more than 0
 * @param ownPods how many of the set's live runners have a pod
 * @param refusal why the quota admits no runner at all; {@code NONE} if it counts
 */
public record QuotaLimit(
    String quota,
    String resource,
    BigDecimal hard,
    BigDecimal used,
    BigDecimal own,
    BigDecimal perRunner,
    int ownPods,
    Refusal refusal) {

  /** Why a quota admits no runner, whatever is left. */
  public enum Refusal {
    /** It does not refuse. */
    NONE,
    /** The API server has not computed yet how much is used; it admits nothing until then. */
    NOT_COMPUTED,
    /** A container does not say how much it takes of a resource that the quota limits. */
    UNSPECIFIED
  }

  /** Why there is so much room, and no more. */
  public enum Reason {
    /** Room is left for one at least. */
    ROOM,
    /** All is used, or the rest is too little for one. */
    FULL,
    /** The limit is 0. */
    ZERO,
    /** More is used than the limit, which was lowered. */
    OVERDRAWN,
    /** {@link Refusal#NOT_COMPUTED}. */
    NOT_COMPUTED,
    /** {@link Refusal#UNSPECIFIED}. */
    UNSPECIFIED
  }

  /** How many more runners it admits, never below 0. */
  public int room() {
    return refusal == Refusal.NONE ? times(hard.subtract(used)) : 0;
  }

  /**
   * How many runners the set may have at a time, its live ones included: the own charges are as if
   * they were free, so that the number does not change while the own runners come and go.
   */
  public int total() {
    return refusal == Refusal.NONE ? times(hard.subtract(used).add(own)) : ownPods;
  }

  private int times(BigDecimal left) {
    if (left.signum() <= 0) {
      return 0;
    }
    return left.divide(perRunner, 0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Integer.MAX_VALUE))
        .intValueExact();
  }

  /** Why {@link #room} is what it is. */
  public Reason reason() {
    return switch (refusal) {
      case NOT_COMPUTED -> Reason.NOT_COMPUTED;
      case UNSPECIFIED -> Reason.UNSPECIFIED;
      case NONE -> {
        if (hard.signum() == 0) {
          yield Reason.ZERO;
        }
        if (used.compareTo(hard) > 0) {
          yield Reason.OVERDRAWN;
        }
        yield room() == 0 ? Reason.FULL : Reason.ROOM;
      }
    };
  }

  /** The same as one sentence for people, without a full stop. */
  public String sentence() {
    var quotaName = "quota " + quota;
    return switch (reason()) {
      case ROOM, FULL ->
          "%s has room for %s: %s %s of %s left"
              .formatted(
                  quotaName,
                  room() == 0
                      ? "no more runners"
                      : room() == 1 ? "1 more runner" : room() + " more runners",
                  resource,
                  text(hard.subtract(used)),
                  text(hard));
      case ZERO -> quotaName + " allows no runners: its limit of " + resource + " is 0";
      case OVERDRAWN ->
          "%s has room for no more runners: %s of %s are used, its limit is %s"
              .formatted(quotaName, text(used), resource, text(hard));
      case NOT_COMPUTED ->
          quotaName
              + " admits no runner yet: the API server has not computed how much of "
              + resource
              + " is used";
      case UNSPECIFIED -> quotaName + " admits no runner: each container must specify " + resource;
    };
  }

  private String text(BigDecimal amount) {
    return Amounts.text(resource, amount);
  }
}
