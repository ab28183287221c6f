package dev.runnerset.deployment.node;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Asks a container's probes in their rhythm, each in a thread of its own. */
final class Prober implements AutoCloseable {
  private final PodSandbox sandbox;
  private final Results results;
  private final Map<Kind, Thread> threads = new EnumMap<>(Kind.class);

  /** The three probes. */
  enum Kind {
    STARTUP,
    LIVENESS,
    READINESS
  }

  /** Who hears of the results; must not block. */
  interface Results {
    void of(Kind kind, boolean success, String why);
  }

  Prober(PodSandbox sandbox, Results results) {
    this.sandbox = sandbox;
    this.results = results;
  }

  /** Begins to ask; does nothing without a rule. */
  void start(Kind kind, Optional<ProbeRule> rule) {
    rule.ifPresent(r -> threads.put(kind, Thread.ofVirtual().start(() -> ask(kind, r))));
  }

  /** Asks no more. */
  void stop(Kind kind) {
    var thread = threads.remove(kind);
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void ask(Kind kind, ProbeRule rule) {
    try {
      Thread.sleep(rule.initialDelay());
      while (true) {
        long begin = System.nanoTime();
        once(kind, rule);
        var rest = rule.period().minusNanos(System.nanoTime() - begin);
        Thread.sleep(rest.isNegative() ? Duration.ZERO : rest);
      }
    } catch (InterruptedException e) {
      // asked no more
    }
  }

  private void once(Kind kind, ProbeRule rule) throws InterruptedException {
    try {
      int status = sandbox.get(rule.port(), rule.path(), rule.timeout());
      results.of(kind, status >= 200 && status < 400, "HTTP status " + status);
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      results.of(kind, false, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    threads.values().forEach(Thread::interrupt);
    threads.clear();
  }
}
