package dev.runnerset.e2e.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.kube.Unreadable;
import dev.runnerset.kube.wire.ReadResources;
import dev.runnerset.simulator.service.JobView;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in the objects of some sets, both programs go on, also after a restart; the jobs
 * of another set run; each bad object says what is wrong, and goes when it is deleted (WR13). The
 * types are off: an API server that has older kinds stores anything.
 */
final class EmbeddedOddObjectsIT {
  private static final long SEED = Long.getLong("seed", 20_261_127L);
  private static final int WRITES = Integer.getInteger("writes", 400);
  private static final int SETS = 8;
  private static final int WRITES_A_JOB = 25;
  private static final int LAST_LINES = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String FORCE =
      "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}".formatted(Labels.FORCE_DELETE);
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The sets first: they say what the others wait for. */
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          AutoScalingRunnerSet.class,
          EphemeralRunnerSet.class,
          EphemeralRunner.class,
          AutoScalingListener.class);

  @TempDir Path folder;

  @Test
  void whateverObjectsHoldProgramsGoOnAndOtherSetsWork() throws Exception {
    System.out.println("seed: " + SEED);
    try (var cluster = Play.embeddedCluster(folder);
        var world = Play.world(cluster, folder)) {
      try {
        play(world);
      } catch (AssertionError | DemoException e) {
        Play.printLastLines(world, LAST_LINES);
        throw e;
      }
    }
  }

  private static void play(World world) {
    world.begin(1, 4);
    IntStream.range(0, SETS).forEach(i -> world.makeSet(victim(i), 1, 2));
    IntStream.range(0, SETS).forEach(i -> world.awaitListening(victim(i)));
    world.awaitIdle(1 + SETS);
    var pids = List.of(world.controller().pid(), world.listener().pid());
    takeTypesOff(world);
    write(world, new Random(SEED));
    world.awaitJobsDone(PATIENCE);
    assertThat(world.controller().isAlive() && world.listener().isAlive()).isTrue();
    assertThat(List.of(world.controller().pid(), world.listener().pid()))
        .as("no program ended")
        .isEqualTo(pids);
    awaitReports(world);
    world.crash(World.SET, PATIENCE);
    world.submit(4, Duration.ofMillis(200));
    world.awaitJobsDone(PATIENCE);
    deleteVictims(world);
    assertThat(world.service().jobs()).noneMatch(JobView::lost);
    System.out.println("figure: longest wait of a job of the other set, ms: " + longestWait(world));
  }

  private static String victim(int i) {
    return "victim-" + i;
  }

  /** Any value is stored from now on; what is required stays so, as in each version. */
  private static void takeTypesOff(World world) {
    for (var yaml : Crds.documents()) {
      var crd = Serialization.unmarshal(yaml, CustomResourceDefinition.class);
      world
          .kube()
          .resource(crd)
          .edit(there -> {
            untyped(there.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema());
            return there;
          });
    }
  }

  private static void untyped(JSONSchemaProps schema) {
    schema.setType(null);
    schema.setFormat(null);
    schema.setEnum(List.of());
    schema.setMinimum(null);
    schema.setMaximum(null);
    schema.setMaxItems(null);
    schema.setMaxLength(null);
    schema.setXKubernetesIntOrString(null);
    schema.setXKubernetesValidations(List.of());
    schema.setXKubernetesPreserveUnknownFields(true);
    schema.getProperties().values().forEach(EmbeddedOddObjectsIT::untyped);
    if (schema.getItems() != null) {
      untyped(schema.getItems().getSchema());
    }
    if (schema.getAdditionalProperties() != null) {
      untyped(schema.getAdditionalProperties().getSchema());
    }
  }

  private static void write(World world, Random random) {
    var odd = new OddValues(random);
    for (int i = 0; i < WRITES; i++) {
      var kind = KINDS.get(random.nextInt(KINDS.size()));
      var objects = victims(world, kind).toList();
      if (!objects.isEmpty()) {
        var object = objects.get(random.nextInt(objects.size()));
        patch(one(world, kind, object), odd.patch(HasMetadata.getKind(kind)));
      }
      if (i % WRITES_A_JOB == 0) {
        world.submit(1, Duration.ofMillis(200));
      }
    }
  }

  private static void patch(Resource<GenericKubernetesResource> one, ObjectNode patch) {
    try {
      if (patch.has("status")) {
        one.subresource("status").patch(MERGE, patch.toString());
      } else {
        one.patch(MERGE, patch.toString());
      }
    } catch (KubernetesClientException e) {
      // it may be gone, or the value may be none that JSON patches can bring there
      assertThat(e.getCode()).isIn(404, 409, 422, 400);
    }
  }

  /** What a reader that loses nothing finds wrong stands in the object's status. */
  private static void awaitReports(World world) {
    world.await(
        "each bad object says what is wrong",
        PATIENCE,
        () -> unreported(world).findAny().isEmpty(),
        () -> String.join("; ", unreported(world).limit(5).toList()));
  }

  private static Stream<String> unreported(World world) {
    var reader = new ReadResources();
    return KINDS.stream()
        .filter(kind -> kind != AutoScalingListener.class) // the controller mends it
        .flatMap(kind ->
            victims(world, kind)
                .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                .filter(object -> isUnreadable(reader, object, kind))
                .filter(object -> !isReported(object))
                .map(object -> object.getKind() + " " + object.getMetadata().getName()));
  }

  private static boolean isUnreadable(
      KubernetesSerialization reader,
      GenericKubernetesResource object,
      Class<? extends HasMetadata> kind) {
    return Unreadable.of(reader.unmarshal(Serialization.asJson(object), kind)).isPresent();
  }

  private static boolean isReported(GenericKubernetesResource object) {
    JsonNode status = JSON.valueToTree(object.getAdditionalProperties().get("status"));
    return status
        .path("conditions")
        .valueStream()
        .anyMatch(c -> c.path("reason").asText().matches("SpecInvalid|SpecTooLarge"));
  }

  private static void deleteVictims(World world) {
    for (var kind : List.of(AutoScalingRunnerSet.class, EphemeralRunner.class)) {
      victims(world, kind).forEach(object -> forceDelete(one(world, kind, object)));
    }
    world.await(
        "all bad objects go",
        PATIENCE,
        () -> KINDS.stream().allMatch(kind -> victims(world, kind).findAny().isEmpty()),
        () ->
            KINDS.stream()
                .flatMap(kind -> victims(world, kind))
                .map(object ->
                    "%s %s %s"
                        .formatted(
                            object.getKind(),
                            object.getMetadata().getName(),
                            object.getAdditionalProperties().get("status")))
                .limit(10)
                .toList()
                .toString());
  }

  private static void forceDelete(Resource<GenericKubernetesResource> one) {
    try {
      one.patch(MERGE, FORCE);
    } catch (KubernetesClientException e) {
      assertThat(e.getCode()).as("%s: it may go with its set", e.getMessage()).isEqualTo(404);
    }
    var _ = one.delete();
  }

  private static Stream<GenericKubernetesResource> victims(
      World world, Class<? extends HasMetadata> kind) {
    return resources(world, kind).inAnyNamespace().list().getItems().stream()
        .filter(object -> {
          var labels = object.getMetadata().getLabels();
          var set = labels == null ? null : labels.get(Labels.SET);
          return (set == null ? object.getMetadata().getName() : set).startsWith("victim");
        })
        .sorted(Comparator.comparing(object -> object.getMetadata().getName()));
  }

  private static MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      resources(World world, Class<? extends HasMetadata> kind) {
    return world
        .kube()
        .genericKubernetesResources(ResourceDefinitionContext.fromResourceType(kind));
  }

  private static Resource<GenericKubernetesResource> one(
      World world, Class<? extends HasMetadata> kind, GenericKubernetesResource object) {
    var meta = object.getMetadata();
    return resources(world, kind).inNamespace(meta.getNamespace()).withName(meta.getName());
  }

  private static long longestWait(World world) {
    return Percentiles.of(
            world.service().jobs().stream()
                .filter(job -> job.started() != null && job.queued() != null)
                .map(job -> Duration.between(job.queued(), job.started()))
                .toList())
        .max();
  }
}
