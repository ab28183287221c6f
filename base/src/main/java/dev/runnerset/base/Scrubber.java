package dev.runnerset.base;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes credentials out of a text: the values that are known, and whatever looks like one. It takes
 * too much rather than too little: a log line is read by people, and stands in a status that many
 * may read.
 */
@Pure
public final class Scrubber {
  /** Knows no value: takes out only what looks like a credential. */
  public static final Scrubber OF_NOTHING_KNOWN = new Scrubber(List.of());

  private static final String GONE = "***";
  private static final String KNOWN = "known value";
  private static final String UNSEARCHED = "text that could not be searched";

  /** Shorter values, as of {@code DEBUG=1}, are in every text. */
  private static final int SHORTEST_VALUE = 5;

  /** What looks like a credential, by its kind; the first that matches counts. */
  private static final Map<String, String> PATTERN_BY_KIND = new LinkedHashMap<>();

  static {
    PATTERN_BY_KIND.put("key", "-----BEGIN[\\s\\S]{0,16000}?(?:-----END[^-\\n]*-----|\\z)");
    PATTERN_BY_KIND.put("token", "\\b(?:gh[a-z]_|github_pat_)\\w+");
    PATTERN_BY_KIND.put("header", "(?i:\\b(?:bearer|basic)\\s+)[^\\s\"',;]+");
    // a JSON object in base64: a JWT, a JIT config
    PATTERN_BY_KIND.put("json", "\\beyJ[\\w.-]+");
    PATTERN_BY_KIND.put("user", "(?<=://)[^/@\\s]+(?=@)");
    PATTERN_BY_KIND.put("digits", "(?<!sha256:)\\b[0-9a-fA-F]{40,}\\b");
    PATTERN_BY_KIND.put(
        "base64",
        "(?<![\\w+/=-])(?=[\\w+/=-]*[A-Z])(?=[\\w+/=-]*[a-z])(?=[\\w+/=-]*\\d)[\\w+/=-]{40,}");
    PATTERN_BY_KIND.put(
        "named",
        "(?i:(?<=(?:token|password|passwd|secret|api[-_]?key|credential|authorization)"
            + "[\"']{0,1}\\s{0,2}[:=]\\s{0,2}))[\"']?[^\\s\"',;]+");
  }

  private static final Pattern CREDENTIAL =
      Pattern.compile(
          PATTERN_BY_KIND.entrySet().stream()
              .map(each -> "(?<" + each.getKey() + ">" + each.getValue() + ")")
              .collect(Collectors.joining("|")));

  private final List<String> known;

  private Scrubber(Collection<String> known) {
    this.known =
        known.stream()
            .filter(value -> value.length() >= SHORTEST_VALUE)
            .distinct()
            .sorted(Comparator.comparing(String::length).reversed())
            .toList();
  }

  /** Also takes out these values; a value of less than five characters stays. */
  public static Scrubber of(Collection<String> known) {
    return new Scrubber(known);
  }

  /**
   * A text without credentials.
   *
   * @param kinds what was taken out, a word for each kind; empty for nothing
   */
  public record Clean(String text, Set<String> kinds) {}

  /** The text without credentials; empty for null. Throws nothing. */
  public String scrub(@Nullable String text) {
    return clean(text).text();
  }

  /** The same, with the kinds of what was taken out. */
  public Clean clean(@Nullable String text) {
    if (text == null) {
      return new Clean("", Set.of());
    }
    var kinds = new TreeSet<String>();
    var clean = text;
    for (var value : known) {
      if (clean.contains(value)) {
        kinds.add(KNOWN);
        clean = clean.replace(value, GONE);
      }
    }
    try {
      var cleaner =
          CREDENTIAL
              .matcher(clean)
              .replaceAll(found -> {
                kinds.add(kind(found));
                return GONE;
              });
      return new Clean(cleaner, kinds);
    } catch (StackOverflowError e) {
      return new Clean(GONE, Set.of(UNSEARCHED)); // a text that cannot be searched is not shown
    }
  }

  private static String kind(MatchResult found) {
    return PATTERN_BY_KIND.keySet().stream()
        .filter(name -> found.group(name) != null)
        .findFirst()
        .orElse(KNOWN);
  }
}
