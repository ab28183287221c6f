package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;

/**
 * How many rollouts are kept, and what makes one worth keeping (HS1, HS2). Immutable. Every weight
 * is in hundredths, so that ranks are exact: no two are ever equal in a list of at most 1000, since
 * sums of weights are multiples of 10 and a place costs 1.01.
 *
 * @param maxEntries entries kept
 * @param finalEntries the newest entries that are protected
 * @param protectedWeight the initial one, the newest ones, the most recent completed one
 * @param minorBookendWeight completed first or last in its minor
 * @param minorTransitionWeight partial between completions of different minors
 * @param zStreamWeight partial between completions of the same minor
 * @param placeWeight for each place an entry is older than the newest
 */
@Pure
public record HistoryPolicy(
    int maxEntries,
    int finalEntries,
    long protectedWeight,
    long minorBookendWeight,
    long minorTransitionWeight,
    long zStreamWeight,
    long placeWeight) {
  /** The product's own weights and size (HS1, HS2). */
  public static final HistoryPolicy DEFAULT =
      new HistoryPolicy(100, 5, 1000_00, 30_00, 20_00, -20_00, -1_01);

  /** Beyond the newest: the initial entry and the most recent completed one. */
  private static final int PROTECTED_BESIDE_FINAL = 2;

  /** Rejects a size at which the protected entries alone could fill the list. */
  public HistoryPolicy {
    if (finalEntries < 1) {
      throw new IllegalArgumentException("at least the newest entry is protected");
    }
    int least = finalEntries + PROTECTED_BESIDE_FINAL;
    if (maxEntries < least) {
      throw new IllegalArgumentException(
          ("a history of %d entries cannot hold the %d newest, the initial and the most recent completed"
                  + " one: give at least %d")
              .formatted(maxEntries, finalEntries, least));
    }
    if (placeWeight >= 0) {
      throw new IllegalArgumentException("an older entry must weigh less: placeWeight < 0");
    }
  }

  /** The same weights with another size, for tests and for trying weights out. */
  public HistoryPolicy withMaxEntries(int entries) {
    return new HistoryPolicy(
        entries,
        finalEntries,
        protectedWeight,
        minorBookendWeight,
        minorTransitionWeight,
        zStreamWeight,
        placeWeight);
  }
}
