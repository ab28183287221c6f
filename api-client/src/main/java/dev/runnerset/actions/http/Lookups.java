package dev.runnerset.actions.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Dns;

/**
 * Looks addresses up on threads of the system. A lookup cannot be interrupted, and holds the
 * carrier of a virtual thread: a name server that does not answer would stop all others. Each name
 * is asked for once at a time. Thread-safe.
 */
final class Lookups implements Dns {
  /** For all clients: its threads end when they are idle for a minute. */
  static final Lookups OF_SYSTEM = new Lookups(Dns.SYSTEM, Duration.ofSeconds(10));

  private final Dns names;
  private final Duration atMost;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("lookup").daemon().factory());
  private final Map<String, Future<List<InetAddress>>> lookupByName = new ConcurrentHashMap<>();

  /** Asks those; an answer is waited for so long. */
  Lookups(Dns names, Duration atMost) {
    this.names = names;
    this.atMost = atMost;
  }

  @Override
  public List<InetAddress> lookup(String name) throws UnknownHostException {
    var lookup = lookupByName.computeIfAbsent(name, this::begin);
    try {
      return lookup.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw unknown(name + ": no answer from the name server in " + atMost.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(name + ": interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownHostException unknownHost
          ? unknown(String.valueOf(unknownHost.getMessage()))
          : unknown(name + ": " + e.getCause());
    }
  }

  private Future<List<InetAddress>> begin(String name) {
    return threads.submit(() -> {
      try {
        return names.lookup(name);
      } finally {
        lookupByName.remove(name);
      }
    });
  }

  private static UnknownHostException unknown(String message) {
    return new UnknownHostException(message);
  }
}
