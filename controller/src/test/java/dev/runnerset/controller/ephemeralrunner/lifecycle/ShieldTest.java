package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With which labels the pod of a runner is made, and which are written onto it when (SH1). */
final class ShieldTest {
  private static final String NOTHING = "nothing";
  private static final String ON = "protection=Busy busy=true not-disrupt=true safe-to-evict=false";
  private static final String OFF = "protection=$1 busy=null not-disrupt=null safe-to-evict=null";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          made with it, not judged yet | marks=BUSY/true running | nothing
          made with it, it starts | marks=BUSY/true open=false waiting@-1 | nothing
          idle | marks=BUSY/true open=false running | nothing
          idle for long | marks=BUSY/true open=true running | off:Busy
          idle for long and open | open=true running | nothing
          open, and not judged yet | running | nothing
          open, and the listener went | open=false running | on
          open, and its job begins | busy open=true running | on
          its job begins, not judged yet | busy running | on
          its job begins before the kubelet tells of its start | busy waiting@-1 | on
          its job begins, it has the label | busy marks=BUSY/true open=false running | nothing
          its job runs, its set judged before | busy marks=BUSY/true open=true running | nothing
          somebody took the label off | busy marks=BUSY/false running | on
          its job is over before the label is on | busy done5 running | nothing
          its job is over, its container runs | busy marks=BUSY/true done5 running | nothing
          its container has ended | busy exited0@-1 | nothing
          the pod has ended | busy podOver=Failed/Evicted | nothing
          it is being deleted | busy podDeleted running | nothing
          there is no pod | busy | nothing
          a side-car outlives it, and it is not kept | busy marks=BUSY/true exited0@-1 | nothing
          a side-car of a kept runner outlives it | busy marks=BUSY/true over=FAILED/deregistered exited1@-1 | off:Busy
          a pod of a former version | marks=-/false running | protection=Busy
          the same, judged | marks=-/false open=false running | on
          the same with a job | busy marks=-/false running | on
          somebody took the label of the set off | marks=BUSY/true withoutSetLabel running | on set=ci
          the same with a job | busy marks=BUSY/true withoutSetLabel running | on set=ci
          no protection | busy protection=NONE marks=NONE/false running | nothing
          protection is switched off while its job runs | busy protection=NONE marks=BUSY/true running | off:None
          protection is switched off while it is idle | marks=BUSY/true protection=NONE open=false running | off:None
          protection is switched on while its job runs | busy protection=BUSY marks=NONE/false running | on
          protection is switched on while it is idle | marks=NONE/false open=false running | on
          its set is not known, and the pod was made without protection | busy set=none marks=NONE/false running | nothing
          its set is not known | busy set=none running | on
          a standalone runner | busy standalone=runner running | on
          a standalone runner without a job | standalone=runner open=false running | nothing
          """)
  void thePodHasWhatItsRunnerNeeds(String about, String given, String expected) {
    assertThat(words(RunnerSituation.of(given)))
        .isEqualTo(expected.replaceFirst("^on", ON).replaceFirst("^off:(.*)", OFF));
  }

  private static String words(RunnerSituation situation) {
    return Shield.missing(situation.observed())
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
    var situation = RunnerSituation.of("busy protection=NONE marks=BUSY/true running");
    var observed = situation.observed();
    var set = java.util.Objects.requireNonNull(observed.set());
    var template = RunnerSituation.template("runner");
    template.setMetadata(
        new ObjectMetaBuilder().addToAnnotations("karpenter.sh/do-not-disrupt", "true").build());
    set.setSpec(set.getSpec().toBuilder().template(StoredTemplate.of(template)).build());
    assertThat(Shield.missing(observed).orElseThrow().annotations())
        .containsEntry("karpenter.sh/do-not-disrupt", "true")
        .containsEntry("cluster-autoscaler.kubernetes.io/safe-to-evict", null);
  }

  @Test
  void onlyAJobAtStakeIsUrgent() {
    assertThat(Shield.missing(RunnerSituation.of("busy running").observed()).orElseThrow().urgent())
        .isTrue();
    var idle = RunnerSituation.of("open=false running");
    assertThat(Shield.missing(idle.observed()).orElseThrow().urgent()).isFalse();
  }

  @Test
  void aPodIsMadeWithItsShieldAndTheTemplateStaysAsItIs() {
    var template = RunnerSituation.template("runner");
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
