package dev.runnerset.cli.why;

import java.util.Collection;
import java.util.List;

/**
 * Why something is as it is.
 *
 * @param subject what was asked about: {@code set ci/linux}
 * @param sentence the cause, in one sentence and one line
 * @param evidence what shows it, in the order of time
 * @param advice what to do, a sentence each
 */
public record Explanation(
    String subject, String sentence, List<Fact> evidence, List<String> advice) {
  /** Sorts the evidence. */
  static Explanation of(
      String subject, String sentence, Collection<Fact> evidence, List<String> advice) {
    return new Explanation(
        subject, sentence, evidence.stream().distinct().sorted(Fact.BY_TIME).toList(), advice);
  }
}
