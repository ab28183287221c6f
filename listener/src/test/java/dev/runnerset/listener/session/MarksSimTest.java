package dev.runnerset.listener.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.Heard;
import dev.runnerset.listener.session.context.SetWriter.Marked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One name, and three runners after each other that bear it, as when a person makes a standalone
 * runner again. The id of each registration becomes known at any time, messages come late, and the
 * listener may die and be reported again. No mark of the present runner is lost (DM3, LV1).
 */
final class MarksSimTest {
  private static final String NAME = "r1";

  /** The runner of the name as it is now: what the API server stores. */
  private static final class Stored implements FakeWorld.Runners {
    final long registration;
    boolean idKnown;
    @Nullable Mark start; // of which registration the start is that it shows
    @Nullable Mark end;

    Stored(long registration) {
      this.registration = registration;
    }

    /** As {@code KubeSetWriter} does with two patches. */
    @Override
    public Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing) {
      if (standing != null && !standing.runnerId().equals(mark.runnerId())) {
        start = null;
        end = null;
      }
      write(mark);
      if (!idKnown || mark.runnerId().value() == registration) {
        return new Marked(true, 0);
      }
      start = null;
      end = null;
      if (standing != null && standing.runnerId().value() == registration) {
        write(standing);
      }
      return new Marked(false, 0);
    }

    private void write(Mark mark) {
      start = mark;
      if (mark.isCompletion()) {
        end = mark;
      }
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("seeds", 1_000));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noMarkOfThePresentRunnerIsLost(long seed) {
    var random = new Random(seed);
    var restarts = seed % 2 == 0;
    var world = new FakeWorld();
    var runners = new ArrayList<>(List.of(new Stored(1)));
    world.runners = (t, mark, standing) -> runners.getLast().mark(t, mark, standing);
    var applier = applier(world);
    var log = new ArrayList<String>();
    var heard = new ArrayList<JobEvent>();

    for (var event : queue(random, !restarts)) {
      while (registration(event) > runners.getLast().registration
          || (runners.getLast().registration < 3
              && hasStart(heard, runners.getLast().registration)
              && random.nextInt(4) == 0)) {
        runners.add(new Stored(runners.getLast().registration + 1));
        log.add("runner " + runners.getLast().registration);
      }
      var runner = runners.getLast();
      idMayBecomeKnown(runner, random, log);
      var known = runner.idKnown;
      int times = 1 + random.nextInt(2); // the acknowledgement may be lost
      for (int i = 0; i < times; i++) {
        if (restarts && random.nextInt(3) == 0) {
          applier = applier(world);
          log.add("restart");
        }
        log.add(event.getClass().getSimpleName() + " " + registration(event));
        applier.message(
            new Message(heard.size() + 1, null, List.of(event), List.of(), false), world.service);
        idMayBecomeKnown(runner, random, log);
      }
      heard.add(event);
      var own = heard.stream().filter(e -> registration(e) == runner.registration).toList();
      if (!own.isEmpty()) {
        checkOwn(runner, own, restarts, log);
      } else if (known) { // else nobody can tell whose the mark is; LV8 ends it
        assertThat(runner.start).as("nothing of another: %s", log).isNull();
      }
    }
  }

  /** Of each runner a start and a completion; a completion may come after the next start. */
  private static List<JobEvent> queue(Random random, boolean mayBeVeryLate) {
    var events =
        new ArrayList<>(
            LongStream.rangeClosed(1, 3)
                .boxed()
                .flatMap(id -> Stream.of(started(id), completed(id)))
                .toList());
    for (int i = 1; mayBeVeryLate && i < 5; i += 2) {
      if (random.nextInt(3) == 0) {
        Collections.swap(events, i, i + 1);
      }
    }
    return events;
  }

  private static boolean hasStart(List<JobEvent> heard, long registration) {
    return heard.stream().anyMatch(e -> registration(e) == registration);
  }

  private static void checkOwn(
      Stored runner, List<JobEvent> own, boolean restarts, List<String> log) {
    assertThat(runner.start).as("a mark: %s", log).isNotNull();
    if (!runner.idKnown) {
      return; // it may be that of a message that came later: it is busy all the same
    }
    assertThat(runner.start.runnerId().value()).as("%s", log).isEqualTo(runner.registration);
    if (own.getLast() instanceof JobEvent.JobCompleted) {
      assertThat(runner.end).as("its end: %s", log).isNotNull();
      assertThat(runner.end.runnerId().value()).as("%s", log).isEqualTo(runner.registration);
    } else if (!restarts) {
      assertThat(runner.end).as("no end of another's job: %s", log).isNull();
    }
  }

  private static long registration(JobEvent event) {
    return switch (event) {
      case JobEvent.JobAvailable _, JobEvent.JobAssigned _ -> throw new IllegalArgumentException();
      case JobEvent.JobStarted(var _, var id, var _) -> id.value();
      case JobEvent.JobCompleted(var _, var _, var id, var _) -> id.value();
    };
  }

  private static void idMayBecomeKnown(Stored runner, Random random, List<String> log) {
    if (!runner.idKnown && random.nextInt(3) == 0) {
      runner.idKnown = true;
      log.add("id " + runner.registration + " known");
    }
  }

  private static MessageApplier applier(FakeWorld world) {
    var context = world.context();
    return new MessageApplier(context, new SessionStatus(context, world.listener), world.listener);
  }

  private static JobEvent started(long id) {
    return new JobEvent.JobStarted(Heard.job("j" + id), new RunnerId(id), NAME);
  }

  private static JobEvent completed(long id) {
    return new JobEvent.JobCompleted(Heard.job("j" + id), "succeeded", new RunnerId(id), NAME);
  }
}
