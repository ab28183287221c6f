package dev.runnerset.base;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The word that was meant, perhaps, by one that nobody knows. */
@Pure
public final class NearestWord {
  private NearestWord() {}

  /** The known word that the fewest changes of a character lead to; empty if they are many. */
  public static Optional<String> to(String unknown, Collection<String> known) {
    return known.stream()
        .filter(word -> changes(unknown, word) <= Math.max(2, word.length() / 3))
        .min(Comparator.comparing((String word) -> changes(unknown, word)));
  }

  private static int changes(String one, String other) {
    var from = one.toLowerCase(Locale.ROOT);
    var to = other.toLowerCase(Locale.ROOT);
    var row = new int[to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      int before = 0;
      for (int j = 0; j <= to.length(); j++) {
        int above = row[j];
        if (i == 0 || j == 0) {
          row[j] = i + j;
        } else {
          int replaced = before + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
          row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
        }
        before = above;
      }
    }
    return row[to.length()];
  }
}
