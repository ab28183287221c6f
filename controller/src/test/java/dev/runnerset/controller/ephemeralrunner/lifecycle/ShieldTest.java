package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.RunnerPhase;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written onto the pod of a runner when its job begins, and when (SH1). */
final class ShieldTest {
  private static final String NOTHING = "nothing";
  private static final String ON = "protection=Busy busy=true not-disrupt=true safe-to-evict=false";
  private static final String OFF = "protection=%s busy=null not-disrupt=null safe-to-evict=null";

  record Row(String about, Scene given, String expected) {
    @Override
    public String toString() {
      return about;
    }
  }

  private static Scene busy() {
    return new Scene().busy();
  }

  private static Scene shielded() {
    return busy().marks(Protection.BUSY, true);
  }

  private static Scene open() {
    return busy().protection(Protection.NONE);
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("idle", new Scene().running(), NOTHING),
        new Row("its job begins", busy().running(), ON),
        new Row("its job begins before the kubelet tells of its start", busy().waiting("", -1), ON),
        new Row("it has the label", shielded().running(), NOTHING),
        new Row("somebody took the label off", busy().marks(Protection.BUSY, false).running(), ON),
        new Row("its job is over before the label is on", busy().completed().running(), NOTHING),
        new Row("its job is over, its container runs", shielded().completed().running(), NOTHING),
        new Row("its mark was wiped", new Scene().marks(Protection.BUSY, true).running(), NOTHING),
        new Row("its container has ended", busy().exited(0, -1), NOTHING),
        new Row("the pod has ended", busy().overUntold("Failed", "Evicted"), NOTHING),
        new Row("it is being deleted", busy().podDeleted().running(), NOTHING),
        new Row("there is no pod", busy(), NOTHING),
        new Row("a side-car outlives it, and it is not kept", shielded().exited(0, -1), NOTHING),
        new Row(
            "a side-car of a kept runner outlives it",
            shielded().ended(RunnerPhase.FAILED, "False", true).exited(1, -1),
            OFF.formatted("Busy")),
        new Row(
            "a pod of a former version",
            new Scene().marks(null, false).running(),
            "protection=Busy"),
        new Row("the same with a job", busy().marks(null, false).running(), ON),
        new Row("no protection", open().marks(Protection.NONE, false).running(), NOTHING),
        new Row(
            "protection is switched off while its job runs",
            open().marks(Protection.BUSY, true).running(),
            OFF.formatted("None")),
        new Row(
            "protection is switched off while it is idle",
            new Scene().protection(Protection.NONE).running(),
            "protection=None"),
        new Row(
            "protection is switched on while its job runs",
            busy().protection(Protection.BUSY).marks(Protection.NONE, false).running(),
            ON),
        new Row(
            "its set is not known, and the pod was made without protection",
            busy().set(null).marks(Protection.NONE, false).running(),
            NOTHING),
        new Row("its set is not known", busy().set(null).running(), ON),
        new Row("a standalone runner", busy().standalone("runner").running(), ON));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void thePodHasWhatItsRunnerNeeds(Row row) {
    assertThat(words(row.given())).isEqualTo(row.expected());
  }

  private static String words(Scene scene) {
    return Shield.missing(scene.observed())
        .map(change -> {
          var all = new TreeMap<>(change.labels());
          all.putAll(change.annotations());
          var words = new StringBuilder();
          add(words, "protection", all.remove(Labels.PROTECTION));
          if (all.containsKey(Labels.BUSY)) {
            add(words, "busy", all.remove(Labels.BUSY));
            add(words, "not-disrupt", all.remove("karpenter.sh/do-not-disrupt"));
            add(
                words,
                "safe-to-evict",
                all.remove("cluster-autoscaler.kubernetes.io/safe-to-evict"));
          }
          assertThat(all).isEmpty();
          return words.toString().strip();
        })
        .orElse(NOTHING);
  }

  private static void add(
      StringBuilder words, String name, @org.jspecify.annotations.Nullable String value) {
    words.append(' ').append(name).append('=').append(value);
  }

  /** The user's own annotation comes back when ours go. */
  @Test
  void anAnnotationOfTheTemplateStays() {
    var scene = open().marks(Protection.BUSY, true).running();
    var observed = scene.observed();
    var set = java.util.Objects.requireNonNull(observed.set());
    set.getSpec()
        .template()
        .setMetadata(
            new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .addToAnnotations("karpenter.sh/do-not-disrupt", "true")
                .build());
    assertThat(Shield.missing(observed).orElseThrow().annotations())
        .containsEntry("karpenter.sh/do-not-disrupt", "true")
        .containsEntry("cluster-autoscaler.kubernetes.io/safe-to-evict", null);
  }

  @Test
  void aPodIsMadeWithItsProtectionAndTheTemplateStaysAsItIs() {
    var template = Scene.template("runner");
    assertThat(Shield.onto(template, Protection.NONE).getMetadata().getLabels())
        .containsEntry("runnerset.dev/protection", "None");
    assertThat(Shield.onto(template, null).getMetadata().getLabels())
        .containsEntry("runnerset.dev/protection", "Busy");
    assertThat(template.getMetadata()).isNull();
  }
}
