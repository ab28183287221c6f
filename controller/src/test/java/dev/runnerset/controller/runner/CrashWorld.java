package dev.runnerset.controller.runner;

import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerStatus;
import dev.runnerset.service.JitConfig;
import dev.runnerset.service.JitConfigResult;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.RunnerReference;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.ServiceError;
import dev.runnerset.service.ServiceException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Service, API server and kubelet for one runner, drawn from a seed: each call may end the process
 * before or after its effect, lose its answer, or be refused.
 */
final class CrashWorld implements RunnerObjects, RunnerRemover {
  /** The process ends. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  final List<String> violations = new ArrayList<>();
  final SortedMap<Long, RunnerReference> registrations = new TreeMap<>();
  final List<String> configsStarted = new ArrayList<>();
  private final Random random;
  private final EphemeralRunner runner;
  private int faultsLeft;
  private long nextId = 100;
  private long version = 1;
  private boolean removed;
  @Nullable Secret secret;
  @Nullable Pod pod;
  @Nullable EphemeralRunnerStatus status;
  boolean deleted;
  private @Nullable Long inUse;

  CrashWorld(Random random, EphemeralRunner runner, int faults) {
    this.random = random;
    this.runner = runner;
    this.faultsLeft = faults;
  }

  /** What a process forgets. */
  void restart() {
    removed = false;
  }

  void noMoreFaults() {
    faultsLeft = 0;
  }

  void registerForeign(String name) {
    registrations.put(1L, new RunnerReference(new RunnerId(1), name, new ScaleSetId(2)));
  }

  /** The kubelet starts the container once, some time after the pod is there. */
  void kubelet() {
    if (pod == null || inUse != null || secret == null || secret.getData() == null) {
      return;
    }
    var token = secret.getData().get(RunnerPod.JIT_TOKEN_KEY);
    if (token != null) {
      configsStarted.add(decode(token));
      inUse = Long.valueOf(decode(secret.getData().get(JitSecret.RUNNER_ID_KEY)));
      if (!registrations.containsKey(inUse)) {
        violations.add("a pod started with a config whose registration is gone");
      }
    }
  }

  private void before(String call) {
    if (fault()) {
      if (random.nextBoolean()) {
        throw new Crash();
      }
      throw lost(call);
    }
  }

  private void after(String call) {
    before(call);
  }

  private boolean fault() {
    if (faultsLeft > 0 && random.nextInt(4) == 0) {
      faultsLeft--;
      return true;
    }
    return false;
  }

  private static RuntimeException lost(String call) {
    if (call.startsWith("service")) {
      var details = new ServiceError.Details(call, 0, "", "lost", "", "");
      return new ServiceException(new ServiceError.Unavailable(details, null));
    }
    return new KubernetesClientException(call + ": no answer");
  }

  JitConfigResult register(ScaleSetId set, String name) {
    before("service register");
    if (named(name).isPresent()) {
      return new JitConfigResult.NameTaken();
    }
    var reference = new RunnerReference(new RunnerId(nextId++), name, set);
    registrations.put(reference.id().value(), reference);
    after("service register");
    return new JitConfigResult.Registered(reference, new JitConfig("jit-" + reference.id()));
  }

  Optional<RunnerReference> named(String name) {
    return registrations.values().stream().filter(r -> r.name().equals(name)).findFirst();
  }

  @Override
  public CreateAnswer<Secret> createSecret(Secret wanted) {
    before("create secret");
    if (secret != null) {
      return new CreateAnswer.AlreadyExists<>();
    }
    secret = stored(wanted);
    after("create secret");
    return new CreateAnswer.Created<>(secret);
  }

  private Secret stored(Secret wanted) {
    return new SecretBuilder(wanted)
        .editMetadata()
        .withResourceVersion(Long.toString(version++))
        .endMetadata()
        .build();
  }

  @Override
  public CreateAnswer<Pod> createPod(Pod wanted) {
    before("create pod");
    if (pod != null) {
      return new CreateAnswer.AlreadyExists<>();
    }
    if (fault()) {
      return new CreateAnswer.Forbidden<>("exceeded quota");
    }
    pod = new PodBuilder(wanted).build();
    if (random.nextBoolean()) {
      kubelet();
    }
    after("create pod");
    return new CreateAnswer.Created<>(pod);
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    before("get pod");
    return Optional.ofNullable(pod);
  }

  @Override
  public Optional<Secret> secret(String namespace, String name) {
    before("get secret");
    return Optional.ofNullable(secret);
  }

  @Override
  public boolean replaceSecret(Secret seen, Secret next) {
    before("replace secret");
    secret = stored(next);
    after("replace secret");
    return true;
  }

  @Override
  public void deleteSecret(EphemeralRunner runner) {
    throw new AssertionError("no runner of this world stays after its end");
  }

  @Override
  public void deletePod(EphemeralRunner runner) {
    throw new AssertionError("no runner of this world stays after its end");
  }

  @Override
  public Optional<EphemeralRunner> patchStatus(EphemeralRunner of, EphemeralRunnerStatus ourPart) {
    before("patch status");
    status = ourPart;
    after("patch status");
    return Optional.of(runner);
  }

  @Override
  public boolean deleteRunner(EphemeralRunner of) {
    before("delete runner");
    deleted = true;
    after("delete runner");
    return true;
  }

  /** As the real one: the id in the status, else in the secret, else by name. */
  @Override
  public Outcome removeRegistration(EphemeralRunner of, RemovalReason reason) {
    if (removed) {
      return new Outcome.Removed();
    }
    try {
      before("service remove");
      var id = knownId(of);
      if (id != null) {
        remove(id, reason);
      }
      after("service remove");
      removed = true;
      return new Outcome.Removed();
    } catch (ServiceException e) {
      return new Outcome.Failed("lost");
    }
  }

  private @Nullable Long knownId(EphemeralRunner of) {
    if (of.getStatus() != null && of.getStatus().runnerId() != null) {
      return of.getStatus().runnerId();
    }
    if (secret != null && secret.getData() != null) {
      var written = secret.getData().get(JitSecret.RUNNER_ID_KEY);
      if (written != null) {
        return Long.valueOf(decode(written));
      }
    }
    return named(of.getMetadata().getName())
        .filter(r -> r.scaleSetId().value() == of.getSpec().runnerScaleSetId())
        .map(r -> r.id().value())
        .orElse(null);
  }

  private void remove(long id, RemovalReason reason) {
    var gone = registrations.remove(id);
    if (gone != null && gone.scaleSetId().value() != runner.getSpec().runnerScaleSetId()) {
      violations.add("I5: removed a registration of another scale set");
    }
    if (reason == RemovalReason.ENDED && inUse != null && inUse == id) {
      violations.add("removed the registration of the pod that runs");
    }
  }

  @Override
  public boolean isRemoved(String uid) {
    return removed;
  }

  @Override
  public void forget(String uid) {
    removed = false;
  }

  private static String decode(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
