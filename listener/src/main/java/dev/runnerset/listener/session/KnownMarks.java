package dev.runnerset.listener.session;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.listener.demand.DemandAction.Mark;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last mark that this process wrote onto the runner of each name, and which registrations had
 * the name before: a message about one of these comes too late, whatever the runner's status says.
 * The oldest names are forgotten first. Written by one thread, between writes; read by any.
 */
final class KnownMarks {
  private static final int NAMES = 2_000;

  private record Known(Mark mark, Set<RunnerId> former) {}

  private final Map<String, Known> knownByName =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > NAMES;
        }
      };

  /** The mark that stands; null if this process wrote none. */
  @Nullable Mark standing(String name) {
    var known = knownByName.get(name);
    return known == null ? null : known.mark();
  }

  /** Whether another registration has had the name since that of the mark. */
  boolean isLate(Mark mark) {
    var known = knownByName.get(mark.runnerName());
    return known != null
        && mark.runnerId().value() > 0 // else the service did not say which
        && known.former().contains(mark.runnerId());
  }

  /** The mark was written. */
  void stands(Mark mark) {
    var before = knownByName.remove(mark.runnerName()); // so that the name is the youngest
    var former = new HashSet<RunnerId>();
    if (before != null) {
      former.addAll(before.former());
      former.add(before.mark().runnerId());
      former.remove(mark.runnerId());
    }
    knownByName.put(mark.runnerName(), new Known(mark, Set.copyOf(former)));
  }
}
