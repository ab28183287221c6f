package dev.runnerset.controller.features.places;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.features.capacity.PodEvent;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What autoscalers and kubelets report of the pods of a namespace: listed beside the passes, and
 * only while somebody asks (docs/adr/0110). Thread-safe.
 */
public final class PodEvents {
  /** A namespace is read no sooner again. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  /** All events of pods but the usual ones: one list has what each of the signals needs. */
  public static final String SELECTOR =
      Stream.of("Scheduled", "Pulling", "Pulled", "Created", "Started", "Killing", "BackOff")
          .map("reason!="::concat)
          .collect(Collectors.joining(",", "involvedObject.kind=Pod,", ""));

  /** The most events that are read of one namespace; a missing one proves nothing. */
  public static final long MOST = 500;

  /** A right that is missing does not come by itself. */
  @Detail private static final Duration REFUSED_AGAIN = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);
  private static final int FORBIDDEN = 403;

  private final Function<String, List<Event>> list;
  private final Executor threads;
  private final Clock clock;
  private final Map<String, Read> byNamespace = new ConcurrentHashMap<>();
  private final AtomicBoolean reported = new AtomicBoolean();

  /**
   * The last list of a namespace.
   *
   * @param next when it may be read again; null while it is being read
   */
  private record Read(@Nullable Instant next, Map<String, List<PodEvent>> byPod) {}

  /**
   * Nothing is read yet.
   *
   * @param list the events of a namespace by {@link #SELECTOR}; blocks
   * @param threads one thread for each list
   */
  public PodEvents(Function<String, List<Event>> list, Executor threads, Clock clock) {
    this.list = list;
    this.threads = threads;
    this.clock = clock;
  }

  /** What was read last, by the uid of the pod. */
  Map<String, List<PodEvent>> of(String namespace) {
    var read = byNamespace.get(namespace);
    return read == null ? Map.of() : read.byPod();
  }

  /** Begins to read a namespace, unless that was done a moment ago. Does not block. */
  void read(String namespace) {
    var now = clock.instant();
    var begun = new AtomicBoolean();
    byNamespace.compute(
        namespace,
        (key, last) -> {
          boolean due = last == null || isDue(last, now);
          begun.set(due);
          return due ? new Read(null, last == null ? Map.of() : last.byPod()) : last;
        });
    if (!begun.get()) {
      return;
    }
    try {
      threads.execute(() -> list(namespace, now));
    } catch (RejectedExecutionException e) { // the process ends
      byNamespace.remove(namespace);
    }
  }

  private static boolean isDue(Read last, Instant now) {
    var next = last.next();
    return next != null
        && (!now.isBefore(next) || next.isAfter(now.plus(REFUSED_AGAIN))); // the clock was set
  }

  private void list(String namespace, Instant begun) {
    var known = of(namespace);
    var next = begun.plus(PERIOD);
    try {
      known = byPod(list.apply(namespace));
      reported.set(false);
    } catch (KubernetesClientException e) {
      if (e.getCode() == FORBIDDEN) {
        known = Map.of();
        next = begun.plus(REFUSED_AGAIN);
      }
      report(e);
    } finally {
      byNamespace.put(namespace, new Read(next, known));
    }
  }

  private void report(KubernetesClientException failure) {
    var event = reported.compareAndSet(false, true) ? LOG.atWarn() : LOG.atDebug();
    event
        .addKeyValue("why", failure.toString())
        .log(
            "events cannot be listed, so no refusal of an autoscaler limits a set; let the controller"
                + " list events (docs/operate/capacity.md); tried again");
  }

  private static Map<String, List<PodEvent>> byPod(List<Event> events) {
    return events.stream()
        .filter(event -> event.getInvolvedObject() != null)
        .filter(event -> event.getInvolvedObject().getUid() != null)
        .collect(
            Collectors.groupingBy(
                event -> event.getInvolvedObject().getUid(),
                Collectors.mapping(PodEvents::podEvent, Collectors.toList())));
  }

  private static PodEvent podEvent(Event event) {
    var series = event.getSeries();
    var at =
        Times.latest(
            Timestamps.parse(event.getFirstTimestamp()),
            Timestamps.parse(event.getLastTimestamp()),
            event.getEventTime() == null ? null : Timestamps.parse(event.getEventTime().getTime()),
            series == null || series.getLastObservedTime() == null
                ? null
                : Timestamps.parse(series.getLastObservedTime().getTime()));
    return new PodEvent(
        component(event), text(event.getReason()), text(event.getMessage()), orLongAgo(at));
  }

  /** The field of today, or that of older programs. */
  private static String component(Event event) {
    var reporting = text(event.getReportingComponent());
    return reporting.isEmpty() && event.getSource() != null
        ? text(event.getSource().getComponent())
        : reporting;
  }

  private static Instant orLongAgo(@Nullable Instant at) {
    return Optional.ofNullable(at).orElse(Instant.EPOCH);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
