package dev.runnerset.simulator.service;

import java.util.Optional;

/** Numbers in URLs and headers. */
final class Numbers {
  private Numbers() {}

  /** A decimal integer, empty if the text is none. */
  static Optional<Integer> parse(String text) {
    try {
      return Optional.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static Optional<Long> parseLong(String text) {
    try {
      return Optional.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
