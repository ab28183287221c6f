package dev.runnerset.demo.scenario;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.demo.world.Rollouts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A full history, as an upgrade of the controller finds it. Nearly every entry completed alone in
 * its minor version, which is worth 30; a place costs 1.01, so the oldest of these stands at about
 * -70. Of the others four stand lower when four entries come, and the table of
 * docs/operate/history.md says which, whatever program ranks them.
 */
final class LongHistory {
  static final int ENTRIES = 100;

  /** Partial between two completed entries of its minor: -20, so -84 and less. */
  private static final Set<Integer> WITHIN_A_MINOR = Set.of(60, 66, 72);

  /** Completed between two completed entries of its minor: 0, so -81 and -92. */
  private static final Set<Integer> AMID_A_MINOR = Set.of(78, 90);

  /** Partial between two minors: 20, so -66. */
  private static final int BETWEEN_MINORS = 84;

  /** Partial, the initial one: protected. */
  private static final int INITIAL = ENTRIES - 1;

  private static final int NEWEST_MINOR = 334;

  private LongHistory() {}

  /** The revisions of those that go when four entries come. */
  static List<String> leastWorth() {
    return List.of(revision(60), revision(66), revision(72), revision(90));
  }

  /** The revisions of all, newest first. */
  static List<String> revisions() {
    return IntStream.range(0, ENTRIES).mapToObj(LongHistory::revision).toList();
  }

  private static String revision(int place) {
    return "before-%02d".formatted(place);
  }

  /** The status of a set that has it. */
  static ObjectNode status(Instant now) {
    var status = JsonNodeFactory.instance.objectNode();
    var history = status.putArray("history");
    for (int place = 0; place < ENTRIES; place++) {
      var started = now.truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofHours(place + 1L));
      var version = version(place);
      var entry =
          history
              .addObject()
              .put("version", version)
              .put("image", Rollouts.IMAGE + version)
              .put("revision", revision(place))
              .put("startedTime", started.toString())
              .put("completionTime", started.plus(Duration.ofMinutes(40)).toString());
      if (isPartial(place)) {
        entry.put("state", "Partial").put("reason", "Superseded");
      } else {
        entry.put("state", "Completed");
      }
    }
    return status;
  }

  private static boolean isPartial(int place) {
    return WITHIN_A_MINOR.contains(place) || place == BETWEEN_MINORS || place == INITIAL;
  }

  /** A minor of its own, but three places share one where the one in the middle is special. */
  private static String version(int place) {
    for (int middle = place - 1; middle <= place + 1; middle++) {
      if (WITHIN_A_MINOR.contains(middle) || AMID_A_MINOR.contains(middle)) {
        return "2.%d.%d".formatted(NEWEST_MINOR - middle, middle - place + 1);
      }
    }
    return "2.%d.0".formatted(NEWEST_MINOR - place);
  }
}
