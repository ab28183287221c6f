package dev.runnerset.cli.ui;

import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sends browsers what has changed, as server-sent events. A browser that reads slowly gets fewer
 * and larger events; of many streams the oldest ends.
 */
final class Streams {
  /** A browser opens one for each tab. */
  static final int AT_MOST = 12;

  private static final Duration PACE = Duration.ofMillis(250);
  private static final Duration BEAT = Duration.ofSeconds(5);
  private static final Duration COUNTER_BEAT = Duration.ofMillis(500);

  private final FleetModel model;
  private final Stage stage;
  private final Clock clock;
  private final CountDownLatch first = new CountDownLatch(1);
  private final ArrayDeque<Thread> open = new ArrayDeque<>(); // the oldest first

  /**
   * One event.
   *
   * @param now of this machine, in milliseconds, for ages
   */
  record Event(long now, FleetModel.Change change, Map<String, Long> counters) {}

  Streams(FleetModel model, Stage stage, Clock clock) {
    this.model = model;
    this.stage = stage;
    this.clock = clock;
  }

  /**
   * Sends until the browser goes.
   *
   * @param set the key of the set whose runners are wanted; empty for none
   */
  void serve(HttpExchange exchange, String set) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    enter();
    try {
      exchange.sendResponseHeaders(200, 0);
      send(exchange.getResponseBody(), set);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      leave();
    }
  }

  private void send(OutputStream out, String set) throws IOException, InterruptedException {
    long seen = 0;
    Map<String, Long> counters = Map.of();
    while (!model.isClosed()) {
      var change = model.since(seen, row -> row.set().equals(set));
      var counted = stage.counters();
      boolean isNews = change.version() > seen || !counted.equals(counters);
      write(out, isNews ? data(change, counted) : ": still there\n\n");
      seen = change.version();
      counters = counted;
      Thread.sleep(PACE);
      model.await(seen, counted.isEmpty() ? BEAT : COUNTER_BEAT);
    }
  }

  private String data(FleetModel.Change change, Map<String, Long> counters) {
    return "data: " + Serialization.asJson(new Event(clock.millis(), change, counters)) + "\n\n";
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Waits until a browser has opened one, or so long. */
  boolean awaitFirst(Duration atMost) throws InterruptedException {
    return first.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void enter() {
    first.countDown();
    open.addLast(Thread.currentThread());
    if (open.size() > AT_MOST) {
      open.removeFirst().interrupt();
    }
  }

  private synchronized void leave() {
    open.remove(Thread.currentThread());
  }
}
