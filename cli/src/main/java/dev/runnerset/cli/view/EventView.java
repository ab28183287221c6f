package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.MicroTime;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An event.
 *
 * @param at when it was seen last, as the API server has it; empty if unknown
 * @param count how often it was seen; at least 1
 */
@Pure
public record EventView(String at, String type, String reason, String message, int count) {
  /** The view of an event, whichever of both APIs its writer used. */
  public static EventView of(Event event) {
    var series = event.getSeries();
    var at =
        Stream.of(
                time(series == null ? null : series.getLastObservedTime()),
                Texts.line(event.getLastTimestamp()),
                time(event.getEventTime()),
                Texts.line(event.getMetadata().getCreationTimestamp()))
            .filter(time -> !time.isEmpty())
            .findFirst()
            .orElse("");
    return new EventView(
        at,
        Texts.line(event.getType()),
        Texts.line(event.getReason()),
        Texts.line(event.getMessage()),
        Objects.requireNonNullElse(series == null ? event.getCount() : series.getCount(), 1));
  }

  private static String time(@Nullable MicroTime time) {
    return time == null ? "" : Texts.line(time.getTime());
  }
}
