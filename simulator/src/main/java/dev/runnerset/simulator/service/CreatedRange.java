package dev.runnerset.simulator.service;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * When the runs of a list were created, both ends included, as the parameter {@code created} says
 * it: {@code >=T}, {@code <=T} or {@code T..T}, each a time or a date.
 */
record CreatedRange(Instant from, Instant to) {
  static final CreatedRange ANY = new CreatedRange(Instant.MIN, Instant.MAX);

  /** The range; empty if the text is none of these. */
  static Optional<CreatedRange> parse(String text) {
    try {
      if (text.startsWith(">=")) {
        return Optional.of(new CreatedRange(begin(text.substring(2)), Instant.MAX));
      }
      if (text.startsWith("<=")) {
        return Optional.of(new CreatedRange(Instant.MIN, end(text.substring(2))));
      }
      var dots = text.indexOf("..");
      return dots < 0
          ? Optional.empty()
          : Optional.of(
              new CreatedRange(begin(text.substring(0, dots)), end(text.substring(dots + 2))));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  boolean contains(Instant time) {
    return !time.isBefore(from) && !time.isAfter(to);
  }

  private static Instant begin(String text) {
    return text.contains("T")
        ? Instant.parse(text)
        : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private static Instant end(String text) {
    return text.contains("T") ? Instant.parse(text) : begin(text).plusSeconds(86_399);
  }
}
