package dev.runnerset.controller.removal;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A service and a cluster that can say no, and that write down what they were asked: {@code DELETE
 * 7}, {@code NAME x}, {@code kube delete x}. Its clock stands until it is set.
 */
public final class FakeService implements RemoverObjects {
  /** The scale set that is ours. */
  public static final int OURS = 1;

  public final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  public final Map<String, RunnerRemoval> writtenByName = new HashMap<>();
  public final Set<Long> withJob = new HashSet<>();
  public final Set<Long> failing = new HashSet<>();
  public final Set<Long> unknown = new HashSet<>();
  public final Map<String, Long> idInSecretByName = new HashMap<>();
  public final Map<String, RunnerReference> registeredByName = new HashMap<>();
  public final AtomicInteger inFlight = new AtomicInteger();
  public final AtomicInteger mostInFlight = new AtomicInteger();
  public final TestClock clock = new TestClock(Runners.T0);
  public boolean kubeFails;

  /** Whether the service may have been restored, so that ids mean others. */
  public boolean doubted;

  public boolean changed;
  public boolean gone;
  public Runnable duringDelete = () -> {};

  /** A remover that asks this service; its clock is {@link #clock}. */
  public ServiceRunnerRemover remover() {
    return remover((runner, reason, answer) -> {});
  }

  /** The same; the answers are heard. */
  public ServiceRunnerRemover remover(ServiceRunnerRemover.Answers answers) {
    var service =
        (ActionsService)
            Proxy.newProxyInstance(
                ActionsService.class.getClassLoader(),
                new Class<?>[] {ActionsService.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "removeRunner" -> delete((RunnerId) args[0]);
                      case "runnerNamed" -> named((String) args[0]);
                      case "runner" -> known((RunnerId) args[0]);
                      default -> throw new IllegalStateException("not expected: " + method);
                    });
    RunnerConnections connections =
        new RunnerConnections() {
          @Override
          public ActionsService to(EphemeralRunner runner) {
            return service;
          }

          @Override
          public boolean isScaleSetDoubted(EphemeralRunner runner) {
            return doubted;
          }
        };
    return new ServiceRunnerRemover(connections, this, answers, new Memories(), clock);
  }

  /** A runner with that registration; 0 for none. */
  public static EphemeralRunner runner(String name, long id) {
    var runner = new EphemeralRunner();
    var meta = new ObjectMeta(); // the builder costs more than all the rest of a simulated look
    meta.setName(name);
    meta.setNamespace("ns");
    meta.setUid("uid-" + name);
    meta.setCreationTimestamp(Runners.T0.toString());
    meta.setLabels(java.util.Map.of(dev.runnerset.crds.Labels.SET, "linux"));
    runner.setMetadata(meta);
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), OURS)
            .revision("r")
            .setGeneration(1L)
            .build());
    var none = EphemeralRunnerStatus.NONE;
    runner.setStatus(
        EphemeralRunnerStatus.builder()
            .phase(RunnerPhase.RUNNING)
            .runnerId(id == 0 ? null : Long.valueOf(id))
            .runnerName(name)
            .timeline(none.timeline())
            .build());
    return runner;
  }

  /** A registration of that name, of that scale set. */
  public void registered(String name, long id, int scaleSet) {
    registeredByName.put(
        name, new RunnerReference(new RunnerId(id), name, new ScaleSetId(scaleSet), null));
  }

  public long count(String start) {
    return List.copyOf(asked).stream().filter(a -> a.startsWith(start)).count();
  }

  private RemoveRunnerResult delete(RunnerId id) {
    asked.add("DELETE " + id);
    int now = inFlight.incrementAndGet();
    mostInFlight.accumulateAndGet(now, Math::max);
    try {
      duringDelete.run();
      if (failing.contains(id.value())) {
        return new RemoveRunnerResult.Failed(
            new ServiceError.Unavailable(
                new ServiceError.Details("DELETE x", 500, "", "", "", ""), null));
      }
      if (unknown.contains(id.value())) {
        return new RemoveRunnerResult.NotFound();
      }
      return withJob.contains(id.value())
          ? new RemoveRunnerResult.JobStillRunning()
          : new RemoveRunnerResult.Removed();
    } finally {
      inFlight.decrementAndGet();
    }
  }

  private Optional<RunnerReference> known(RunnerId id) {
    asked.add("GET " + id);
    return registeredByName.values().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  private Optional<RunnerReference> named(String name) {
    asked.add("NAME " + name);
    return Optional.ofNullable(registeredByName.get(name));
  }

  private <T> T kube(String what, Supplier<T> answer) {
    asked.add(what);
    if (kubeFails) {
      throw new KubernetesClientException("no", 500, null);
    }
    return answer.get();
  }

  @Override
  public OptionalLong runnerIdInSecret(EphemeralRunner runner) {
    var id = idInSecretByName.get(runner.getMetadata().getName());
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  @Override
  public void writeRemoval(EphemeralRunner runner, RunnerRemoval removal) {
    var name = runner.getMetadata().getName();
    kube("kube removal " + name, () -> writtenByName.put(name, removal));
  }

  @Override
  public boolean delete(EphemeralRunner runner) {
    return kube("kube delete " + runner.getMetadata().getName(), () -> !gone);
  }

  @Override
  public boolean deleteUnchanged(EphemeralRunner runner) {
    return kube("kube delete unchanged " + runner.getMetadata().getName(), () -> !changed);
  }
}
