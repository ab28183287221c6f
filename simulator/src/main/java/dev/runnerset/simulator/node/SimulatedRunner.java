package dev.runnerset.simulator.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ephemeral runner process: connects with its JIT configuration, waits for one job, works it
 * off and ends. {@link #run} blocks in the thread it is called on; the others may be called from
 * any.
 */
final class SimulatedRunner {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedRunner.class);

  /** Exit codes of the container, after the wrapper script (protocol 8.6). */
  static final int DONE = 0;

  static final int VERSION_DEPRECATED = 7;

  private static final Duration RENEW = Duration.ofSeconds(60);
  private static final int POLL_FAILURES = 10;
  private static final int COMPLETE_TRIES = 5;

  /** A job taken. */
  private record Work(
      String run, String plan, String job, Duration duration, String result, Instant lockedUntil) {}

  private final RunnerProtocol protocol;
  private final Optional<ContainerHooks> hooks;
  private final String owner;
  private final Clock clock;
  private final CompletableFuture<Boolean> workedOff = new CompletableFuture<>();
  private @Nullable Thread thread; // guarded by this
  private boolean stopped; // guarded by this
  private boolean killed; // guarded by this

  /** A runner; without hooks it needs no containers for its job. */
  SimulatedRunner(
      RunnerProtocol protocol, Optional<ContainerHooks> hooks, String owner, Clock clock) {
    this.protocol = protocol;
    this.hooks = hooks;
    this.owner = owner;
    this.clock = clock;
  }

  /** SIGTERM: a job fails, the session is ended. */
  synchronized void stop() {
    stopped = true;
    interrupt();
  }

  /** SIGKILL: nothing is said to anybody. */
  synchronized void kill() {
    killed = true;
    stopped = true;
    interrupt();
  }

  /** Its job, now or later, is worked off at once, however long it would take. */
  void finishWork() {
    workedOff.complete(true);
  }

  private void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The container's exit code. */
  int run() {
    synchronized (this) {
      if (stopped) {
        return DONE;
      }
      thread = Thread.currentThread();
    }
    try {
      return connectAndWork();
    } catch (InterruptedException stopped) {
      return DONE;
    } catch (IOException e) {
      LOG.atInfo()
          .addKeyValue("runner", owner)
          .addKeyValue("error", e.toString())
          .log("runner gave up");
      return DONE;
    } finally {
      synchronized (this) {
        thread = null;
      }
      // The thread goes on with the pod's status: a late interrupt must not reach that.
      boolean late = Thread.interrupted();
      LOG.atDebug().addKeyValue("runner", owner).addKeyValue("late", late).log("runner ended");
    }
  }

  private int connectAndWork() throws IOException, InterruptedException {
    if (!protocol.login().isSuccess()) {
      return DONE; // terminated error 1, which the wrapper turns into 0
    }
    var session = protocol.createSession(owner);
    if (session.body().path("errorKind").asText().equals("RunnerVersionTooOld")) {
      return VERSION_DEPRECATED;
    }
    if (!session.isSuccess()) {
      return DONE;
    }
    try {
      var work = await(session.body().path("sessionId").asText());
      if (work != null) {
        work(work);
      }
    } catch (InterruptedException stopped) {
      if (!isKilled()) {
        protocol.deleteSession();
      }
      throw stopped;
    }
    return DONE;
  }

  private synchronized boolean isKilled() {
    return killed;
  }

  /** Polls until a job was taken; null if the registration is gone. */
  private @Nullable Work await(String session) throws InterruptedException {
    int failures = 0;
    while (failures < POLL_FAILURES) {
      try {
        var answer = protocol.message(session);
        if (answer.status() == 404 || answer.status() == 401) {
          return null;
        }
        failures = answer.isSuccess() ? 0 : failures + 1;
        if (answer.body().path("messageType").asText().equals("RunnerJobRequest")) {
          var work = take(answer);
          if (work != null) {
            return work;
          }
        }
        if (failures > 0) {
          Pause.of(Duration.ofSeconds(failures));
        }
      } catch (IOException e) {
        failures++;
        Pause.of(Duration.ofSeconds(failures));
      }
    }
    return null;
  }

  private @Nullable Work take(RunnerProtocol.Answer message)
      throws IOException, InterruptedException {
    var body =
        RunnerProtocol.parse(message.body().path("body").asText().getBytes(StandardCharsets.UTF_8));
    var requestId = body.path("runner_request_id").asText();
    var run = body.path("run_service_url").asText();
    if (body.path("should_acknowledge").asBoolean()) {
      protocol.acknowledge(requestId);
    }
    var order = protocol.acquire(run, requestId);
    if (!order.isSuccess()) {
      Pause.of(Duration.ofSeconds(1));
      return null;
    }
    var variables = order.body().path("variables");
    return new Work(
        run,
        order.body().at("/plan/planId").asText(),
        order.body().path("jobId").asText(),
        Duration.ofMillis(variables.at("/simulator.durationMillis/value").asLong()),
        variables.at("/simulator.result/value").asText("succeeded"),
        instant(order.body().path("lockedUntil").asText()));
  }

  private void work(Work work) throws InterruptedException {
    var end = clock.instant().plus(work.duration());
    var lockedUntil = work.lockedUntil();
    hooks.ifPresent(ContainerHooks::prepare);
    try {
      while (!workedOff.isDone() && clock.instant().isBefore(end)) {
        var now = clock.instant();
        var renewal = shorter(RENEW, Duration.between(now, lockedUntil).dividedBy(3));
        var left = Duration.between(now, end);
        if (left.compareTo(renewal) <= 0) {
          var _ = Pause.until(workedOff, left);
        } else if (!Pause.until(workedOff, renewal)) {
          lockedUntil = renew(work, lockedUntil);
        }
      }
    } catch (InterruptedException stopped) {
      if (!isKilled()) {
        hooks.ifPresent(ContainerHooks::cleanUp);
        complete(work, "failed"); // as newer runners report it (protocol 8.4)
      }
      throw stopped;
    }
    hooks.ifPresent(ContainerHooks::cleanUp);
    complete(work, work.result());
  }

  private Instant renew(Work work, Instant lockedUntil) throws InterruptedException {
    try {
      var answer = protocol.renew(work.run(), work.plan(), work.job());
      return answer.isSuccess() ? instant(answer.body().path("lockedUntil").asText()) : lockedUntil;
    } catch (IOException e) {
      return lockedUntil; // the next renewal is due sooner, as less of the lease is left
    }
  }

  private void complete(Work work, String conclusion) throws InterruptedException {
    for (int i = 0; i < COMPLETE_TRIES; i++) {
      try {
        var status = protocol.complete(work.run(), work.plan(), work.job(), conclusion).status();
        if (status / 100 == 2 || status == 401 || status == 404) {
          return;
        }
      } catch (IOException e) {
        LOG.atDebug().addKeyValue("runner", owner).log("completion not answered");
      }
      Pause.of(Duration.ofSeconds(1));
    }
  }

  private Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return clock.instant().plus(RENEW);
    }
  }

  private static Duration shorter(Duration a, Duration b) {
    var shorter = a.compareTo(b) < 0 ? a : b;
    return shorter.compareTo(Duration.ofMillis(100)) < 0 ? Duration.ofMillis(100) : shorter;
  }
}
