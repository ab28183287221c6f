package dev.runnerset.crds.condition;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The words of the API, from the names of their constants: {@code RUNNER_GC_REFUSED} is {@code
 * RunnerGCRefused}. So a constant that is renamed is another word to the user.
 */
final class Words {
  private static final Set<String> ABBREVIATIONS = Set.of("GC", "OOM");
  private static final Map<String, String> WORD_BY_NAME = new ConcurrentHashMap<>();

  private Words() {}

  /** The word of a constant. */
  static String of(String name) {
    return WORD_BY_NAME.computeIfAbsent(
        name, any -> Arrays.stream(any.split("_")).map(Words::part).collect(Collectors.joining()));
  }

  private static String part(String part) {
    return ABBREVIATIONS.contains(part)
        ? part
        : part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT);
  }
}
