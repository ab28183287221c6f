package dev.runnerset.controller.main;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** The listener of a set, played: its session, its marks on runners, and then its demand. */
final class PlayedListener implements AutoCloseable {
  private static final int CALLS = 32;

  private final ControllerWorld world;
  private final String name;
  private final ActionsService client;
  private final MessageSession session;
  private final int capacity;
  private final Thread thread;

  /** Opens the session of the set, and listens from then on. */
  PlayedListener(ControllerWorld world, String name) {
    this.world = world;
    this.name = name;
    world.listenerConnects(name);
    var settings =
        ConnectionSettings.direct(
            ConfigUrl.parse(world.url()), new Credentials.Token(ControllerWorld.TOKEN));
    client =
        ControllerProgram.connector(
                "played-listener", ControllerWorld.ALLOWED, CALLS, () -> true, Clock.systemUTC())
            .connect(settings);
    var spec = world.listener(name).orElseThrow().getSpec();
    capacity = spec.capacity();
    if (!(client.openSession(new ScaleSetId(spec.scaleSetId()), "test")
        instanceof OpenSessionResult.Opened(var opened))) {
      throw new IllegalStateException("no session for " + name);
    }
    session = opened;
    tell(0, session.statistics());
    thread = Thread.ofVirtual().start(this::listen);
  }

  private void listen() {
    long last = 0;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        if (session.poll(last, capacity) instanceof PollResult.Message message) {
          last = message.messageId();
          for (var event : message.events()) {
            mark(event, last);
          }
          tell(last, message.statistics());
          session.acknowledge(last);
        }
      }
    } catch (ServiceException e) {
      // the session is closed
    } catch (KubernetesClientException e) {
      if (!Thread.currentThread().isInterrupted()) {
        throw e;
      } // closed while it wrote
    }
  }

  private void mark(JobEvent event, long message) {
    switch (event) {
      case JobEvent.JobAvailable _, JobEvent.JobAssigned _ -> {}
      case JobEvent.JobStarted(var job, _, var runner) ->
          mark(
              runner,
              "{\"jobId\": \"%s\", \"job\": {\"repository\": \"%s\", \"workflowRunId\": %d}}"
                  .formatted(job.key(), job.repository(), job.workflowRunId()));
      case JobEvent.JobCompleted(var job, var result, _, var runner) ->
          mark(
              runner,
              "{\"jobId\": \"%s\", \"job\": {\"completedIn\": %d}, \"jobResult\": \"%s\"}"
                  .formatted(job.key(), message, result));
    }
  }

  private void mark(String runner, String status) {
    world.runners().stream()
        .filter(r -> nameOf(r).equals(runner))
        .forEach(r -> world.patchIfThere(r, status)); // it may go when its pod has ended
  }

  private static String nameOf(EphemeralRunner runner) {
    return runner.getMetadata().getName();
  }

  private void tell(long message, @Nullable Statistics counts) {
    if (counts == null) {
      return;
    }
    world.demand(
        name,
        """
        {"epoch": 1, "messageId": %d, "observedAt": "%s", "assigned": %d,
         "running": %d, "registered": %d, "busy": %d, "idle": %d}
        """
            .formatted(
                message,
                world.now(),
                counts.assigned(),
                counts.running(),
                counts.registered(),
                counts.busy(),
                counts.idle()));
  }

  @Override
  public void close() {
    session.close();
    thread.interrupt();
    client.close();
  }
}
