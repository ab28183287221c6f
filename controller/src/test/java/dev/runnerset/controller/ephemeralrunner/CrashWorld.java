package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.ephemeralrunner.start.CreateAnswer;
import dev.runnerset.controller.ephemeralrunner.start.JitSecret;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemoverCluster;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.crds.condition.AccessReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * API server, garbage collector and kubelet for the runners of one set, drawn from a seed. A call
 * may end the process before or after its effect, lose its answer, be refused, or be carried out
 * long after its time-out; pods and secrets may vanish, and a pod may lose our label. The service
 * is {@link CrashService}.
 */
final class CrashWorld implements RunnerObjects, RemoverCluster {
  /** The process ends. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  final List<String> violations = new ArrayList<>();
  final SortedMap<String, EphemeralRunner> runners = new TreeMap<>();
  final SortedMap<String, Secret> secrets = new TreeMap<>();
  final SortedMap<String, Pod> pods = new TreeMap<>();
  final CrashService service;
  private final List<Runnable> late = new ArrayList<>();
  private final Random random;
  private int faultsLeft;
  private long version = 1;
  boolean credentialsGone;
  boolean registrationMayBeLeft;
  int made;

  CrashWorld(Random random, int faults) {
    this.random = random;
    this.faultsLeft = faults;
    this.service = new CrashService(this, random);
  }

  void noMoreFaults() {
    faultsLeft = 0;
    credentialsGone = false;
  }

  ActionsService connection() {
    if (credentialsGone) {
      throw new InvalidConnectionException(AccessReason.SECRET_NOT_FOUND, "there is no secret");
    }
    return service.client();
  }

  /** What the others do between two looks of the controller. */
  void othersAct() {
    if (!late.isEmpty() && random.nextInt(3) == 0) {
      late.removeFirst().run();
    }
    collectGarbage();
    for (var name : List.copyOf(pods.keySet())) {
      kubelet(name);
    }
    service.act();
    if (fault(60) && !pods.isEmpty()) {
      var name = List.copyOf(pods.keySet()).get(random.nextInt(pods.size()));
      switch (random.nextInt(3)) {
        case 0 -> {
          service.containerVanishes(name);
          pods.remove(name); // its node is gone, or somebody deleted it
        }
        case 1 -> secrets.remove(name); // by hand
        default ->
            pods.computeIfPresent(
                name,
                (key, pod) ->
                    new PodBuilder(pod)
                        .editMetadata()
                        .removeFromLabels(Labels.COMPONENT)
                        .endMetadata()
                        .build());
      }
    }
    if (faultsLeft > 0 && random.nextInt(40) == 0) {
      credentialsGone = !credentialsGone;
    }
  }

  boolean nothingIsLate() {
    return late.isEmpty();
  }

  /** Secrets and pods go with their owner, sooner or later. */
  private void collectGarbage() {
    secrets.values().removeIf(secret -> isOrphan(secret) && random.nextBoolean());
    for (var pod : List.copyOf(pods.values())) {
      if (isOrphan(pod) && random.nextBoolean()) {
        killed(pod.getMetadata().getName());
      }
    }
  }

  private void killed(String pod) {
    if (service.hasJobIn(pod)) {
      violations.add("I1: " + pod + " was killed with its job");
    }
    service.containerVanishes(pod);
    pods.remove(pod);
  }

  private boolean isOrphan(io.fabric8.kubernetes.api.model.HasMetadata object) {
    var owner = runners.get(object.getMetadata().getName());
    return owner == null || !RunnerPod.isOwnedBy(object, owner);
  }

  /** The container starts once, some time after the pod is there, and ends by itself. */
  private void kubelet(String name) {
    var pod = pods.get(name);
    var secret = secrets.get(name);
    if (pod == null || random.nextInt(3) == 0) {
      return;
    }
    var exit = service.exitCode(name);
    if (exit != null) {
      pods.put(name, Pods.exited(pod, exit));
    } else if (!service.isStarted(name) && secret != null) {
      var token = secret.getData().get(RunnerPod.JIT_TOKEN_KEY);
      service.containerStarts(name, Long.parseLong(decode(token)));
      pods.put(name, Pods.running(pod));
    }
  }

