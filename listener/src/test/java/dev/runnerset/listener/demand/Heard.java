package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.ReadScaleSet;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Messages and plans in the short words of the tables. */
public final class Heard {
  public static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private Heard() {}

  /** "a3 r2 g3 b2 i1 v1 q1": assigned, running, registered, busy, idle, available, acquired. */
  public static Statistics counts(String text) {
    var c = new int[7];
    for (var word : text.split(" ")) {
      if (!word.isEmpty()) {
        c["argbivq".indexOf(word.charAt(0))] = Integer.parseInt(word.substring(1));
      }
    }
    return new Statistics(c[5], c[6], c[0], c[1], c[2], c[3], c[4]);
  }

  /**
   * "5: a3 r2; assigned j1, started j1 on r1, completed j1 on r1"; "-" for no statistics, "5 full:"
   * for a full message.
   */
  public static Message message(String text) {
    var head = text.substring(0, text.indexOf(':')).split(" ");
    var id = Long.parseLong(head[0]);
    var parts = text.substring(text.indexOf(':') + 1).split(";", 2);
    var counts = parts[0].strip();
    var events =
        parts.length < 2
            ? java.util.List.<JobEvent>of()
            : Arrays.stream(parts[1].split(",")).map(e -> event(e.strip())).toList();
    return new Message(
        id,
        counts.equals("-") ? null : counts(counts),
        events,
        java.util.List.of(),
        head.length > 1);
  }

  private static JobEvent event(String text) {
    var words = text.split(" ");
    var runner = words.length > 3 ? words[3] : "";
    var id = new RunnerId(runner.isEmpty() ? 0 : runner.hashCode());
    return switch (words[0]) {
      case "available" -> new JobEvent.JobAvailable(job(words[1]));
      case "assigned" -> new JobEvent.JobAssigned(job(words[1]));
      case "started" -> new JobEvent.JobStarted(job(words[1]), id, runner);
      case "completed" -> new JobEvent.JobCompleted(job(words[1]), "succeeded", id, runner);
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** "j1", or with the number of its request "j1#5"; "#5" has no other name. */
  public static JobDescription job(String text) {
    var parts = text.split("#");
    long request = parts.length < 2 ? 0 : Long.parseLong(parts[1]);
    return new JobDescription(
        request, parts[0], "o/r", "w", "build", 7, "push", null, null, null, null);
  }

  /** "start r1, demand 3@5 | done r2@5": steps apart by a bar. */
  public static String plan(DemandPlan plan) {
    return plan.steps().stream()
        .map(step -> step.stream().map(Heard::action).collect(Collectors.joining(", ")))
        .collect(Collectors.joining(" | "));
  }

  static String action(DemandAction action) {
    return switch (action) {
      case WriteDemand d -> "demand " + d.counts().assigned() + "@" + d.messageId();
      case Mark m when m.isCompletion() ->
          "done " + m.runnerName() + "@" + m.status().job().completedIn();
      case Mark m -> "start " + m.runnerName();
      case ReadScaleSet() -> "read";
    };
  }
}
