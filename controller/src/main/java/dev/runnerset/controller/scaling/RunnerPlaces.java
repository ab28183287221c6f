package dev.runnerset.controller.scaling;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.PlacementStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many runners the terms of the capacity leave place for, beside what the user wrote as {@code
 * maxRunners} (DM12).
 *
 * @param limits of each term that leaves fewer places than {@code maxRunners}, in their order
 * @param least the number that they come to, paced; null while none limits
 * @param startable how many runners the nodes take, whatever is assigned; null while all that are
 *     made start
 * @param idleStay whether idle runners beyond the number may stay for a while: no other set wants
 *     their room (DM13)
 * @param shadow whether the limits are only shown
 * @param placement what is stored of runners that found no place; null for nothing
 * @param requeue when they may be others without an event
 */
public record RunnerPlaces(
    List<CapacityLimit> limits,
    @Nullable Integer least,
    @Nullable Integer startable,
    boolean idleStay,
    boolean shadow,
    @Nullable PlacementStatus placement,
    RequeueTime requeue) {
  /** No term limits. */
  public static final RunnerPlaces NONE =
      new RunnerPlaces(List.of(), null, null, false, false, null, RequeueTime.NEVER);

  /** Takes a copy. */
  public RunnerPlaces {
    limits = List.copyOf(limits);
  }

  /** The number that holds; null while none does. */
  public @Nullable Integer enforced() {
    return shadow ? null : least;
  }

  /** How many runners may be made whatever is assigned; null while nothing bounds that. */
  public @Nullable Integer enforcedStarts() {
    return shadow ? null : startable;
  }

  /** True if idle runners beyond the number may stay for a while; else null. */
  public @Nullable Boolean enforcedStay() {
    return idleStay && !shadow ? Boolean.TRUE : null;
  }

  /** The limit that leaves the fewest places; of several the first. */
  public Optional<CapacityLimit> tightest() {
    return tightestOf(limits);
  }

  /** The one of them that leaves the fewest places; of several the first. */
  public static Optional<CapacityLimit> tightestOf(List<CapacityLimit> limits) {
    return limits.stream().min(Comparator.comparingInt(CapacityLimit::places));
  }

  /**
   * The number of the set (DM6), which bounds both the jobs that are taken and the runners that are
   * made: what is assigned lifts the terms, and never what the user wrote.
   *
   * @param maxRunners what the user wrote, or a schedule
   * @param least the least of the terms; null for none
   */
  public static int number(int maxRunners, @Nullable Integer least, int assigned) {
    return least == null ? maxRunners : Math.min(maxRunners, Math.max(assigned, least));
  }
}
