package dev.runnerset.e2e.chaos;

import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Waiting;
import dev.runnerset.e2e.ProgramLease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts the two programs again when they have ended, as a kubelet does; ends and pauses them. Used
 * by one thread.
 */
final class Caretaker {
  /** The first wait of a kubelet is shorter, and grows with each crash. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(2);

  /** How long a program that woke runs beside the one that took its place. */
  private static final Duration TOGETHER = Duration.ofSeconds(3);

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final List<Program> programs;
  private final KubernetesClient kube;
  private final Clock clock;
  private final Map<Program, Instant> startAt = new HashMap<>();
  private volatile @Nullable Program standIn;
  private @Nullable Instant endStandInAt;
  private volatile String holder = ""; // before the one beside it took over
  private int restarts;

  Caretaker(List<Program> programs, KubernetesClient kube, Clock clock) {
    this.programs = List.copyOf(programs);
    this.kube = kube;
    this.clock = clock;
  }

  /** How often a program was started again. */
  int restarts() {
    return restarts;
  }

  /** Starts what has ended, when its time has come. */
  void restartEnded() {
    var now = clock.instant();
    endStandIn(now);
    for (var program : programs) {
      if (program.isAlive()) {
        startAt.remove(program);
      } else if (!startAt.computeIfAbsent(program, p -> now.plus(AGAIN_AFTER)).isAfter(now)) {
        program.start();
        restarts++;
        startAt.remove(program);
      }
    }
  }

  /** Ends a program as a crash does; it is started again after that time. */
  void kill(Program program, Duration down) {
    program.kill();
    startAt.put(program, clock.instant().plus(down));
  }

  /**
   * Lets a program sleep once another one of its kind runs beside it. Blocks.
   *
   * @param lease what the program holds, and the other one takes
   */
  void pause(Program program, Program other, ProgramLease lease) {
    standIn = other;
    other.start();
    await("a second " + program.name() + " has started", other::hasStarted);
    holder = lease.holder(kube);
    program.signal("STOP");
  }

  /**
   * Wakes the program once its lease has another holder, and ends the program beside it in order
   * when both were there for a while. Blocks.
   */
  void goOn(Program program, ProgramLease lease) {
    await("somebody takes over from the " + program.name(), () -> lease.isTakenFrom(holder, kube));
    program.signal("CONT");
    endStandInAt = clock.instant().plus(TOGETHER);
  }

  /** Whether a program runs beside the two. */
  boolean hasStandIn() {
    return standIn != null;
  }

  private void await(String what, BooleanSupplier done) {
    // a progress that watches no service shows nothing
    var quiet = new Progress(System.out, false, clock);
    new Waiting(quiet, clock).await(what, PATIENCE, done, () -> "held before by " + holder);
  }

  private void endStandIn(Instant now) {
    var other = standIn;
    var at = endStandInAt;
    if (other != null && at != null && !at.isAfter(now)) {
      endStandInAt = null;
      Thread.ofVirtual()
          .start(() -> {
            other.close();
            standIn = null;
          });
    }
  }

  /** Ends what was started beside the programs, and wakes what sleeps. */
  void close() {
    programs.forEach(program -> program.signal("CONT"));
    var other = standIn;
    if (other != null) {
      other.kill();
    }
  }
}
