package dev.runnerset.controller.features.references;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What references are (RF1 to RF7), and the mistakes that a pure function can make. */
class ChildReferencesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private static List<EphemeralRunner> runners(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Children.runner("linux-%010d".formatted(i), NOW.plusSeconds(i).toString()))
        .toList();
  }

  private static List<String> names(List<ChildReference> references) {
    return references.stream().map(ChildReference::name).toList();
  }

  private static EphemeralRunnerSetStatus status(
      List<ChildReference> references, Map<String, Object> full) {
    return EphemeralRunnerSetStatusBuilder.builder()
        .childReferences(references)
        .runnerStatuses(full)
        .build();
  }

  /** What of a status is written, and the condition. */
  private record Fields(ObjectNode patch, @Nullable String truncated) {}

  private static Fields fields(
      EphemeralRunnerSetStatus status, List<EphemeralRunner> runners, EmbeddedStatus embedded) {
    var lists = ChildLists.of(runners, embedded);
    var wanted = EphemeralRunnerSetStatusBuilder.builder(status);
    lists.fill(wanted);
    var patch = MergePatch.between(status, wanted.build());
    assertThat(lists.standIn(status)).isEqualTo(patch.isEmpty());
    return new Fields(
        patch.orElseGet(JsonNodeFactory.instance::objectNode),
        lists.truncated().map(Verdict::message).orElse(null));
  }

  @Test
  void aReferenceNamesTheChildItsRevisionAndWhatItWasMadeFor() {
    var runner = Children.runner("linux-a", NOW.toString());
    runner.setApiVersion(null); // RF1: items of a list come without
    runner.setKind(null);
    assertThat(ChildReferences.of(List.of(runner)).list())
        .containsExactly(
            new ChildReference(
                "runnerset.dev/v1alpha1", "EphemeralRunner", "linux-a", "709f33bb0a", "Demand"));
  }

  @Test
  void childrenOfSeveralKindsStandInOneList() {
    var asl =
        Children.of(
            AutoScalingListener.class,
            "metadata: {name: linux-1, namespace: system, creationTimestamp: \"2026-11-21T10:00:00Z\"}");
    var list = ChildReferences.of(List.<HasMetadata>of(asl, Children.ers("u"))).list();
    assertThat(list)
        .extracting(ChildReference::kind)
        .containsExactly("EphemeralRunnerSet", "AutoScalingListener");
    assertThat(list.getFirst().revision()).isEqualTo("709f33bb0a");
    assertThat(list.getLast().revision()).isNull();
    assertThat(list).extracting(ChildReference::namespace).containsExactly(null, "system");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theOrderIsThatOfCreationThenName(long seed) { // RF3
    var random = new Random(seed);
    var runners = new ArrayList<EphemeralRunner>();
    for (int i = 0; i < 40; i++) {
      runners.add(Children.runner("r" + i, NOW.plusSeconds(random.nextInt(5)).toString()));
    }
    Collections.shuffle(runners, random);
    var expected =
        runners.stream()
            .map(r -> r.getMetadata().getCreationTimestamp() + " " + r.getMetadata().getName())
            .sorted()
            .map(line -> line.substring(line.indexOf(' ') + 1))
            .toList();
    var list = ChildReferences.of(runners).list();
    assertThat(names(list)).as("seed %s", seed).isEqualTo(expected);
    Collections.shuffle(runners, random);
    assertThat(ChildReferences.of(runners).list()).as("seed %s", seed).isEqualTo(list);
  }

  @Test
  void noChangeOfAChildsStatusChangesItsReference() { // RF2
    var before = ChildReferences.of(List.of(Children.runner("r", NOW.toString()))).list();
    var after =
        Children.runner(
            "r",
            NOW.toString(),
            "status: {phase: Failed, runnerId: 7, jobId: j, completionTime: \"" + NOW + "\"}");
    after.getMetadata().setDeletionTimestamp(NOW.toString());
    after.getMetadata().setResourceVersion("99");
    assertThat(ChildReferences.of(List.of(after)).list()).isEqualTo(before);
  }

  @Test
  void interactionRule2TerminalRunnersStayInTheReferencesWhileTheyExist() {
    for (var phase : List.of("Succeeded", "Failed", "Outdated")) {
      var runner = Children.runner("r", NOW.toString(), "status: {phase: " + phase + "}");
      assertThat(names(ChildReferences.of(List.of(runner)).list())).as(phase).containsExactly("r");
    }
    var before = status(ChildReferences.of(runners(1)).list(), Map.of());
    assertThat(fields(before, List.of(), EmbeddedStatus.MINIMAL).patch().toString())
        .isEqualTo("{\"childReferences\":null}");
  }

  @Test
  void interactionRule9OnlyTheFieldsOfTheErsReconcilerAreWritten() {
    for (var embedded : EmbeddedStatus.values()) {
      assertThat(fields(EphemeralRunnerSetStatus.NONE, runners(2), embedded).patch().fieldNames())
          .toIterable()
          .isSubsetOf("childReferences", "runnerStatuses");
    }
  }

  @Test
  void interactionRule10ReferencesAreAbout150BytesEach() throws Exception {
    var json = new ObjectMapper();
    var usual = json.writeValueAsString(ChildReferences.of(runners(1000)).list());
    assertThat(usual.length() / 1000).isLessThanOrEqualTo(150);
    var longest = Children.runner("n".repeat(63), NOW.toString());
    longest.getMetadata().getAnnotations().put("runnerset.dev/provisioned-for", "MinRunners");
    assertThat(json.writeValueAsString(ChildReferences.of(List.of(longest)).list()))
        .hasSizeLessThanOrEqualTo(200);
  }

  @Test
  void atMostAThousandAreNamedAndTheConditionSaysHowManyAreNot() {
    assertThat(ChildReferences.of(runners(1000)).leftOut()).isZero();
    var fields = fields(EphemeralRunnerSetStatus.NONE, runners(1003), EmbeddedStatus.MINIMAL);
    assertThat(fields.patch().get("childReferences")).hasSize(1000);
    assertThat(fields.truncated())
        .contains("status.childReferences leaves out 3 runners")
        .contains("label runnerset.dev/set");
    assertThat(fields(EphemeralRunnerSetStatus.NONE, runners(3), EmbeddedStatus.BOTH).truncated())
        .isNull();
  }

  @Test
  void theFullFormHoldsAtMost512KiB() {
    var big =
        runners(200).stream()
            .map(r ->
                Children.runner(
                    r.getMetadata().getName(),
                    r.getMetadata().getCreationTimestamp(),
                    "status: {jobResult: " + "ä".repeat(2000) + "}"))
            .toList();
    var fields = fields(EphemeralRunnerSetStatus.NONE, big, EmbeddedStatus.BOTH);
    var full = fields.patch().get("runnerStatuses");
    int bytes = full.toString().getBytes(StandardCharsets.UTF_8).length;
    assertThat(bytes).isBetween(500 * 1024, 512 * 1024);
    assertThat(fields.patch().get("childReferences")).hasSize(200);
    assertThat(fields.truncated())
        .contains("status.runnerStatuses leaves out %d runners".formatted(200 - full.size()))
        .doesNotContain("childReferences leaves");
  }

  @Test
  void theFullFormHoldsTheStatusWithoutTheEvidence() {
    var runner =
        Children.runner(
            "r",
            NOW.toString(),
            "status: {phase: Failed, failure: {reason: Lost, evidence: {logs: secret}}}");
    var fields = fields(EphemeralRunnerSetStatus.NONE, List.of(runner), EmbeddedStatus.FULL);
    assertThat(fields.patch().toString())
        .isEqualTo(
            "{'runnerStatuses':{'r':{'revision':'709f33bb0a','status':{'phase':'Failed','failure':{'reason':'Lost'}}}}}"
                .replace('\'', '"'));
    assertThat(runner.getStatus().failure().evidence()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(EmbeddedStatus.class)
  void bothFormsComeFromOneListing(EmbeddedStatus embedded) { // RF5
    var fields = fields(EphemeralRunnerSetStatus.NONE, runners(5), embedded);
    var expected = names(ChildReferences.of(runners(5)).list());
    assertThat(fields.patch().has("childReferences")).isEqualTo(embedded.hasReferences());
    assertThat(fields.patch().has("runnerStatuses")).isEqualTo(embedded.hasFullForm());
    if (embedded.hasReferences()) {
      assertThat(fields.patch().get("childReferences").findValuesAsText("name"))
          .isEqualTo(expected);
    }
    if (embedded.hasFullForm()) {
      assertThat(fields.patch().get("runnerStatuses").fieldNames())
          .toIterable()
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void theFormThatIsNotWantedIsClearedByName() { // RF7
    var references = ChildReferences.of(runners(1)).list();
    var full = Map.<String, Object>of("x", Map.of("revision", "r"));
    var toMinimal = fields(status(references, full), runners(1), EmbeddedStatus.MINIMAL).patch();
    assertThat(toMinimal.toString()).isEqualTo("{\"runnerStatuses\":null}");
    var toFull = fields(status(references, full), runners(1), EmbeddedStatus.FULL).patch();
    assertThat(toFull.get("childReferences").isNull()).isTrue();
    assertThat(toFull.get("runnerStatuses").get("x").isNull()).isTrue();
  }

  @Test
  void whatARunnerNoLongerSaysIsClearedByName() { // RF7, one level down
    var before =
        Map.<String, Object>of(
            "r",
            Map.of(
                "revision",
                "709f33bb0a",
                "status",
                Map.of("phase", "Pending", "removal", Map.of("refusals", 1))));
    var runner = Children.runner("r", NOW.toString(), "status: {phase: Running, runnerId: 7}");
    var patch = fields(status(List.of(), before), List.of(runner), EmbeddedStatus.FULL).patch();
    assertThat(patch.toString())
        .isEqualTo(
            "{'runnerStatuses':{'r':{'status':{'phase':'Running','runnerId':7,'removal':null}}}}"
                .replace('\'', '"'));
    var after =
        Map.<String, Object>of(
            "r",
            Map.of("revision", "709f33bb0a", "status", Map.of("phase", "Running", "runnerId", 7)));
    assertThat(fields(status(List.of(), after), List.of(runner), EmbeddedStatus.FULL).patch())
        .as("equal numbers of other types are no difference")
        .isEmpty();
  }

  @Test
  void aNullThatSomebodyWroteMakesNoObjectUnreadable() {
    var written = "runnerStatuses: {a: null, b: {revision: r}}";
    assertThat(Serialization.unmarshal(written, EphemeralRunnerSetStatus.class).runnerStatuses())
        .containsOnlyKeys("b");
  }

  @ParameterizedTest
  @CsvSource({"full,FULL", "MINIMAL,MINIMAL", "Both,BOTH", "true,", "'',", "minimal ,MINIMAL"})
  void theFormIsAWordInAnyCase(String word, @Nullable EmbeddedStatus embedded) { // RF5
    assertThat(EmbeddedStatus.of(word).orElse(null)).isEqualTo(embedded);
  }

  @Test
  void anAnnotationThatIsNoneOfOursIsNotCopied() {
    var runner = Children.runner("r", NOW.toString());
    runner.getMetadata().getAnnotations().put("runnerset.dev/provisioned-for", "x".repeat(9999));
    assertThat(ChildReferences.of(List.of(runner)).list().getFirst().provisionedFor()).isNull();
  }
}
