package dev.runnerset.controller.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Events} as core v1 events in the object's namespace. */
public final class KubeEvents implements Events {
  private static final Logger LOG = LoggerFactory.getLogger(KubeEvents.class);
  private static final String COMPONENT = "runnerset-controller";
  private static final int LONGEST_NAME = 200;

  private final KubeApi kube;
  private final Clock clock;
  private final EventAggregation aggregation;

  /**
   * Events through that connection.
   *
   * @param ids short texts of lower-case letters and digits, unique even across restarts
   */
  public KubeEvents(KubeApi kube, Clock clock, Supplier<String> ids) {
    this.kube = kube;
    this.clock = clock;
    this.aggregation = new EventAggregation(ids);
  }

  @Override
  public void warn(HasMetadata about, Reason reason, String message) {
    tell(about, "Warning", reason.word(), message);
  }

  @Override
  public void note(HasMetadata about, Reason reason, String message) {
    tell(about, "Normal", reason.word(), message);
  }

  private void tell(HasMetadata about, String type, String reason, String message) {
    var uid = Objects.requireNonNullElse(about.getMetadata().getUid(), "");
    var key = new EventAggregation.Key(uid, reason);
    var now = clock.instant();
    try {
      switch (aggregation.seen(key, now)) {
        case EventAggregation.Write.Post(var id) ->
            kube.create(
                event(
                    about,
                    type,
                    name(about, id),
                    reason,
                    ShortText.of(message, StatusConditions.LONGEST_MESSAGE),
                    now));
        case EventAggregation.Write.Count(var id, var count) ->
            count(
                about,
                name(about, id),
                count,
                ShortText.of(message, StatusConditions.LONGEST_MESSAGE),
                now);
        case EventAggregation.Write.Nothing() -> {
          // counted; a later warning writes the count
        }
      }
    } catch (KubernetesClientException e) {
      aggregation.lost(key);
      LOG.atDebug()
          .addKeyValue("about", about.getMetadata().getName())
          .addKeyValue("reason", reason)
          .addKeyValue("code", e.getCode())
          .log("could not write an event");
    }
  }

  private void count(HasMetadata about, String name, int count, String message, Instant now) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("count", count).put("lastTimestamp", time(now)).put("message", message);
    kube.merge(Event.class, Resource.of(Event.class, namespace(about), name), body);
  }

  private static Event event(
      HasMetadata about, String type, String name, String reason, String message, Instant now) {
    var meta = about.getMetadata();
    return new EventBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace(about))
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion(about.getApiVersion())
        .withKind(about.getKind())
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withUid(meta.getUid())
        .withResourceVersion(meta.getResourceVersion())
        .endInvolvedObject()
        .withType(type)
        .withReason(reason)
        .withMessage(message)
        .withCount(1)
        .withFirstTimestamp(time(now))
        .withLastTimestamp(time(now))
        .withNewSource(COMPONENT, null)
        .withReportingComponent(COMPONENT)
        .withReportingInstance(COMPONENT)
        .build();
  }

  private static String name(HasMetadata about, String id) {
    var name = about.getMetadata().getName();
    return (name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name) + "." + id;
  }

  /** Events about objects without a namespace are in {@code default}. */
  private static String namespace(HasMetadata about) {
    var namespace = about.getMetadata().getNamespace();
    return namespace == null || namespace.isEmpty() ? "default" : namespace;
  }

  private static String time(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
