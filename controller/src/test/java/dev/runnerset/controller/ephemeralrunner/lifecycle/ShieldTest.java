package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.RunnerPhase;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With which labels the pod of a runner is made, and which are written onto it when (SH1). */
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

  private static Scene idle() {
    return new Scene().marks(Protection.BUSY, true);
  }

  private static Scene unprotected() {
    return busy().protection(Protection.NONE);
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("made with it, not judged yet", idle().running(), NOTHING),
        new Row("made with it, it starts", idle().open(false).waiting("", -1), NOTHING),
        new Row("idle", idle().open(false).running(), NOTHING),
        new Row("idle for long", idle().open(true).running(), OFF.formatted("Busy")),
        new Row("idle for long and open", new Scene().open(true).running(), NOTHING),
        new Row("open, and not judged yet", new Scene().running(), NOTHING),
        new Row("open, and the listener went", new Scene().open(false).running(), ON),
        new Row("open, and its job begins", busy().open(true).running(), ON),
        new Row("its job begins, not judged yet", busy().running(), ON),
        new Row("its job begins before the kubelet tells of its start", busy().waiting("", -1), ON),
        new Row("its job begins, it has the label", shielded().open(false).running(), NOTHING),
        new Row("its job runs, its set judged before", shielded().open(true).running(), NOTHING),
        new Row("somebody took the label off", busy().marks(Protection.BUSY, false).running(), ON),
        new Row("its job is over before the label is on", busy().completed().running(), NOTHING),
        new Row("its job is over, its container runs", shielded().completed().running(), NOTHING),
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
        new Row("the same, judged", new Scene().marks(null, false).open(false).running(), ON),
        new Row("the same with a job", busy().marks(null, false).running(), ON),
        new Row(
            "somebody took the label of the set off",
            idle().withoutSetLabel().running(),
            "protection=Busy busy=true not-disrupt=true safe-to-evict=false set=ci"),
        new Row(
            "the same with a job",
            shielded().withoutSetLabel().running(),
            "protection=Busy busy=true not-disrupt=true safe-to-evict=false set=ci"),
        new Row("no protection", unprotected().marks(Protection.NONE, false).running(), NOTHING),
        new Row(
            "protection is switched off while its job runs",
            unprotected().marks(Protection.BUSY, true).running(),
            OFF.formatted("None")),
        new Row(
            "protection is switched off while it is idle",
            idle().protection(Protection.NONE).open(false).running(),
            OFF.formatted("None")),
        new Row(
            "protection is switched on while its job runs",
            busy().protection(Protection.BUSY).marks(Protection.NONE, false).running(),
            ON),
        new Row(
            "protection is switched on while it is idle",
            new Scene().marks(Protection.NONE, false).open(false).running(),
            ON),
        new Row(
            "its set is not known, and the pod was made without protection",
            busy().set(null).marks(Protection.NONE, false).running(),
            NOTHING),
        new Row("its set is not known", busy().set(null).running(), ON),
        new Row("a standalone runner", busy().standalone("runner").running(), ON),
        new Row(
            "a standalone runner without a job",
            new Scene().standalone("runner").open(false).running(),
            NOTHING));
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
          if (all.containsKey(Labels.SET)) {
            add(words, "set", all.remove(Labels.SET));
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
    var scene = unprotected().marks(Protection.BUSY, true).running();
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
  void onlyAJobAtStakeIsUrgent() {
    assertThat(Shield.missing(busy().running().observed()).orElseThrow().urgent()).isTrue();
    var idle = new Scene().open(false).running();
    assertThat(Shield.missing(idle.observed()).orElseThrow().urgent()).isFalse();
  }

  @Test
  void aPodIsMadeWithItsShieldAndTheTemplateStaysAsItIs() {
    var template = Scene.template("runner");
    var open = Shield.onto(template, Protection.NONE, false).getMetadata();
    assertThat(open.getLabels()).isEqualTo(Map.of("runnerset.dev/protection", "None"));
    assertThat(open.getAnnotations()).isNullOrEmpty();
    var shielded = Shield.onto(template, null, false).getMetadata();
    assertThat(shielded.getLabels())
        .isEqualTo(Map.of("runnerset.dev/protection", "Busy", "runnerset.dev/busy", "true"));
    assertThat(shielded.getAnnotations())
        .isEqualTo(
            Map.of(
                "karpenter.sh/do-not-disrupt",
                "true",
                "cluster-autoscaler.kubernetes.io/safe-to-evict",
                "false"));
    var standalone = Shield.onto(template, null, true).getMetadata();
    assertThat(standalone.getLabels()).isEqualTo(Map.of("runnerset.dev/protection", "Busy"));
    assertThat(standalone.getAnnotations()).isNullOrEmpty();
    assertThat(template.getMetadata()).isNull();
  }
}
