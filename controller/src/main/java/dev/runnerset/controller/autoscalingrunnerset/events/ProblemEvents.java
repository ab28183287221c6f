package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.controller.autoscalingrunnerset.events.EventState.Next;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports each problem of a set when it begins, again every five minutes while it lasts, since the
 * API server drops an event after an hour, and once when it is over.
 *
 * @param problemByReason the problems that were reported and are not known to be over
 */
record ProblemEvents(Map<String, Problem> problemByReason) {
  static final ProblemEvents NONE = new ProblemEvents(Map.of());

  /**
   * A problem that was reported.
   *
   * @param goneSince null while it lasts
   */
  record Problem(Instant since, Instant lastReported, @Nullable Instant goneSince) {}

  ProblemEvents {
    problemByReason = Map.copyOf(problemByReason);
  }

  Next<ProblemEvents> next(List<Condition> conditions, Instant now) {
    var present = Problems.of(conditions, now);
    var next = new LinkedHashMap<String, Problem>();
    var due = new ArrayList<PendingEvent>();
    var requeueAt = present.requeueAt();
    for (var problem : present.messageByReason().entrySet()) {
      var reason = problem.getKey();
      var known = problemByReason.get(reason);
      boolean again = known == null || !now.isBefore(known.lastReported.plus(SetEventTimes.AGAIN));
      if (again) {
        due.add(new PendingEvent(true, word(reason), "", problem.getValue()));
      }
      var since = known == null ? now : known.since;
      var reported = known == null || again ? now : known.lastReported;
      next.put(reason, new Problem(since, reported, null));
    }
    for (var former : problemByReason.entrySet()) {
      if (next.containsKey(former.getKey())) {
        continue;
      }
      var problem = former.getValue();
      var goneSince = problem.goneSince == null ? now : problem.goneSince;
      if (now.isBefore(goneSince.plus(SetEventTimes.OVER))) {
        next.put(former.getKey(), new Problem(problem.since, problem.lastReported, goneSince));
        requeueAt = requeueAt.or(goneSince.plus(SetEventTimes.OVER));
      } else {
        due.add(over(former.getKey(), problem.since, goneSince, present));
      }
    }
    return new Next<>(new ProblemEvents(next), due, requeueAt);
  }

  private static PendingEvent over(String reason, Instant since, Instant until, Problems present) {
    var lasted = Duration.between(since, until).truncatedTo(ChronoUnit.SECONDS);
    var rest = present.messageByReason().keySet().stream().collect(Collectors.joining(", "));
    return PendingEvent.normal(
        EventReason.HEALED,
        reason,
        reason
            + " is over after "
            + GoDuration.text(lasted)
            + (rest.isEmpty() ? "" : "; the set still has: " + rest));
  }

  private static Reason word(String reason) {
    return Reason.mirrored(reason, EventReason.HEALED);
  }
}
