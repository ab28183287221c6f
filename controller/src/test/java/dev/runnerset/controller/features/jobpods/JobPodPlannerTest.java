package dev.runnerset.controller.features.jobpods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.jobpods.HookRunner.State;
import dev.runnerset.controller.features.jobpods.JobPodPlanner.Step;
import dev.runnerset.crds.Protection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the pods and batch jobs of a job: SH5, RN23. */
final class JobPodPlannerTest {
  private static final Instant MADE = Instant.parse("2026-11-28T10:00:00Z");
  private static final Instant NOW = MADE.plusSeconds(3600);
  private static final String NAME = "linux-abcdefghij";

  /** 54 characters, the most that a runner of a set has. */
  private static final String LONG = "a".repeat(43) + "-0123456789";

  /**
   * One requirement.
   *
   * @param object its kind, its name, the label, its age against the runner in seconds, and more
   * @param runner lives, ended, gone or none
   * @param over for how many seconds it has been known to have ended
   */
  record Row(
      String rule,
      String object,
      String runner,
      int over,
      @Nullable Protection protection,
      String step) {
    @Override
    public String toString() {
      return rule + ": " + object + ", its runner " + runner + " since " + over;
    }
  }

  static Stream<Row> rows() {
    var busy = Protection.BUSY;
    var none = Protection.NONE;
    var pod = "Pod linux-abcdefghij-workflow " + NAME + " +9";
    var step = "Pod linux-abcdefghij-step-0a1b2c3d " + NAME + " +9";
    var job = "Job linux-abcdefghij-step-0a1b2c3d " + NAME + " +9";
    return Stream.of(
        new Row("SH5 it is shielded while its runner lives", pod, "lives", 0, busy, "shield"),
        new Row("SH5 so is the pod of a step", step, "lives", 0, busy, "shield"),
        new Row("SH5 once", pod + " shielded", "lives", 0, busy, "leave"),
        new Row("SH5 without protection it is left alone", pod, "lives", 0, none, "leave"),
        new Row("SH5 the budget ends with it", pod + " shielded", "lives", 0, none, "unshield"),
        new Row("SH5 while the set is not known, too", pod, "lives", 0, null, "leave"),
        new Row("SH5 what has ended cannot be evicted", pod + " over", "lives", 0, busy, "leave"),
        new Row("SH5 a batch job has no budget", job, "lives", 0, busy, "leave"),
        new Row(
            "SH5 somebody else's pod gets none",
            "Pod somebody-workflow " + NAME + " +9",
            "lives",
            0,
            busy,
            "leave"),
        new Row(
            "SH5 nor does an older pod",
            "Pod linux-abcdefghij-workflow " + NAME + " -1",
            "lives",
            0,
            busy,
            "leave"),
        new Row(
            "SH5 nor the pod of another runner", pod + " marked-other", "lives", 0, busy, "leave"),
        new Row("RN23 the hooks come first", pod, "ended", 29, busy, "leave"),
        new Row("RN23 then it goes", pod, "ended", 30, busy, "delete"),
        new Row("RN23 at once it does not", pod, "ended", 0, busy, "leave"),
        new Row("RN23 also without protection", pod, "ended", 30, none, "delete"),
        new Row("RN23 also when the set is gone", pod + " shielded", "gone", 31, null, "delete"),
        new Row("RN23 the hooks of a runner that is gone", pod, "gone", 29, busy, "leave"),
        new Row("RN23 so does a batch job", job, "gone", 30, busy, "delete"),
        new Row(
            "RN23 and one of a second",
            "Pod linux-abcdefghij-workflow " + NAME + " +0",
            "gone",
            30,
            busy,
            "delete"),
        new Row(
            "RN23 a pod of a living runner stays", pod + " shielded", "lives", 0, busy, "leave"),
        new Row("RN23 nobody's runner: ARC uses the same hooks", pod, "none", 30, busy, "leave"),
        new Row(
            "RN23 another name with the label stays",
            "Pod deploy-7d9 " + NAME + " +9",
            "gone",
            30,
            busy,
            "leave"),
        new Row(
            "RN23 the name of another runner's pod stays",
            "Pod linux-0000000000-workflow " + NAME + " +9",
            "gone",
            30,
            busy,
            "leave"),
        new Row(
            "RN23 the pod of the runner itself stays",
            "Pod " + NAME + " " + NAME + " +9",
            "gone",
            30,
            busy,
            "leave"),
        new Row(
            "RN23 what only looks drawn stays",
            "Pod linux-abcdefghij-step-notdrawn " + NAME + " +9",
            "gone",
            30,
            busy,
            "leave"),
        new Row(
            "RN23 a pod that is older than the runner stays",
            "Pod linux-abcdefghij-workflow " + NAME + " -1",
            "gone",
            30,
            busy,
            "leave"),
        new Row(
            "RN23 a name that is used again: the earlier runner's pod stays",
            pod + " marked-other",
            "ended",
            30,
            busy,
            "leave"),
        new Row("RN23 what goes already is left", pod + " going", "ended", 30, busy, "leave"),
        new Row(
            "RN23 the hooks cut long names",
            "Pod " + LONG + "-workflow " + LONG + " +9",
            "ended",
            30,
            busy,
            "delete"),
        new Row(
            "RN23 and cut more of a step's",
            "Pod " + LONG.substring(0, 49) + "-step-0a1b2c3d " + LONG + " +9",
            "ended",
            30,
            busy,
            "delete"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isPlanned(Row row) {
    var object = object(row.object());
    var runner = runner(row.runner());
    var endedAt = row.runner().equals("lives") ? null : NOW.minus(Duration.ofSeconds(row.over()));
    var step = JobPodPlanner.plan(object, runner, endedAt, row.protection(), NOW);
    assertThat(words(step)).isEqualTo(row.step());
  }

  private static String words(Step step) {
    return switch (step) {
      case Step.Leave() -> "leave";
      case Step.Delete() -> "delete";
      case Step.Mark(var marks) -> marks.busy() ? "shield" : "unshield";
    };
  }

  private static @Nullable HookRunner runner(String words) {
    return switch (words) {
      case "lives" -> new HookRunner("u-1", "linux", MADE, State.LIVES);
      case "ended" -> new HookRunner("u-1", "linux", MADE, State.ENDED);
      case "gone" -> new HookRunner("u-1", "linux", MADE, State.GONE);
      default -> null;
    };
  }

  private static HookObject object(String words) {
    var word = words.split(" ");
    var more = words.substring(words.indexOf(word[3]));
    HasMetadata made =
        word[0].equals("Pod")
            ? new PodBuilder().withNewMetadata().endMetadata().build()
            : new JobBuilder().withNewMetadata().endMetadata().build();
    var meta = made.getMetadata();
    meta.setNamespace("ns");
    meta.setName(word[1]);
    meta.setUid("p-1");
    meta.setLabels(new HashMap<>(Map.of("runner-pod", word[2])));
    meta.setAnnotations(new HashMap<>());
    meta.setCreationTimestamp(MADE.plusSeconds(Integer.parseInt(word[3])).toString());
    if (more.contains("going")) {
      meta.setDeletionTimestamp(NOW.toString());
    }
    if (more.contains("marked-other")) {
      meta.getAnnotations().put("runnerset.dev/runner-uid", "u-0");
    }
    if (more.contains("over")) {
      ((Pod) made).setStatus(new PodStatusBuilder().withPhase("Failed").build());
    }
    if (more.contains("shielded")) {
      meta.getLabels().putAll(Map.of("runnerset.dev/busy", "true", "runnerset.dev/set", "linux"));
      meta.getAnnotations()
          .putAll(
              Map.of(
                  "karpenter.sh/do-not-disrupt", "true",
                  "cluster-autoscaler.kubernetes.io/safe-to-evict", "false",
                  "runnerset.dev/runner-uid", "u-1"));
    }
    return HookObject.of(made);
  }

  @Test
  void theShieldIsOnePatchThatNamesThePod() {
    var runner = new HookRunner("u-1", "linux", MADE, State.LIVES);
    var bare = object("Pod linux-abcdefghij-workflow " + NAME + " +9");
    assertThat(bare.marks().shieldedFor(runner).patch("p-1").toString())
        .contains("\"uid\":\"p-1\"", "\"runnerset.dev/busy\":\"true\"")
        .contains("\"runnerset.dev/set\":\"linux\"", "\"karpenter.sh/do-not-disrupt\":\"true\"")
        .contains("\"cluster-autoscaler.kubernetes.io/safe-to-evict\":\"false\"")
        .contains("\"runnerset.dev/runner-uid\":\"u-1\"");
  }

  @Test
  void aStandaloneRunnerHasNoBudgetButTheAnnotations() {
    var runner = new HookRunner("u-1", null, MADE, State.LIVES);
    var bare = object("Pod linux-abcdefghij-workflow " + NAME + " +9");
    var marks = bare.marks().shieldedFor(runner);
    assertThat(marks.busy()).isFalse();
    assertThat(marks.spared()).isTrue();
  }

  /** After a restart nothing but our mark says whose it was. */
  @Test
  void aMarkNamesARunnerThatIsGone() {
    var marked = object("Pod linux-abcdefghij-workflow " + NAME + " +9 shielded");
    var runner = marked.markedRunner().orElseThrow();
    assertThat(runner).isEqualTo(new HookRunner("u-1", "linux", Instant.MIN, State.GONE));
    assertThat(JobPodPlanner.isOf(marked, runner)).isTrue();
    assertThat(object("Pod linux-abcdefghij-workflow " + NAME + " +9").markedRunner()).isEmpty();
  }
}
