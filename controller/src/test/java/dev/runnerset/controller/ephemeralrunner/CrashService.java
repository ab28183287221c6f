package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The Actions service, the runners in their containers, and the listener. A runner whose
 * registration exists may get a job at any time; it knows its registration from the config that its
 * container started with, whatever the cluster says of it.
 */
final class CrashService {
  static final int OURS = 1;

  private static final class Container {
    final long id;
    @Nullable Integer exit;

    Container(long id) {
      this.id = id;
    }
  }

  final SortedMap<Long, RunnerReference> registrations = new TreeMap<>();
  private final SortedMap<String, Container> containers = new TreeMap<>();
  private final Set<Long> withJob = new TreeSet<>();
  private final Set<Long> started = new HashSet<>();
  private final Set<String> namesUsed = new HashSet<>();
  private final Queue<Runnable> marks = new ArrayDeque<>();
  private final CrashWorld world;
  private final Random random;
  private long nextId = 100;
  int jobsDone;

  CrashService(CrashWorld world, Random random) {
    this.world = world;
    this.random = random;
  }

  void registerForeign(String name) {
    registrations.put(1L, new RunnerReference(new RunnerId(1), name, new ScaleSetId(OURS + 1)));
  }

  boolean isQuiet() {
    return marks.isEmpty() && withJob.isEmpty();
  }

  // --- containers

  boolean isStarted(String pod) {
    return containers.containsKey(pod);
  }

  @Nullable Integer exitCode(String pod) {
    var container = containers.get(pod);
    return container == null ? null : container.exit;
  }

  /** The id that the container of a pod runs with, while it runs. */
  @Nullable Long running(String pod) {
    var container = containers.get(pod);
    return container == null || container.exit != null ? null : container.id;
  }

  void containerStarts(String pod, long id) {
    containers.put(pod, new Container(id));
    if (!started.add(id)) {
      world.violations.add("I6: the config of " + id + " was used twice");
    }
  }

  void containerVanishes(String pod) {
    var container = containers.remove(pod);
    if (container != null && container.exit == null) {
      withJob.remove(container.id); // the service notices by and by; nothing here waits for it
    }
  }

  boolean hasJobIn(String pod) {
    var id = running(pod);
    return id != null && withJob.contains(id);
  }

  // --- time goes by

  void act() {
    if (!marks.isEmpty() && random.nextInt(2) == 0) {
      marks.remove().run();
    }
    containers.forEach((pod, container) -> {
      if (container.exit == null) {
        act(pod, container);
      }
    });
  }

  private void act(String pod, Container container) {
    if (withJob.contains(container.id)) {
      if (random.nextInt(4) == 0) {
        withJob.remove(container.id);
        registrations.remove(container.id); // an ephemeral runner goes with its job
        container.exit = 0;
        jobsDone++;
        marks.add(() -> mark(pod, container.id, true));
      }
    } else if (!registrations.containsKey(container.id)) {
      container.exit = 1; // the service no longer takes it
    } else if (random.nextInt(4) == 0) {
      withJob.add(container.id);
      marks.add(() -> mark(pod, container.id, false));
    }
  }

  /** As the listener does: a mark of another registration than the runner's is taken back. */
  private void mark(String name, long id, boolean completed) {
    var runner = world.runners.get(name);
    if (runner == null) {
      return;
    }
    var status = runner.getStatus();
    if (status.runnerId() != null && status.runnerId() != id) {
      world.violations.add("a mark of " + id + " was taken back: it is " + status.runnerId());
      return;
    }
    world.storeStatus(
        name, completed ? Statuses.jobCompleted(status) : Statuses.jobStarted(status));
  }

  // --- the API

  ActionsService client() {
    return (ActionsService)
        Proxy.newProxyInstance(
            ActionsService.class.getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "generateJitConfig" ->
                      register((ScaleSetId) arguments[0], (String) arguments[1]);
                  case "runnerNamed" -> named((String) arguments[0]);
                  case "removeRunner" -> remove((RunnerId) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private JitConfigResult register(ScaleSetId set, String name) {
    mayBeLost("register");
    if (isTaken(name)) {
      return new JitConfigResult.NameTaken();
    }
    if (!namesUsed.add(name)) {
      world.violations.add("the name " + name + " stood for two registrations");
    }
    var reference = new RunnerReference(new RunnerId(nextId++), name, set);
    registrations.put(reference.id().value(), reference);
    mayBeLost("register");
    return new JitConfigResult.Registered(reference, new JitConfig(reference.id().toString()));
  }

  private boolean isTaken(String name) {
    return registrations.values().stream().anyMatch(r -> r.name().equals(name));
  }

  private Optional<RunnerReference> named(String name) {
    mayBeLost("find");
    return registrations.values().stream().filter(r -> r.name().equals(name)).findFirst();
  }

  private RemoveRunnerResult remove(RunnerId id) {
    try {
      mayBeLost("remove");
      if (withJob.contains(id.value())) {
        return new RemoveRunnerResult.JobStillRunning();
      }
      var gone = registrations.remove(id.value());
      if (gone != null && gone.scaleSetId().value() != OURS) {
        world.violations.add("I5: removed a registration of another scale set");
      }
      mayBeLost("remove");
      return gone == null ? new RemoveRunnerResult.NotFound() : new RemoveRunnerResult.Removed();
    } catch (ServiceException e) {
      return new RemoveRunnerResult.Failed(e.error());
    }
  }

  private void mayBeLost(String call) {
    try {
      world.mayFail(call);
    } catch (KubernetesClientException e) {
      var details = new ServiceError.Details(call, 0, "", "lost", "", "");
      throw new ServiceException(new ServiceError.Unavailable(details, null));
    }
  }

  List<Long> ownStatus() {
    return registrations.values().stream()
        .filter(r -> r.scaleSetId().value() == OURS)
        .map(r -> r.id().value())
        .toList();
  }
}
