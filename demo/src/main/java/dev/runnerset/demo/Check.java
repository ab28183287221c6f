package dev.runnerset.demo;

/** One thing a rehearsal proves. */
record Check(String id, boolean ok, String expected, String actual) {
  static Check equal(String id, long expected, long actual) {
    return new Check(id, expected == actual, Long.toString(expected), Long.toString(actual));
  }

  static Check atMost(String id, double expected, double actual) {
    return new Check(id, actual <= expected, "<= " + number(expected), number(actual));
  }

  static Check atLeast(String id, double expected, double actual) {
    return new Check(id, actual >= expected, ">= " + number(expected), number(actual));
  }

  static Check holds(String id, boolean ok, String expected, String actual) {
    return new Check(id, ok, expected, actual);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(java.util.Locale.ROOT, "%.2f", value);
  }
}
