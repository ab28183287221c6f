package dev.runnerset.e2e.chaos;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One thing that goes wrong under running jobs.
 *
 * @param id its name in figures and checks
 * @param hits whom
 * @param needs where it can be brought about
 * @param hold how long it lasts at least; what must be reported is waited for
 * @param words what sets say of it
 * @param bar within which sets must tell it; whatever a set says is to be no older
 */
record ChaosFault(
    String id, Hits hits, Needs needs, Duration hold, Words words, Duration bar, Acts acts) {
  static final Duration BAR = Duration.ofSeconds(30);

  /** A program that starts again on a full machine takes its time. */
  private static final Duration RESTARTS = Duration.ofSeconds(30);

  private static final Pattern NOTHING = Pattern.compile("(?!)");

  /** Within which all sets must be well again after its end. */
  Duration wellWithin() {
    return bar.plus(RESTARTS);
  }

  /** Whom it hits. */
  enum Hits {
    /** One set, by its own service or namespace: others are to stay well meanwhile. */
    ONE_SET,
    /** All sets, since it hits a program or the API server. */
    ALL_SETS
  }

  /** Where it can be brought about. */
  enum Needs {
    /** Anywhere. */
    NOTHING,
    /** Where the programs reach the API server through a proxy. */
    PROXY,
    /** There, unless an API server can be killed: this stands in its place. */
    PROXY_ALONE,
    /** Where the programs of the control plane are ours. */
    CONTROL_PLANE
  }

  /**
   * What sets say of it.
   *
   * @param must whether they have to say something of it, as {@code Reason: message}
   * @param may what they may say; all else is not true
   */
  record Words(boolean must, Pattern may) {}

  /**
   * What is done.
   *
   * @param every at each look, while it lasts
   */
  record Acts(Consumer<ChaosPlace> begin, Consumer<ChaosPlace> every, Consumer<ChaosPlace> end) {}

  static ChaosFault of(
      String id, Hits hits, int holdSeconds, Consumer<ChaosPlace> begin, Consumer<ChaosPlace> end) {
    var acts = new Acts(begin, place -> {}, end);
    var words = new Words(false, NOTHING);
    return new ChaosFault(
        id, hits, Needs.NOTHING, Duration.ofSeconds(holdSeconds), words, BAR, acts);
  }

  /** Sets have to tell of it so. */
  ChaosFault reported(String regex) {
    return with(new Words(true, Pattern.compile(regex, Pattern.DOTALL)));
  }

  /** Sets may tell of it so, or say nothing while their jobs get runners. */
  ChaosFault maybeReported(String regex) {
    return with(new Words(false, Pattern.compile(regex, Pattern.DOTALL)));
  }

  private ChaosFault with(Words value) {
    return new ChaosFault(id, hits, needs, hold, value, bar, acts);
  }

  ChaosFault needs(Needs value) {
    return new ChaosFault(id, hits, value, hold, words, bar, acts);
  }

  ChaosFault within(int seconds) {
    return new ChaosFault(id, hits, needs, hold, words, Duration.ofSeconds(seconds), acts);
  }

  ChaosFault every(Consumer<ChaosPlace> value) {
    var more = new Acts(acts.begin(), value, acts.end());
    return new ChaosFault(id, hits, needs, hold, words, bar, more);
  }
}
