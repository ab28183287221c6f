package dev.runnerset.cli.cluster;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a list request found.
 *
 * @param items empty if there is a gap
 * @param gap why nothing could be read
 */
public record Listing<T>(List<T> items, Optional<Gap> gap) {
  /** What was found. */
  public static <T> Listing<T> of(List<T> items) {
    return new Listing<>(List.copyOf(items), Optional.empty());
  }

  /** Nothing, for that reason. */
  public static <T> Listing<T> missing(Gap gap) {
    return new Listing<>(List.of(), Optional.of(gap));
  }

  /** The items that match. */
  public Listing<T> filter(Predicate<T> wanted) {
    return new Listing<>(items.stream().filter(wanted).toList(), gap);
  }
}
