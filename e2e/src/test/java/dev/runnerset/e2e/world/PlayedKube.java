package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The API server as one process sees it. A request may find the process dead, or be the last of it,
 * before or after its effect; it may get no answer, be refused, or be carried out when nobody waits
 * for it any more.
 */
class PlayedKube extends KubeApi {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "ephemeralrunners", dev.runnerset.crds.EphemeralRunner.class,
          "ephemeralrunnersets", dev.runnerset.crds.EphemeralRunnerSet.class,
          "autoscalingrunnersets", dev.runnerset.crds.AutoScalingRunnerSet.class,
          "autoscalinglisteners", dev.runnerset.crds.AutoScalingListener.class,
          "pods", io.fabric8.kubernetes.api.model.Pod.class,
          "secrets", io.fabric8.kubernetes.api.model.Secret.class,
          "roles", io.fabric8.kubernetes.api.model.rbac.Role.class,
          "rolebindings", io.fabric8.kubernetes.api.model.rbac.RoleBinding.class,
          "poddisruptionbudgets",
              io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget.class);

  private final World world;
  private final LivingProcess process;

  PlayedKube(World world, LivingProcess process) {
    super(null);
    this.world = world;
    this.process = process;
  }

  private ApiServer server() {
    return world.server;
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return write(
        () -> "create " + object.getKind() + " " + object.getMetadata().getName(),
        true,
        () -> server().create(object));
  }

  @Override
  public <T extends HasMetadata> JsonNode dryRunCreate(T object) {
    return MergePatch.tree(object);
  }

  @Override
  public <T extends HasMetadata> JsonNode strictDryRunCreate(T object) {
    return MergePatch.tree(object);
  }

  @Override
  public <T extends HasMetadata> T mergeStatusBody(Class<T> kind, Resource at, JsonNode body) {
    return write(
        () -> "patch status of " + at.plural() + " " + at.name() + ": " + Brief.of(body),
        false,
        () -> server().mergeStatus(kind, at.name(), body));
  }

  @Override
  public <T extends HasMetadata> T jsonPatchStatus(Class<T> kind, Resource at, JsonNode ops) {
    return write(
        () -> "patch status of " + at.plural() + " " + at.name() + ": " + Brief.of(ops),
        false,
        () -> server().jsonPatchStatus(kind, at.name(), ops));
  }

  @Override
  public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
    return write(
        () -> "patch " + at.plural() + " " + at.name() + ": " + Brief.of(body),
        false,
        () -> server().merge(kind, at.name(), body));
  }

  @Override
  public <T extends HasMetadata> T get(Class<T> kind, Resource at) {
    return read("get " + at.plural(), () -> server().get(kind, at.name()));
  }

  @Override
  public <T extends HasMetadata> List<T> list(
      Class<T> kind, String namespace, Map<String, String> labels) {
    return read(
        "list",
        () ->
            server().all(kind).stream()
                .filter(o ->
                    labels.isEmpty()
                        || (o.getMetadata().getLabels() != null
                            && o.getMetadata()
                                .getLabels()
                                .entrySet()
                                .containsAll(labels.entrySet())))
                .toList());
  }

  @Override
  public JsonNode getWhole(Resource at) {
    return read(
        "get " + at.plural(),
        () ->
            ApiServer.JSON.convertValue(
                server().get(KINDS.get(at.plural()), at.name()), JsonNode.class));
  }

  @Override
  public JsonNode openApi(String groupAndVersion) {
    throw new IllegalStateException("the kinds of this cluster are ours");
  }

  @Override
  public String logEnd(Resource pod, String container) {
    return "";
  }

  @Override
  public boolean delete(Resource at, Preconditions preconditions) {
    return write(
        () -> "delete " + at.plural() + " " + at.name(),
        false,
        () -> {
          var kind = KINDS.get(at.plural());
          world.rules.deleting(kind, at.name(), process.name());
          return server().delete(kind, at.name(), preconditions, process.name());
        });
  }

  /** As the framework takes it off after a finalizer has done its work. */
  void removeFinalizer(HasMetadata object, String which) {
    var _ =
        write(
            () -> "take the finalizer off " + object.getMetadata().getName(),
            false,
            () -> {
              var meta = object.getMetadata();
              world.rules.finalizerGoes(object);
              server().removeFinalizer(object.getClass(), meta.getName(), meta.getUid(), which);
              return true;
            });
  }

  private <T> T read(String what, Supplier<T> effect) {
    process.beforeRequest();
    if (world.chance.fault(40)) {
      world.trace.say(process.name(), what + ": no answer");
      throw lost();
    }
    return effect.get();
  }

  private <T> T write(Supplier<String> what, boolean create, Supplier<T> effect) {
    process.beforeRequest();
    if (!world.chance.fault(14)) {
      say(what, "");
      return effect.get();
    }
    switch (world.chance.random.nextInt(create ? 7 : 5)) {
      case 0 -> {
        say(what, ": the process dies before it");
        process.die();
        throw new Crash();
      }
      case 1 -> {
        say(what, ": the process dies after it");
        attempt(effect);
        process.die();
        throw new Crash();
      }
      case 2 -> {
        say(what, ": no answer, and not carried out");
        throw lost();
      }
      case 3 -> {
        say(what, ": carried out, and no answer");
        attempt(effect);
        throw lost();
      }
      case 4 -> {
        say(what, ": 503");
        throw ApiServer.refused(503, "ServiceUnavailable", "the server is overloaded");
      }
      case 5 -> {
        say(what, ": 403 quota");
        throw ApiServer.refused(403, "Forbidden", "exceeded quota: pods");
      }
      default -> {
        say(what, ": no answer, and carried out later");
        world.time.in(world.chance.millis(1_000, 40_000), () -> attempt(effect));
        throw lost();
      }
    }
  }

  private void say(Supplier<String> what, String fate) {
    if (world.trace.isOn()) {
      world.trace.say(process.name(), what.get() + fate);
    }
  }

  private static void attempt(Supplier<?> effect) {
    try {
      var _ = effect.get();
    } catch (KubernetesClientException e) {
      // nobody waits for the answer
    }
  }

  private static KubernetesClientException lost() {
    return new KubernetesClientException("no answer", new IOException("connection reset"));
  }
}
