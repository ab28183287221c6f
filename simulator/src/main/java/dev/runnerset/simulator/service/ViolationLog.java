package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The violations seen, oldest first; at most {@value #LIMIT} are kept. Thread-safe. */
final class ViolationLog {
  static final int LIMIT = 10_000;
  private final List<Violation> violations = new ArrayList<>(); // guarded by this

  synchronized void add(Instant at, Violation.Kind kind, String subject, String detail) {
    if (violations.size() < LIMIT) {
      violations.add(new Violation(at, kind, subject, detail));
    }
  }

  synchronized List<Violation> all() {
    return List.copyOf(violations);
  }
}
