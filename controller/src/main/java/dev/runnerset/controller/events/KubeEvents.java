package dev.runnerset.controller.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.ShortText;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NotSentException;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * {@link Events} as core v1 events in the object's namespace. Who owns it has {@link #writeDue} run
 * every few seconds, and {@link #writeAll} at the end.
 */
public final class KubeEvents implements Events {
  private static final Logger LOG = LoggerFactory.getLogger(KubeEvents.class);
  private static final String COMPONENT = "runnerset-controller";
  private static final int LONGEST_NAME = 200;
  private static final Set<Integer> MAY_SUCCEED_LATER = Set.of(408, 429);

  private final KubeApi kube;
  private final Clock clock;
  private final EventAggregation<Report> aggregation;
  private final BiPredicate<String, BooleanSupplier> writer;

  /**
   * Events that the writer writes.
   *
   * @param ids short texts of lower-case letters and digits, unique even across restarts
   * @param writer runs a write about an object (its uid); the write answers false if it is to be
   *     tried again. False if the write is dropped
   */
  public KubeEvents(
      KubeApi kube,
      Clock clock,
      Supplier<String> ids,
      BiPredicate<String, BooleanSupplier> writer) {
    this.kube = kube;
    this.clock = clock;
    this.aggregation = new EventAggregation<>(ids);
    this.writer = writer;
  }

  @Override
  public void warn(HasMetadata about, Reason reason, String message) {
    report(about, "Warning", reason.word(), "", message);
  }

  @Override
  public void note(HasMetadata about, Reason reason, String subject, String message) {
    report(about, "Normal", reason.word(), subject, message);
  }

  /** Writes the counts that were held for long enough. Does not wait for the requests. */
  public void writeDue() {
    aggregation.due(clock.instant()).forEach(this::write);
  }

  /** The same for all that is held, at the end of the process. */
  public void writeAll() {
    aggregation.all(clock.instant()).forEach(this::write);
  }

  /** One report; {@code about} is a reference, since it may be held for a while. */
  private record Report(
      ObjectReference about, String type, String reason, String message, Instant at) {}

  private void report(
      HasMetadata about, String type, String reason, String subject, String message) {
    var uid = Objects.requireNonNullElse(about.getMetadata().getUid(), "");
    var key = new EventAggregation.Key(uid, reason, subject);
    var words = ShortText.of(message, StatusConditions.LONGEST_MESSAGE);
    var report = new Report(reference(about), type, reason, words, clock.instant());
    aggregation.seen(key, report, report.at()).ifPresent(this::write);
  }

  private void write(EventAggregation.Due<Report> due) {
    var event = event(due.report(), due.write());
    int count = due.write().count();
    submit(
        due.key(),
        due.report().about(),
        () -> count == 1 ? kube.create(event) : count(event, count));
  }

  private void submit(EventAggregation.Key key, ObjectReference about, Supplier<?> write) {
    if (!writer.test(key.uid(), () -> isDone(key, about, write))) {
      aggregation.lost(key);
      log(key, about).log("too many events wait: this one is dropped");
    }
  }

  /** Whether the write was done, or can never be. */
  private boolean isDone(EventAggregation.Key key, ObjectReference about, Supplier<?> write) {
    try {
      var _ = write.get();
      return true;
    } catch (KubernetesClientException e) {
      boolean later =
          (MAY_SUCCEED_LATER.contains(e.getCode()) || e.getCode() <= 0 || e.getCode() >= 500)
              && !NotSentException.isCauseOf(e);
      if (!later) {
        aggregation.lost(key);
      }
      log(key, about)
          .addKeyValue("code", e.getCode())
          .addKeyValue("again", later)
          .log("could not write an event");
      return !later;
    }
  }

  private static LoggingEventBuilder log(EventAggregation.Key key, ObjectReference about) {
    return LOG.atDebug().addKeyValue("about", about.getName()).addKeyValue("reason", key.reason());
  }

  /** Counts the event; writes it again if the API server has dropped it for its age. */
  private Event count(Event event, int count) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("count", count)
        .put("lastTimestamp", event.getLastTimestamp())
        .put("message", event.getMessage());
    try {
      return kube.merge(Event.class, Resource.of(event), body);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      return kube.create(event);
    }
  }

  private static Event event(Report report, EventAggregation.Write write) {
    var about = report.about();
    return new EventBuilder()
        .withNewMetadata()
        .withName(name(about, write.id()))
        .withNamespace(namespace(about))
        .endMetadata()
        .withInvolvedObject(about)
        .withType(report.type())
        .withReason(report.reason())
        .withMessage(report.message())
        .withCount(write.count())
        .withFirstTimestamp(Times.seconds(report.at()))
        .withLastTimestamp(Times.seconds(report.at()))
        .withNewSource(COMPONENT, null)
        .withReportingComponent(COMPONENT)
        .withReportingInstance(COMPONENT)
        .build();
  }

  private static ObjectReference reference(HasMetadata about) {
    var meta = about.getMetadata();
    return new ObjectReferenceBuilder()
        .withApiVersion(about.getApiVersion())
        .withKind(about.getKind())
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withUid(meta.getUid())
        .withResourceVersion(meta.getResourceVersion())
        .build();
  }

  private static String name(ObjectReference about, String id) {
    var name = about.getName();
    return (name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name) + "." + id;
  }

  /** Events about objects without a namespace are in {@code default}. */
  private static String namespace(ObjectReference about) {
    var namespace = about.getNamespace();
    return namespace == null || namespace.isEmpty() ? "default" : namespace;
  }
}
