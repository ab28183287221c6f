package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.crds.ApiGroup;
import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.RealServer;
import dev.runnerset.e2e.RepositoryFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The types of the template in the schema, on the real server (WR13). The kind is a copy of ours in
 * another group, so that its schema can be changed beside running tests.
 */
final class RealTemplateTypesIT {
  private static final String GROUP = "types.example";
  private static final String NAMESPACE = "types";
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final Duration SERVED = Duration.ofSeconds(30);
  private static final int PATCHES = 200;
  private static final String GOOD =
      "{\"containers\":[{\"name\":\"runner\",\"resources\":{\"limits\":{\"cpu\":0.5}}}]}";
  private static KubernetesClient admin;

  @BeforeAll
  static void start() {
    admin = RealServer.adminIn(NAMESPACE);
  }

  @Test
  void aWrongTypeIsRefusedAndAStoredOneCanBeMendedAndDeleted() throws Exception {
    serve(false);
    var wrong = wrong();
    var stored = new ArrayList<Resource<GenericKubernetesResource>>();
    for (int i = 0; i < wrong.size(); i++) {
      stored.add(create("stored-" + i, wrong.get(i)));
    }
    serve(true);
    awaitTypes();
    for (int i = 0; i < wrong.size(); i++) {
      assertThat(refusal("new-" + i, wrong.get(i)))
          .as(wrong.get(i))
          .contains("spec.template.spec.");
      var one = stored.get(i);
      one.patch(MERGE, "{\"metadata\": {\"labels\": {\"changed\": \"yes\"}}}");
      one.subresource("status").patch(MERGE, "{\"status\": {\"revision\": \"a\"}}");
      one.patch(MERGE, "{\"spec\": {\"minRunners\": 1}}");
      if (i % 2 == 0) {
        one.patch(MERGE, "{\"spec\": {\"template\": {\"spec\": null}}}");
        one.patch(MERGE, "{\"spec\": {\"template\": {\"spec\": {\"containers\": []}}}}");
      }
      assertThat(one.delete()).isNotEmpty();
    }
  }

  @Test
  @Tag("nightly")
  void whatTheTypesCostAtAStatusPatch() {
    serve(false);
    var set = create("patched", GOOD);
    double without = statusPatchMillis(set);
    serve(true);
    awaitTypes();
    System.out.printf(
        "figure: ms of a status patch, template without types %.2f, with types %.2f%n",
        without, statusPatchMillis(set));
  }

  private static void awaitTypes() {
    await()
        .atMost(SERVED)
        .until(() -> refusal("probe", wrong().getFirst()).contains("nodeSelector"));
  }

  /** What the API of pods takes is taken. */
  @Test
  void whatAPodMayHaveIsTaken() {
    serve(true);
    for (var spec :
        List.of(
            "{\"containers\":[{\"name\":\"runner\",\"resources\":{\"limits\":{\"cpu\":0.5,\"memory\":1073741824}}}]}",
            "{\"containers\":[{\"name\":\"runner\",\"env\":null,\"ofALaterKubernetes\":{\"a\":[1]}}]}",
            "{\"containers\":[{\"name\":\"runner\"}],\"volumes\":[{\"name\":\"w\",\"emptyDir\":{\"sizeLimit\":1}}],\"later\":1}")) {
      await().atMost(SERVED).until(() -> refusal("taken", spec).isEmpty());
    }
  }

  /** kubectl keeps what it applied in an annotation of at most 262,144 bytes. */
  @Test
  void theKindsAreSmallEnoughForKubectlAndHelm() throws Exception {
    var yaml = Crds.documents().getFirst();
    var json = new ObjectMapper().writeValueAsString(Serialization.unmarshal(yaml, JsonNode.class));
    System.out.printf(
        "figure: the CRD of a set has %d bytes of YAML, %d of JSON%n",
        yaml.length(), json.length());
    assertThat(yaml.length()).isLessThan(250_000);
    assertThat(json.length()).isLessThan(150_000);
    assertThat(Crds.documents().stream().skip(1).mapToInt(String::length).sum()).isLessThan(42_000);
  }

  private static List<String> wrong() {
    return RepositoryFiles.resource("e2e/server/wrong-types.jsonl")
        .lines()
        .filter(line -> !line.contains("4GB")) // no type: the dry run of a pod refuses it
        .toList();
  }

  private static void serve(boolean types) {
    var ours = Serialization.unmarshal(Crds.documents().getFirst(), CustomResourceDefinition.class);
    ours.getMetadata().setName("autoscalingrunnersets." + GROUP);
    ours.getSpec().setGroup(GROUP);
    ours.getSpec().getNames().setShortNames(List.of());
    ours.getSpec().getNames().setCategories(List.of());
    if (!types) {
      var schema = ours.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
      spec(schema)
          .getProperties()
          .put(
              "template",
              new JSONSchemaPropsBuilder()
                  .withType("object")
                  .withXKubernetesPreserveUnknownFields(true)
                  .build());
    }
    admin.resource(ours).createOr(there -> there.update());
    await().atMost(SERVED).until(() -> refusal("served", "{\"containers\":[]}").isEmpty());
  }

  private static JSONSchemaProps spec(JSONSchemaProps schema) {
    return Objects.requireNonNull(schema.getProperties().get("spec"));
  }

  private static Resource<GenericKubernetesResource> create(String name, String spec) {
    var one = resource(name, spec);
    one.create();
    return one;
  }

  /** What the server says of it; empty if it takes it. */
  private static String refusal(String name, String spec) {
    try {
      resource(name, spec).dryRun().create();
      return "";
    } catch (KubernetesClientException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Resource<GenericKubernetesResource> resource(String name, String spec) {
    var json =
        """
        {"apiVersion": "%s/%s", "kind": "AutoScalingRunnerSet",
         "metadata": {"name": "%s", "namespace": "%s"},
         "spec": {"githubConfigUrl": "https://github.com/o", "githubConfigSecret": {"name": "a"},
          "template": {"spec": %s}}}
        """
            .formatted(GROUP, ApiGroup.VERSION, name, NAMESPACE, spec);
    return admin.resource(Serialization.unmarshal(json, GenericKubernetesResource.class));
  }

  private static double statusPatchMillis(Resource<GenericKubernetesResource> set) {
    for (int i = 0; i < PATCHES; i++) {
      patchStatus(set, i); // warms up both sides
    }
    long begin = System.nanoTime();
    for (int i = 0; i < PATCHES; i++) {
      patchStatus(set, -i);
    }
    return (System.nanoTime() - begin) / 1e6 / PATCHES;
  }

  private static void patchStatus(Resource<GenericKubernetesResource> set, int value) {
    set.subresource("status").patch(MERGE, "{\"status\": {\"runnerGroupId\": " + value + "}}");
  }
}
