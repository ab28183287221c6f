package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Installation;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.ProtocolLevel;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds, listener or set of another version: reported, and nothing is lost (UP1 to UP4). */
final class UpgradeRequiredIT {
  private static final String TYPE = "UpgradeRequired";

  private final RunnerSetWorld world = new RunnerSetWorld();

  @BeforeEach
  void aSetThatWorks() {
    world.create();
    world.keep();
    world.keep();
    assertThat(world.conditions(TYPE)).isEmpty();
  }

  @AfterEach
  void end() {
    world.close();
  }

  @Test
  void olderKindsAreNamedWithTheirFieldsUntilTheyAreUpgraded() {
    var before = world.set().getMetadata();
    var children = childUids();
    world.kinds(
        kinds(crd -> {
          below(crd, "AutoScalingListener", "status").remove("protocolLevel");
          below(crd, "AutoScalingRunnerSet", "status").remove("capacity");
        }));
    world.keep();
    assertThat(world.condition(TYPE).getReason()).isEqualTo("KindsOutdated");
    assertThat(world.condition(TYPE).getMessage())
        .contains("AutoScalingListener lacks status.protocolLevel")
        .contains("AutoScalingRunnerSet lacks status.capacity")
        .contains(Installation.UPGRADE);
    var reported = world.set().getMetadata().getResourceVersion();
    world.keep();
    assertThat(world.set().getMetadata().getResourceVersion())
        .as("reported once")
        .isEqualTo(reported);
    assertThat(world.set().getMetadata().getUid()).isEqualTo(before.getUid());
    assertThat(world.set().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(childUids()).isEqualTo(children);
    world.kinds(Crds.yaml());
    world.keep();
    assertThat(world.conditions(TYPE)).isEmpty();
  }

  @Test
  void whatASetAsksOfANewerControllerIsNamedAndStays() {
    world.kinds(newer());
    world.keep();
    assertThat(world.conditions(TYPE)).as("newer kinds alone are no problem").isEmpty();
    world.foreignSpec(world.set(), "{'soon': {'a': 1}, 'proxy': {'later': 'x'}}");
    world.keep();
    assertThat(world.condition(TYPE).getReason()).isEqualTo("ControllerOutdated");
    assertThat(world.condition(TYPE).getMessage()).contains("spec.proxy.later, spec.soon");
    world.foreignSpec(world.set(), "{'soon': null, 'proxy': null}");
    world.keep();
    assertThat(world.conditions(TYPE)).isEmpty();
  }

  @Test
  void noFieldOfANewerVersionIsLost() {
    world.kinds(newer());
    for (var object : new HasMetadata[] {world.set(), ers(), listener()}) {
      world.foreignSpec(object, "{'soon': {'a': 1}}");
      world.foreignStatus(object, "{'soon': {'b': 2}}");
    }
    world.foreignStatus(
        world.set(),
        "{'history': [{'state': 'Partial', 'version': 'v', 'image': 'i', 'revision': 'r',"
            + " 'startedTime': '2026-11-21T11:00:00Z', 'soon': {'c': 3}}]}");
    world.spec(
        "{'maxRunners': 7, 'template': {'spec': {'containers':"
            + " [{'name': 'runner', 'image': 'other:2'}]}}}");
    var revision = ers().getSpec().revision();
    world.keep();
    world.keep();
    assertThat(ers().getSpec().revision()).isNotEqualTo(revision);
    for (var object : new HasMetadata[] {world.set(), ers(), listener()}) {
      var whole = world.whole(object);
      assertThat(whole.at("/spec/soon/a").asInt()).as(object.getKind()).isEqualTo(1);
      assertThat(whole.at("/status/soon/b").asInt()).as(object.getKind()).isEqualTo(2);
    }
    var history = world.whole(world.set()).at("/status/history");
    assertThat(history).hasSizeGreaterThan(1);
    assertThat(history.findValuesAsText("revision")).contains("r");
    assertThat(history.findPath("soon").path("c").asInt()).isEqualTo(3);
  }

  @Test
  void aListenerThatIsTooFarApartIsNamed() {
    world.foreignStatus(
        listener(), "{'holder': 'l-1', 'protocolLevel': %d}".formatted(ProtocolLevel.OURS + 1));
    world.keep();
    assertThat(world.conditions(TYPE)).as("a neighbour").isEmpty();
    world.foreignStatus(listener(), "{'protocolLevel': %d}".formatted(ProtocolLevel.OURS + 2));
    world.keep();
    assertThat(world.condition(TYPE).getReason()).isEqualTo("ControllerOutdated");
    assertThat(world.condition(TYPE).getMessage()).contains("the listener process l-1 speaks");
  }

  private HasMetadata listener() {
    return Objects.requireNonNull(world.listener());
  }

  private dev.runnerset.crds.EphemeralRunnerSet ers() {
    return Objects.requireNonNull(world.ephemeralRunnerSet());
  }

  private String childUids() {
    return ers().getMetadata().getUid() + listener().getMetadata().getUid();
  }

  /** The kinds of a later version: each has more fields, in spec, status and lists. */
  private static String newer() {
    return kinds(crd -> {
      var soon =
          new JSONSchemaPropsBuilder()
              .withType("object")
              .withXKubernetesPreserveUnknownFields(true)
              .build();
      var kind = crd.getSpec().getNames().getKind();
      below(crd, kind, "spec").put("soon", soon);
      below(crd, kind, "status").put("soon", soon);
      var later = new JSONSchemaPropsBuilder().withType("string").build();
      if (kind.equals("AutoScalingRunnerSet")) {
        below(crd, kind, "spec").get("proxy").getProperties().put("later", later);
        below(crd, kind, "status")
            .get("history")
            .getItems()
            .getSchema()
            .getProperties()
            .put("soon", soon);
      }
    });
  }

  private static String kinds(Consumer<CustomResourceDefinition> change) {
    return Crds.documents().stream()
        .map(yaml -> Serialization.unmarshal(yaml, CustomResourceDefinition.class))
        .peek(change)
        .map(Serialization::asYaml)
        .collect(Collectors.joining());
  }

  /** The fields below spec or status, if it is that kind; else none. */
  private static java.util.Map<String, JSONSchemaProps> below(
      CustomResourceDefinition crd, String kind, String part) {
    if (!crd.getSpec().getNames().getKind().equals(kind)) {
      return new java.util.HashMap<>();
    }
    var schema = crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    return schema.getProperties().get(part).getProperties();
  }
}
