package dev.runnerset.cli.doctor;

import dev.runnerset.cli.cluster.Gap;
import java.util.Locale;

/**
 * What was checked, and what was found.
 *
 * @param says what was found, in one line
 * @param advice what to do; empty if nothing is wrong
 */
public record Check(String name, Result result, String says, String advice) {
  /** What a check can find. */
  public enum Result {
    /** As it must be. */
    OK,
    /** Something must change. */
    WRONG,
    /** It cannot be known: a right is missing, or an earlier step fails. */
    UNKNOWN;

    /** As it is printed: ok, wrong or unknown. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Check ok(String name, String says) {
    return new Check(name, Result.OK, says, "");
  }

  static Check wrong(String name, String says, String advice) {
    return new Check(name, Result.WRONG, says, advice);
  }

  static Check unknown(String name, String says) {
    return new Check(name, Result.UNKNOWN, says, "");
  }

  /** What may not be read is unknown, with verb and resource. */
  static Check unknown(String name, Gap gap) {
    return unknown(name, gap.sentence());
  }
}
