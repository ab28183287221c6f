package dev.runnerset.simulator.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.http.Call;
import dev.runnerset.simulator.kube.http.Query;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Change;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.EventLog;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Watches: chunked streams of one JSON event a line, from a resourceVersion on. */
public final class Watches {
  /** As upstream: without a timeout asked for, a watch ends by itself and is begun again. */
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);
  private static final Duration LAST_BOOKMARK =
      Duration.ofSeconds(2); // before the end, as upstream
  private static final byte[] OBJECT = "\",\"object\":".getBytes(StandardCharsets.UTF_8);
  private static final byte[] END = "}\n".getBytes(StandardCharsets.UTF_8);

  private final Cluster cluster;
  private final Function<ResourceType, Duration> lag;

  /**
   * The watches of a cluster.
   *
   * @param lag how long a change of a resource is held before its watches get it
   */
  public Watches(Cluster cluster, Function<ResourceType, Duration> lag) {
    this.cluster = cluster;
    this.lag = lag;
  }

  public Reply begin(ResourceType type, String namespace, Call call) {
    Query query = call.query();
    Predicate<StoredObject> selector =
        Selector.of(type, namespace, query.text("labelSelector"), query.text("fieldSelector"));
    Duration timeout = Duration.ofSeconds(query.number("timeoutSeconds", LONGEST.toSeconds()));
    long from = query.number("resourceVersion", 0);
    Watch watch = new Watch(type, selector, timeout, query.isTrue("allowWatchBookmarks"));
    return new Reply.Stream(out -> watch.run(out, from, namespace));
  }

  private final class Watch {
    private final ResourceType type;
    private final Predicate<StoredObject> selector;
    private final long endNanos;
    private final boolean bookmarks;

    Watch(
        ResourceType type, Predicate<StoredObject> selector, Duration timeout, boolean bookmarks) {
      this.type = type;
      this.selector = selector;
      this.endNanos = System.nanoTime() + timeout.toNanos();
      this.bookmarks = bookmarks;
    }

    void run(OutputStream out, long from, String namespace)
        throws IOException, InterruptedException {
      out.flush(); // the headers: the client must know that it watches
      try {
        EventLog log = cluster.store(type).log();
        long start = from == 0 ? sendCurrent(out, namespace) : from;
        long cursor = log.after(start);
        if (bookmarks) {
          // for fabric8 on HTTP/1.1 a watch begins with its first event
          bookmark(out, start);
          out.flush();
        }
        follow(out, log, cursor);
      } catch (ApiException e) {
        send(out, "ERROR", Json.bytes(e.status()));
        out.flush();
      }
    }

    private long sendCurrent(OutputStream out, String namespace) throws IOException {
      ResourceStore.Snapshot snapshot = cluster.store(type).snapshot(namespace);
      for (StoredObject object : snapshot.objects()) {
        if (selector.test(object)) {
          send(out, new Change.Event("ADDED", object));
        }
      }
      out.flush();
      return snapshot.revision();
    }

    private void follow(OutputStream out, EventLog log, long begin)
        throws IOException, InterruptedException {
      long cursor = begin;
      long nextBookmark = nextBookmark(System.nanoTime());
      while (System.nanoTime() < endNanos) {
        long until = Math.min(endNanos, nextBookmark);
        long revision = cluster.store(type).locked(cluster::revision);
        List<Change> changes =
            log.read(cursor, Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        hold(changes);
        for (Change change : changes) {
          Change.Event event = change.seenThrough(selector);
          if (event != null) {
            send(out, event);
          }
        }
        cursor += changes.size();
        if (System.nanoTime() >= nextBookmark) {
          nextBookmark = nextBookmark(System.nanoTime());
          if (bookmarks && changes.isEmpty()) {
            // read before the wait that saw nothing: no change up to it is unsent
            bookmark(out, revision);
          }
        }
        out.flush();
      }
    }

    private void hold(List<Change> changes) throws InterruptedException {
      Duration held = lag.apply(type);
      if (!changes.isEmpty() && !held.isZero()) {
        Thread.sleep(held);
      }
    }

    private long nextBookmark(long now) {
      long last = endNanos - LAST_BOOKMARK.toNanos();
      long regular = now + BOOKMARK_EVERY.toNanos();
      return now < last ? Math.min(last, regular) : Long.MAX_VALUE;
    }

    private void bookmark(OutputStream out, long revision) throws IOException {
      ObjectNode object = Json.object();
      object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
      ObjectNode metadata = object.putObject("metadata");
      metadata.put("resourceVersion", Long.toString(revision));
      metadata.putNull("creationTimestamp");
      send(out, "BOOKMARK", Json.bytes(object));
    }

    private void send(OutputStream out, Change.Event event) throws IOException {
      send(out, event.type(), event.object().bytes());
    }

    private void send(OutputStream out, String eventType, byte[] object) throws IOException {
      out.write(("{\"type\":\"" + eventType).getBytes(StandardCharsets.UTF_8));
      out.write(OBJECT);
      out.write(object);
      out.write(END);
    }
  }
}
