package dev.runnerset.controller.autoscalingrunnerset.telling;

import dev.runnerset.base.RequeueTime;
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
 * Tells of each trouble of a set when it begins, again every five minutes while it lasts, since the
 * API server drops an event after an hour, and once when it is over.
 *
 * @param troubleByReason the troubles that were told and are not known to be over
 */
record TroubleTelling(Map<String, Trouble> troubleByReason) {
  static final TroubleTelling NONE = new TroubleTelling(Map.of());

  /** A pass that comes a little early repeats too: the next one may be five minutes later. */
  static final Duration AGAIN = Duration.ofSeconds(290);

  /** A trouble that comes back sooner was not over. */
  static final Duration OVER = Duration.ofSeconds(10);

  /**
   * A trouble that was told.
   *
   * @param goneSince null while it lasts
   */
  record Trouble(Instant since, Instant lastTold, @Nullable Instant goneSince) {}

  /** What follows from one look. */
  record Next(TroubleTelling telling, List<Saying> sayings, RequeueTime lookAgain) {}

  TroubleTelling {
    troubleByReason = Map.copyOf(troubleByReason);
  }

  Next next(List<Condition> conditions, Instant now) {
    var present = Troubles.of(conditions, now);
    var next = new LinkedHashMap<String, Trouble>();
    var sayings = new ArrayList<Saying>();
    var lookAgain = present.lookAgain();
    for (var trouble : present.messageByReason().entrySet()) {
      var reason = trouble.getKey();
      var told = troubleByReason.get(reason);
      boolean due = told == null || !now.isBefore(told.lastTold.plus(AGAIN));
      if (due) {
        sayings.add(new Saying.Warning(word(reason), trouble.getValue()));
      }
      next.put(
          reason,
          new Trouble(
              told == null ? now : told.since, told == null || due ? now : told.lastTold, null));
    }
    for (var former : troubleByReason.entrySet()) {
      if (next.containsKey(former.getKey())) {
        continue;
      }
      var trouble = former.getValue();
      var goneSince = trouble.goneSince == null ? now : trouble.goneSince;
      if (now.isBefore(goneSince.plus(OVER))) {
        next.put(former.getKey(), new Trouble(trouble.since, trouble.lastTold, goneSince));
        lookAgain = lookAgain.or(goneSince.plus(OVER));
      } else {
        sayings.add(over(former.getKey(), trouble.since, goneSince, present));
      }
    }
    return new Next(new TroubleTelling(next), sayings, lookAgain);
  }

  private static Saying over(String reason, Instant since, Instant until, Troubles present) {
    var lasted = Duration.between(since, until).truncatedTo(ChronoUnit.SECONDS);
    var rest = present.messageByReason().keySet().stream().collect(Collectors.joining(", "));
    return new Saying.Note(
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
