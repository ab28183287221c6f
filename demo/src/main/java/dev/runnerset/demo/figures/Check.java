package dev.runnerset.demo.figures;

import java.util.Locale;

/** One thing a rehearsal proves. */
public record Check(String id, boolean ok, String expected, String actual) {
  public static Check equal(String id, long expected, long actual) {
    return new Check(id, expected == actual, Long.toString(expected), Long.toString(actual));
  }

  public static Check atMost(String id, double expected, double actual) {
    return new Check(id, actual <= expected, "<= " + number(expected), number(actual));
  }

  public static Check atLeast(String id, double expected, double actual) {
    return new Check(id, actual >= expected, ">= " + number(expected), number(actual));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