  // --- faults

  private boolean fault(int oneIn) {
    if (faultsLeft > 0 && random.nextInt(oneIn) == 0) {
      faultsLeft--;
      return true;
    }
    return false;
  }

  /** The process ends here, or the answer is lost, or of no use; then the process goes on. */
  void mayFail(String call) {
    if (fault(8)) {
      switch (random.nextInt(3)) {
        case 0 -> throw new Crash();
        case 1 -> throw new KubernetesClientException(call + ": no answer");
        default -> throw new IllegalStateException(call + ": an answer that nobody can read");
      }
    }
  }

  boolean mayRefuse() {
    return fault(8);
  }

  /** The write is given up, and carried out all the same when nobody waits for it any more. */
  private void mayBeLate(String call, Runnable write) {
    if (fault(8)) {
      late.add(write);
      throw new KubernetesClientException(call + ": no answer in time");
    }
  }

  // --- the API server

  /** A runner of the set, as its reconciler makes it. */
  EphemeralRunner create(EphemeralRunner runner) {
    made++;
    runner.getMetadata().setUid("uid-" + made);
    runners.put(runner.getMetadata().getName(), changed(runner, EphemeralRunnerStatus.NONE));
    return runner;
  }

  private EphemeralRunner changed(EphemeralRunner runner, @Nullable EphemeralRunnerStatus status) {
    var next = new EphemeralRunner();
    next.setMetadata(
        new io.fabric8.kubernetes.api.model.ObjectMetaBuilder(runner.getMetadata())
            .withResourceVersion(Long.toString(version++))
            .build());
    next.setSpec(runner.getSpec());
    next.setStatus(status);
    return next;
  }

  @Override
  public CreateAnswer<Secret> createSecret(Secret wanted) {
    var name = wanted.getMetadata().getName();
    mayFail("create secret");
    if (mayRefuse()) {
      return new CreateAnswer.NotNow<>(CreateAnswer.Obstacle.FORBIDDEN, "exceeded quota");
    }
    mayBeLate("create secret", () -> secrets.putIfAbsent(name, wanted));
    if (secrets.putIfAbsent(name, wanted) != null) {
      return new CreateAnswer.AlreadyExists<>();
    }
    mayFail("create secret");
    return new CreateAnswer.Created<>(wanted);
  }

  @Override
  public CreateAnswer<Pod> createPod(Pod wanted) {
    var name = wanted.getMetadata().getName();
    mayFail("create pod");
    if (mayRefuse()) {
      return new CreateAnswer.NotNow<>(
          CreateAnswer.Obstacle.WEBHOOK_FAILED, "failed calling webhook");
    }
    mayBeLate("create pod", () -> pods.putIfAbsent(name, wanted));
    if (pods.putIfAbsent(name, wanted) != null) {
      return new CreateAnswer.AlreadyExists<>();
    }
    mayFail("create pod");
    return new CreateAnswer.Created<>(wanted);
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    mayFail("get pod");
    return Optional.ofNullable(pods.get(name));
  }

  @Override
  public Optional<Secret> secret(String namespace, String name) {
    mayFail("get secret");
    return Optional.ofNullable(secrets.get(name));
  }

  @Override
  public Optional<Pod> label(Pod pod, Map<String, String> labels) {
    mayFail("label pod");
    return Optional.ofNullable(
        pods.computeIfPresent(
            pod.getMetadata().getName(),
            (name, there) ->
                new PodBuilder(there).editMetadata().addToLabels(labels).endMetadata().build()));
  }

  @Override
  public Optional<Pod> shield(EphemeralRunner runner, Shield.Change change) {
    mayFail("shield pod");
    return Optional.ofNullable(
        pods.computeIfPresent(
            runner.getMetadata().getName(), (name, there) -> Pods.shielded(there, change)));
  }

