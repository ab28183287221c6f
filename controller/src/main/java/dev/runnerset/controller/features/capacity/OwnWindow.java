package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.features.capacity.OwnCharges.LiveRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the own runners of a set have taken of quotas in the last seconds. The API server counts a
 * pod before our cache has it, and for a while after it is gone: what it says is used now holds for
 * one of these moments. Immutable.
 *
 * @param samples the oldest first, at least one; each was so until the next one
 */
public record OwnWindow(List<Sample> samples) {
  /** How long after a change of the own runners what is used may not show it yet. */
  public static final Duration SETTLES = Duration.ofSeconds(5);

  /**
   * One moment.
   *
   * @param actual the objects that are in our cache
   * @param likely the same, and the objects of runners that start now: they may be there already
   */
  public record Sample(
      Instant at, Map<LiveRunner, Integer> actual, Map<LiveRunner, Integer> likely) {
    /** Takes a copy. */
    public Sample {
      actual = Map.copyOf(actual);
      likely = Map.copyOf(likely);
    }

    boolean isLike(Sample other) {
      return actual.equals(other.actual) && likely.equals(other.likely);
    }
  }

  /** Takes a copy. */
  public OwnWindow {
    samples = List.copyOf(samples);
  }

  /** That moment alone. */
  public static OwnWindow of(Sample sample) {
    return new OwnWindow(List.of(sample));
  }

  /** The window at a later moment. */
  public OwnWindow with(Sample now) {
    if (now.at().isBefore(latest().at())) {
      return of(now); // an administrator set the clock
    }
    var kept = new ArrayList<>(samples);
    if (!now.isLike(latest())) {
      kept.add(now);
    }
    while (kept.size() > 1 && !kept.get(1).at().plus(SETTLES).isAfter(now.at())) {
      kept.removeFirst();
    }
    return new OwnWindow(kept);
  }

  /** The last moment. */
  public Sample latest() {
    return samples.getLast();
  }

  /** What the own runners may have taken, as far as what is used shows it. */
  Stream<OwnCharges> possible() {
    return samples.stream()
        .flatMap(sample -> Stream.of(sample.actual(), sample.likely()).distinct())
        .map(OwnCharges::of);
  }

  /** The most that they may have taken, by their pods. */
  public OwnCharges most() {
    return possible().max(Comparator.comparingInt(OwnCharges::pods)).orElse(OwnCharges.NONE);
  }

  /** When the window is another one without an event. */
  public RequeueTime requeue(Instant now) {
    if (samples.size() > 1) {
      return RequeueTime.at(samples.get(1).at().plus(SETTLES));
    }
    return latest().actual().equals(latest().likely())
        ? RequeueTime.NEVER
        : RequeueTime.at(now.plus(SETTLES));
  }
}
