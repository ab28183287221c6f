package dev.runnerset.kube.wire;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks on each watch whether the API server is still there when it has said nothing for a while,
 * and ends a watch that stays silent. Nobody else would: what is lost on the way is not reported to
 * whoever only waits. Thread-safe.
 */
final class Pings {
  static final Pings DEFAULT = new Pings(Duration.ofSeconds(5), Duration.ofSeconds(12));

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watch-pings").factory());

  private final Duration after;
  private final Duration limit;

  /**
   * Pings of one kind.
   *
   * @param after how long a watch may say nothing before it is asked
   * @param limit how long it may say nothing at all
   */
  Pings(Duration after, Duration limit) {
    this.after = after;
    this.limit = limit;
  }

  /** How long a watch may say nothing before it is asked. */
  Duration after() {
    return after;
  }

  /** A listener that hears what the other one hears, and asks when there is nothing to hear. */
  WebSocket.Listener around(WebSocket.Listener listener, Consumer<String> silent) {
    return new Asking(listener, silent);
  }

  private final class Asking implements WebSocket.Listener {
    private final WebSocket.Listener heard;
    private final Consumer<String> silent;
    private volatile long last = System.nanoTime();
    private volatile long askedAt = last;
    private volatile boolean sending;
    private volatile boolean over;
    private volatile @Nullable ScheduledFuture<?> asking;

    Asking(WebSocket.Listener heard, Consumer<String> silent) {
      this.heard = heard;
      this.silent = silent;
    }

    @Override
    public void onOpen(WebSocket socket) {
      last = System.nanoTime();
      askedAt = last;
      long period = after.toMillis();
      asking = TIMER.scheduleAtFixedRate(() -> ask(socket), period, period, TimeUnit.MILLISECONDS);
      heard.onOpen(socket);
    }

    /**
     * What was received and is still worked on keeps later words, also the answer of a ping. A
     * process that slept has heard nothing, whoever spoke.
     */
    private void ask(WebSocket socket) {
      var now = System.nanoTime();
      boolean slept = now - askedAt > 2 * after.toNanos();
      askedAt = now;
      var quiet = Duration.ofNanos(now - last);
      if (over || socket.isInputClosed()) {
        end();
      } else if (sending || slept) {
        last = now;
      } else if (quiet.compareTo(limit) >= 0) {
        end();
        socket.abort();
        silent.accept("said nothing for " + quiet.toSeconds() + " s");
        heard.onError(
            socket, new IOException("no answer to a ping for " + quiet.toSeconds() + " s"));
      } else if (quiet.compareTo(after) >= 0) {
        var _ = socket.sendPing(ByteBuffer.allocate(0));
      }
    }

    private void end() {
      over = true;
      var running = asking;
      if (running != null) {
        running.cancel(false);
      }
    }

    private @Nullable CompletionStage<?> send(Sending what) {
      sending = true;
      try {
        return what.send();
      } finally {
        last = System.nanoTime();
        sending = false;
      }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      return send(() -> heard.onText(socket, data, last));
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      return send(() -> heard.onBinary(socket, data, last));
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
      return send(() -> heard.onPing(socket, message));
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
      return send(() -> heard.onPong(socket, message));
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      end();
      return heard.onClose(socket, code, reason);
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      if (!over) {
        end();
        heard.onError(socket, error);
      }
    }
  }

  /** One thing that is heard. */
  private interface Sending {
    @Nullable CompletionStage<?> send();
  }
}
