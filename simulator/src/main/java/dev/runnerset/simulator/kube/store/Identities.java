package dev.runnerset.simulator.kube.store;

import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Where uids and generated names come from.
 *
 * @param uid a new uid each time
 * @param suffix five characters for {@code generateName}
 */
public record Identities(Supplier<String> uid, Supplier<String> suffix) {
  /** No vowels and no 0, 1, 3, so that no words come out (as upstream). */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  public static Identities random() {
    RandomGenerator random = new Random(); // thread-safe
    return new Identities(() -> UUID.randomUUID().toString(), () -> suffix(random));
  }

  private static String suffix(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }
}