  @Override
  public void deleteSecret(EphemeralRunner runner) {
    mayFail("delete secret");
    secrets
        .entrySet()
        .removeIf(entry ->
            entry.getKey().equals(runner.getMetadata().getName())
                && RunnerPod.isOwnedBy(entry.getValue(), runner));
  }

  @Override
  public void deletePod(EphemeralRunner runner) {
    mayFail("delete pod"); // its start took too long
    var name = runner.getMetadata().getName();
    if (pods.remove(name) != null) {
      killed(name);
    }
  }

  @Override
  public void deletePodUnlessOver(EphemeralRunner runner) {
    if (hasLivePod(runner)) {
      deletePod(runner);
    }
    mayFail("delete pod"); // carried out, and no answer
  }

  private boolean hasLivePod(EphemeralRunner runner) {
    var pod = pods.get(runner.getMetadata().getName());
    return pod != null && RunnerPod.isOwnedBy(pod, runner) && !PodView.of(pod).isOver();
  }

  @Override
  public Optional<EphemeralRunner> patchStatus(EphemeralRunner of, EphemeralRunnerStatus ourPart) {
    mayFail("patch status");
    var stored = runners.get(of.getMetadata().getName());
    if (stored == null) {
      return Optional.empty();
    }
    var next = store(stored, Statuses.merged(stored.getStatus(), ourPart));
    mayFail("patch status");
    return Optional.of(next);
  }

  private EphemeralRunner store(EphemeralRunner stored, EphemeralRunnerStatus status) {
    var next = changed(stored, status);
    runners.put(stored.getMetadata().getName(), next);
    return next;
  }

  /** The listener's or the remover's part. */
  void storeStatus(String name, EphemeralRunnerStatus status) {
    var stored = runners.get(name);
    if (stored != null) {
      store(stored, status);
    }
  }

  @Override
  public void putSet(EphemeralRunner of, String set) {
    throw new AssertionError("the label is there");
  }

  @Override
  public void putFinalizer(EphemeralRunner of) {
    // runners of sets bear it from their POST on
  }

  @Override
  public boolean deleteRunner(EphemeralRunner of) {
    return deleteResource(of, true);
  }

  @Override
  public boolean deleteResource(EphemeralRunner of, boolean unchanged) {
    mayFail("delete runner");
    var stored = runners.get(of.getMetadata().getName());
    if (stored == null
        || !stored.getMetadata().getUid().equals(of.getMetadata().getUid())
        || (unchanged
            && !stored
                .getMetadata()
                .getResourceVersion()
                .equals(of.getMetadata().getResourceVersion()))) {
      return false;
    }
    if (stored.getMetadata().getDeletionTimestamp() == null) {
      store(stored, stored.getStatus()).getMetadata().setDeletionTimestamp("2026-11-20T12:00:00Z");
    }
    mayFail("delete runner");
    return true;
  }

  /** The finalizer is taken off. */
  void removeFinalizer(EphemeralRunner runner) {
    mayFail("patch finalizer");
    if (hasLivePod(runner)) {
      violations.add("SH4: " + runner.getMetadata().getName() + " left its pod to nobody");
    }
    runners.remove(runner.getMetadata().getName());
  }

  @Override
  public OptionalLong idInSecret(EphemeralRunner runner) {
    mayFail("get secret");
    var secret = secrets.get(runner.getMetadata().getName());
    return secret == null || !RunnerPod.isOwnedBy(secret, runner)
        ? OptionalLong.empty()
        : OptionalLong.of(JitSecret.runnerId(secret).orElseThrow());
  }

  @Override
  public void storeRemoval(EphemeralRunner runner, RunnerRemoval removal) {
    var stored = runners.get(runner.getMetadata().getName());
    if (stored != null) {
      store(stored, Statuses.refused(stored.getStatus(), removal));
    }
  }

  private static String decode(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
