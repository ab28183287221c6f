package dev.runnerset.listener.demand;

import static dev.runnerset.listener.demand.Heard.T0;
import static dev.runnerset.listener.demand.Heard.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.ReadScaleSet;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * I8: messages that are applied in part, then again by another process, leave what one application
 * of each would have left; and no fall of demand is seen before the completions of its message.
 */
final class ExactlyOnceTest {
  private static final int JOBS = 12;

  /** What stands in Kubernetes. */
  private static final class Store {
    final Map<String, String> markByRunner = new TreeMap<>();
    Statistics counts = Heard.counts("");
    long messageId;
    final List<String> seen = new ArrayList<>();

    void apply(DemandAction action) {
      seen.add(Heard.action(action));
      switch (action) {
        case WriteDemand d -> {
          assertThat(d.messageId()).as("demand.messageId").isGreaterThanOrEqualTo(messageId);
          counts = d.counts();
          messageId = d.messageId();
        }
        case Mark m when m.isCompletion() -> markByRunner.put(m.runnerName(), done(m));
        case Mark m ->
            markByRunner.merge(m.runnerName(), "busy", (old, busy) -> old); // merge patch: adds
        case ReadScaleSet() -> throw new AssertionError("no zeros in this world");
      }
    }

    String facts() {
      return counts + " @" + messageId + " " + markByRunner;
    }
  }

  static LongStream seeds() {
    var given = Long.getLong("seed");
    return given != null ? LongStream.of(given) : LongStream.range(0, 400);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void crashesAndRedeliveriesLeaveWhatOneApplicationLeaves(long seed) {
    var random = new Random(seed);
    var messages = messages(random);
    var once = new Store();
    var state = MessagePlanner.sessionOpened(DemandState.NONE, Heard.counts("i1"), T0).next();
    for (var message : messages) {
      var plan = MessagePlanner.message(state, message, after(message));
      plan.actions().forEach(once::apply);
      state = plan.next();
    }
    var stormy = stormy(messages, random);
    assertThat(stormy.facts()).as("seed %d: %s", seed, stormy.seen).isEqualTo(once.facts());
  }

  /** Delivery at least once to processes that die between any two actions. */
  private static Store stormy(List<Message> messages, Random random) {
    var store = new Store();
    var state = opened(store, DemandState.NONE, Heard.counts("i1"));
    int acknowledged = 0;
    int next = 0;
    while (acknowledged < messages.size()) {
      var message = messages.get(next);
      var plan = MessagePlanner.message(state, message, after(message));
      var died = !apply(plan, store, random);
      if (died) {
        // a new process: the service's numbers at that moment, then what is not acknowledged
        state = opened(store, DemandState.NONE, now(messages, next));
        next = acknowledged;
        continue;
      }
      state = plan.next();
      if (random.nextInt(4) == 0) {
        next = acknowledged; // the acknowledgement was lost, and the session again
        continue;
      }
      acknowledged = next + 1;
      next++;
    }
    return store;
  }

  private static DemandState opened(Store store, DemandState state, Statistics counts) {
    var plan = MessagePlanner.sessionOpened(state.takenOver(store.messageId), counts, T0);
    plan.actions().forEach(store::apply);
    return plan.next();
  }

  private static Statistics now(List<Message> messages, int next) {
    for (int i = next; i >= 0; i--) {
      if (messages.get(i).statistics() != null) {
        return messages.get(i).statistics();
      }
    }
    return Heard.counts("i1");
  }

  /** False when the process died on the way; the actions of a step go in any order. */
  private static boolean apply(DemandPlan plan, Store store, Random random) {
    for (var step : plan.steps()) {
      var shuffled = new ArrayList<>(step);
      Collections.shuffle(shuffled, random);
      for (var action : shuffled) {
        if (random.nextInt(6) == 0) {
          return false;
        }
        fallComesLast(plan, action, store);
        store.apply(action);
      }
    }
    return random.nextInt(8) != 0;
  }

  private static String done(Mark mark) {
    return "done in " + mark.status().job().completedIn();
  }

  private static void fallComesLast(DemandPlan plan, DemandAction action, Store store) {
    if (action instanceof WriteDemand d && d.counts().assigned() < store.counts.assigned()) {
      for (var other : plan.actions()) {
        if (other instanceof Mark m && m.isCompletion()) {
          assertThat(store.markByRunner).containsEntry(m.runnerName(), done(m));
        }
      }
    }
  }

  private static Instant after(Message message) {
    return T0.plusSeconds(10 * message.messageId()); // beyond any quiet
  }

  /** The life of some jobs, cut into messages with the statistics of their moment. */
  private static List<Message> messages(Random random) {
    var events = new ArrayList<JobEvent>();
    var stage = new int[JOBS];
    while (events.size() < 3 * JOBS) {
      int j = random.nextInt(JOBS);
      var id = new RunnerId(j + 1);
      switch (stage[j]++) {
        case 0 -> events.add(new JobEvent.JobAssigned(job("j" + j)));
        case 1 -> events.add(new JobEvent.JobStarted(job("j" + j), id, "r" + j));
        case 2 -> events.add(new JobEvent.JobCompleted(job("j" + j), "succeeded", id, "r" + j));
        default -> {}
      }
    }
    var messages = new ArrayList<Message>();
    int assigned = 0;
    int running = 0;
    for (int from = 0; from < events.size(); ) {
      int to = Math.min(events.size(), from + 1 + random.nextInt(4));
      for (var event : events.subList(from, to)) {
        assigned += event instanceof JobEvent.JobAssigned ? 1 : 0;
        assigned -= event instanceof JobEvent.JobCompleted ? 1 : 0;
        running += event instanceof JobEvent.JobStarted ? 1 : 0;
        running -= event instanceof JobEvent.JobCompleted ? 1 : 0;
      }
      var last = to == events.size();
      var counts = new Statistics(0, 0, assigned, running, running + 1, running, 1);
      messages.add(
          new Message(
              messages.size() + 1L,
              !last && random.nextInt(5) == 0 ? null : counts,
              events.subList(from, to),
              List.of(),
              false));
      from = to;
    }
    return messages;
  }
}
