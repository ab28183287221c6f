package dev.runnerset.listener.demand;

import static dev.runnerset.listener.demand.Heard.T0;
import static dev.runnerset.listener.demand.Heard.job;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * DM11 against a service that offers its jobs, and counts acquired ones among the assigned ones or
 * beside them: nobody knows which. Without faults the demand is exact whenever all was heard; with
 * lost and repeated messages, lost answers and restarts it is exact again when the jobs come to
 * rest.
 */
final class AcquireModelTest {
  private enum Stage {
    AVAILABLE,
    ACQUIRED,
    ASSIGNED,
    RUNNING
  }

  static LongStream seeds() {
    var given = Long.getLong("seed");
    return given != null ? LongStream.of(given) : LongStream.range(0, 600);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void eachJobIsCountedOnceAndNoneIsAcquiredBeyondTheCapacity(long seed) {
    new Model(seed, false).run();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void faultsHeal(long seed) {
    new Model(seed, true).run();
  }

  private static final class Model {
    final Random random;
    final boolean faults;
    final boolean inside; // acquired jobs are counted among the assigned ones
    final boolean repeats; // a job that the set has is won again
    final int most;
    final TreeMap<Long, Stage> jobs = new TreeMap<>();
    final List<JobEvent> news = new ArrayList<>();
    final Deque<Message> queue = new ArrayDeque<>();
    final List<String> trace = new ArrayList<>();
    DemandState state = DemandState.NONE;
    Instant now = T0;
    int capacity = 4;
    long lastJob;
    long lastMessage;
    long written;
    boolean idsUnknown; // jobs were acquired by a process that died

    Model(long seed, boolean faults) {
      this.random = new Random(seed);
      this.faults = faults;
      this.inside = random.nextBoolean();
      this.repeats = random.nextBoolean();
      this.most = random.nextBoolean() ? 50 : 2;
    }

    void run() {
      open();
      for (int i = 0; i < 300; i++) {
        step();
      }
      for (int round = 0; round < 40; round++) {
        now = now.plusSeconds(31);
        capacity = 4;
        do {
          all(Stage.ACQUIRED).forEach(this::assign);
          rest();
        } while (count(Stage.ACQUIRED) > 0);
        check(demand() == taken(), "at rest");
        all(Stage.ASSIGNED).forEach(id -> to(id, Stage.RUNNING));
        rest();
        all(Stage.RUNNING).forEach(this::complete);
        rest();
      }
      check(jobs.isEmpty(), "every job ends");
      check(demand() == 0, "in the end");
    }

    private void step() {
      now = now.plusSeconds(random.nextInt(4));
      switch (random.nextInt(faults ? 16 : 13)) {
        case 0, 1, 2 -> submit();
        case 3, 4 -> one(Stage.ACQUIRED, this::assign);
        case 5 -> one(Stage.ASSIGNED, id -> to(id, Stage.RUNNING));
        case 6 -> one(Stage.RUNNING, this::complete);
        case 7 -> cancel();
        case 8 -> one(Stage.AVAILABLE, jobs::remove); // another set was first
        case 9 -> capacity = random.nextInt(6);
        case 10, 11, 12 -> deliver();
        case 13 -> restart();
        case 14 -> {
          var _ = next();
          var _ = queue.poll(); // lost
        }
        default -> hear(next()); // and not acknowledged
      }
    }

    // --- the service

    private void submit() {
      jobs.put(++lastJob, Stage.AVAILABLE);
      news.add(new JobEvent.JobAvailable(named(lastJob)));
    }

    private static JobDescription named(long id) {
      return job((id % 2 == 0 ? "j" + id : "") + "#" + id);
    }

    private void assign(long id) {
      jobs.put(id, Stage.ASSIGNED);
      news.add(new JobEvent.JobAssigned(named(id)));
    }

    private void to(long id, Stage stage) {
      jobs.put(id, stage);
      news.add(new JobEvent.JobStarted(named(id), new RunnerId(id), "r" + id));
    }

    private void complete(long id) {
      jobs.remove(id);
      news.add(new JobEvent.JobCompleted(named(id), "succeeded", new RunnerId(id), "r" + id));
    }

    private void cancel() {
      var waiting = jobs.keySet().stream().filter(id -> jobs.get(id) != Stage.RUNNING).toList();
      if (!waiting.isEmpty()) {
        var id = waiting.get(random.nextInt(waiting.size()));
        jobs.remove(id);
        news.add(new JobEvent.JobCompleted(named(id), "canceled", new RunnerId(0), ""));
      }
    }

    private void one(Stage stage, LongConsumer then) {
      var there = all(stage);
      if (!there.isEmpty()) {
        then.accept(there.get(random.nextInt(there.size())));
      }
    }

    private List<Long> all(Stage stage) {
      return jobs.keySet().stream().filter(id -> jobs.get(id) == stage).toList();
    }

    private int count(Stage stage) {
      return all(stage).size();
    }

    private int taken() {
      return jobs.size() - count(Stage.AVAILABLE);
    }

    private Statistics counts() {
      int acquired = count(Stage.ACQUIRED);
      int running = count(Stage.RUNNING);
      int assigned = count(Stage.ASSIGNED) + running + (inside ? acquired : 0);
      return new Statistics(
          count(Stage.AVAILABLE), acquired, assigned, running, running + 1, running, 1);
    }

    /** The next message, with the counts of this moment; null for none. */
    private @Nullable Message next() {
      if (queue.isEmpty() && !news.isEmpty()) {
        var events = news.subList(0, Math.min(most, news.size()));
        queue.add(new Message(++lastMessage, null, events, List.of(), events.size() == most));
        events.clear();
      }
      var next = queue.peek();
      return next == null
          ? null
          : new Message(next.messageId(), counts(), next.events(), List.of(), next.full());
    }

    /** What of the jobs the set has now. */
    private Set<Long> acquire(List<Long> asked) {
      var won = new HashSet<Long>();
      for (var id : asked) {
        if (jobs.get(id) == Stage.AVAILABLE) {
          jobs.put(id, Stage.ACQUIRED);
          won.add(id);
        } else if (repeats && jobs.containsKey(id)) {
          won.add(id);
        }
      }
      trace.add("acquire " + asked + " won " + won);
      check(won.isEmpty() || idsUnknown || taken() <= capacity, "beyond the capacity");
      return won;
    }

    // --- the listener

    private void open() {
      apply(MessagePlanner.sessionOpened(state, counts(), now));
      idsUnknown |= count(Stage.ACQUIRED) > 0;
    }

    private void restart() {
      trace.add("restart");
      state = DemandState.NONE.takenOver(written);
      open();
    }

    private void apply(DemandPlan plan) {
      state = plan.next();
      for (var action : plan.actions()) {
        if (action instanceof WriteDemand(var message, var counts, var _)) {
          written = message;
          trace.add("demand " + counts.assigned());
        }
      }
    }

    private int demand() {
      return state.believed() == null ? 0 : state.believed().assigned();
    }

    /** Whether all of it is done. */
    private boolean hear(@Nullable Message message) {
      if (message != null) {
        trace.add(brief(message));
        apply(MessagePlanner.message(state, message, now));
        idsUnknown &= message.statistics() != null && message.statistics().acquired() > 0;
      }
      return acquires();
    }

    private static String brief(Message message) {
      var events =
          message.events().stream()
              .map(e -> e.getClass().getSimpleName() + " " + e.job().runnerRequestId())
              .toList();
      var c = message.statistics();
      return "%d: v%d q%d a%d r%d %s"
          .formatted(
              message.messageId(), c.available(), c.acquired(), c.assigned(), c.running(), events);
    }

    private boolean acquires() {
      if (MessagePlanner.isListDue(state, capacity, now)) {
        var list = all(Stage.AVAILABLE).stream().map(id -> job("#" + id)).toList();
        state = MessagePlanner.listed(state, list, now);
      }
      for (int tries = 0; tries < 2; tries++) {
        for (var asked = MessagePlanner.toAcquire(state, capacity);
            !asked.isEmpty();
            asked = MessagePlanner.toAcquire(state, capacity)) {
          if (faults && random.nextInt(6) == 0) {
            if (random.nextBoolean()) {
              var _ = acquire(asked); // and the answer is lost
            }
            return false;
          }
          var won = acquire(asked);
          if (faults && random.nextInt(8) == 0) {
            won.removeIf(id -> random.nextBoolean()); // the client's own second try won less
          }
          apply(MessagePlanner.acquired(state, asked, won, now));
        }
        if (MessagePlanner.isUnsure(state, capacity)) {
          apply(MessagePlanner.recounted(state, counts(), now));
        }
      }
      return true;
    }

    private void deliver() {
      if (hear(next()) && !queue.isEmpty()) {
        queue.remove();
      }
      check(
          faults || !news.isEmpty() || state.doubt() != null || demand() == taken(),
          "all was heard");
    }

    /** All is delivered, and counts of this moment are heard. */
    private void rest() {
      do {
        while (!news.isEmpty() || !queue.isEmpty()) {
          deliver();
        }
        now = now.plusSeconds(61);
        apply(
            MessagePlanner.tick(MessagePlanner.pollBegan(state, now).next(), now.plusSeconds(61)));
        now = now.plusSeconds(61);
        news.add(new JobEvent.JobCompleted(job("none"), "canceled", new RunnerId(0), ""));
        deliver();
      } while (!news.isEmpty() || !queue.isEmpty());
    }

    private void check(boolean holds, String what) {
      if (!holds) {
        throw new AssertionError(
            "%s: demand %d, %s; capacity %d, counted inside: %s%n%s"
                .formatted(what, demand(), jobs, capacity, inside, String.join("\n", trace)));
      }
    }
  }
}
