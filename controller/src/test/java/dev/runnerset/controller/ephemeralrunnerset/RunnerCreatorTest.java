package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.ProvisionedFor;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerRetention;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runners are made more and more at a time, under names chosen before the POST (NM1, NM4). */
class RunnerCreatorTest {
  private final FakeKube kube = new FakeKube();
  private final List<EphemeralRunner> made = new ArrayList<>();

  static EphemeralRunnerSet set(String name) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("ns")
            .withUid("uid-of-set")
            .withGeneration(5L)
            .build());
    set.setSpec(
        EphemeralRunnerSetSpec.builder(
                "https://github.com/o",
                new NameReference("s"),
                9,
                "rev",
                StoredTemplate.of(new PodTemplateSpec()))
            .replicas(1)
            .retention(new Retention("6h", "30m", 5, 5, null, null))
            .build());
    return set;
  }

  private void create(int count) {
    create(new CallerThread(), count, made::add);
  }

  private void create(ExecutorService threads, int count, Consumer<EphemeralRunner> made) {
    new RunnerCreator(kube.api(), new Random(1), threads, new NewRunners())
        .create(set("ci"), new Provisioning(count, 0), made);
  }

  @ParameterizedTest(name = "NM4 {0} are wanted, {0} are made")
  @CsvSource({"0", "1", "4", "5", "29", "100"})
  void asManyAsWanted(int count) {
    create(count);
    assertThat(made).hasSize(count);
    assertThat(kube.storedByPath).hasSize(count);
    assertThat(kube.requests).hasSize(count);
  }

  @Test
  void noneIsBegunAfterARefusalAndWhatWasMadeStays() {
    kube.fates.add(FakeKube.Fate.STORED);
    kube.fates.add(FakeKube.Fate.REFUSED);
    assertThatThrownBy(() -> create(100))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("quota");
    assertThat(kube.requests).hasSize(2);
    assertThat(made).hasSize(1);
  }

  /** NM4: each of the first twenty that are made adds one. */
  @Test
  void fourAreMadeAtATimeAtFirstAndTwentyFourInTheEnd() {
    var begun = new AtomicInteger();
    var answered = new AtomicInteger();
    var underWay = new ConcurrentSkipListSet<Integer>(); // whenever all that may begin have begun
    Runnable note = () -> underWay.add(begun.get() - answered.get());
    var four = new CyclicBarrier(4, note);
    var twentyFour = new CyclicBarrier(24, note);
    kube.beforeAnswer =
        () -> {
          int number = begun.incrementAndGet();
          if (number <= 4) {
            await(four);
          } else if (number > 20) {
            await(twentyFour);
          }
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      create(threads, 20 + 2 * 24, runner -> answered.incrementAndGet());
    }
    assertThat(answered).hasValue(68);
    assertThat(underWay).containsExactly(4, 24);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "NM1 {0}, then {1}: a runner under the {3} name")
  @CsvSource({
    "STORED,                 STORED, POST,          first",
    "STORED_BUT_ANSWER_LOST, STORED, POST GET,      first",
    "STORED_TWICE,           STORED, POST GET,      first",
    "LOST,                   STORED, POST GET POST, second",
    "LATE,                   STORED, POST GET POST, second",
  })
  void aNameIsSentOnce(FakeKube.Fate first, FakeKube.Fate second, String requests, String name) {
    kube.fates.addAll(List.of(first, second));
    var names = new Random(1);
    var drawn =
        Map.of(
            "first", RunnerTemplate.name("ci", names), "second", RunnerTemplate.name("ci", names));
    create(1);
    assertThat(kube.requests).containsExactly(requests.split(" "));
    assertThat(made)
        .extracting(runner -> runner.getMetadata().getName())
        .containsExactly(drawn.get(name));
  }

  @Test
  void aNameThatIsAnothersIsNoSuccess() {
    kube.fates.add(FakeKube.Fate.STORED_BY_ANOTHER);
    assertThatThrownBy(() -> create(1)).isInstanceOf(KubernetesClientException.class);
    assertThat(made).isEmpty();
  }

  @Test
  void aRequestLostTwiceFails() {
    kube.fates.add(FakeKube.Fate.LOST);
    kube.fates.add(FakeKube.Fate.LOST);
    assertThatThrownBy(() -> create(1)).isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void aLateRequestMakesARunnerBesideTheOthersAndNoneAgain() {
    kube.fates.add(FakeKube.Fate.LATE);
    create(1);
    var inTime = made.getFirst();
    kube.storedByPath.clear(); // it comes and goes
    kube.carryOutLate();
    assertThat(kube.storedByPath.keySet())
        .singleElement()
        .asString()
        .doesNotContain(inTime.getMetadata().getName());
  }

  @Test
  void aRunnerSaysWhoseItIsAndWhatItWasMadeFrom() {
    var runner = RunnerTemplate.newRunner(set("ci"), ProvisionedFor.DEMAND, new Random(1));
    var meta = runner.getMetadata();
    assertThat(meta.getFinalizers()).containsExactly(Labels.RUNNER_FINALIZER);
    assertThat(meta.getLabels())
        .containsEntry(Labels.SET, "ci")
        .containsEntry(Labels.REVISION, "rev")
        .containsEntry(Labels.PART_OF, Labels.PART_OF_VALUE)
        .containsEntry(Labels.COMPONENT, Labels.COMPONENT_RUNNER);
    var owner = meta.getOwnerReferences().getFirst();
    assertThat(owner.getUid()).isEqualTo("uid-of-set");
    assertThat(owner.getController()).isTrue();
    assertThat(runner.getSpec().setGeneration()).isEqualTo(5);
    assertThat(runner.getSpec().revision()).isEqualTo("rev");
    assertThat(runner.getSpec().runnerScaleSetId()).isEqualTo(9);
    assertThat(runner.getSpec().template()).isNull();
    assertThat(runner.getSpec().retention())
        .as("RT2: the times of now, for good")
        .isEqualTo(new RunnerRetention("6h", "30m"));
  }

  @ParameterizedTest(name = "RN22 maxLifetime {0}, activeDeadlineSeconds {1}: {2}")
  @CsvSource({", 60, ", "24h, , 24h", "24h, 3600, 1h", "1440m, 90000, 24h"})
  void aRunnerHasTheLifetimeOfItsPod(
      @Nullable String lifetime, @Nullable Long ofTemplate, @Nullable String expected) {
    var ers = set("ci");
    var template =
        new PodTemplateSpecBuilder()
            .withNewSpec()
            .withActiveDeadlineSeconds(ofTemplate)
            .endSpec()
            .build();
    ers.setSpec(
        ers.getSpec().toBuilder()
            .maxLifetime(lifetime)
            .template(StoredTemplate.of(template))
            .build());
    var runner = RunnerTemplate.newRunner(ers, ProvisionedFor.DEMAND, new Random(1));
    assertThat(runner.getSpec().maxLifetime()).isEqualTo(expected);
  }

  /** An earlier EphemeralRunnerSet of the set is gone when the next one asks whose a runner is. */
  @Test
  void aRunnerCarriesTheUidOfTheSetAboveItsOwn() {
    var ers = set("ci");
    var above =
        new OwnerReferenceBuilder()
            .withApiVersion("runnerset.dev/v1alpha1")
            .withKind("AutoScalingRunnerSet")
            .withName("ci")
            .withUid("uid-above")
            .withController(true)
            .build();
    ers.getMetadata().setOwnerReferences(List.of(above));
    var runner = RunnerTemplate.newRunner(ers, ProvisionedFor.DEMAND, new Random(1));
    assertThat(runner.getMetadata().getAnnotations()).containsEntry(Labels.SET_UID, "uid-above");
  }

  @ParameterizedTest(name = "6 Names: a set name of {0}")
  @CsvSource({"1,12", "42,53", "43,54", "44,54", "52,54", "63,54", "253,54"})
  void aNameIsTheSetNameCutAndTenCharacters(int length, int wanted) {
    var name = RunnerTemplate.name("a".repeat(length), new Random(1));
    assertThat(name).hasSize(wanted).matches("a+-[a-z0-9]{10}");
  }

  @ParameterizedTest(name = "6 Names: cut at a {0}")
  @CsvSource({"-", ".", "--", "-."})
  void aCutNameDoesNotEndItsStemInASign(String sign) {
    var stem = "a".repeat(43 - sign.length()) + sign + "bbb";
    assertThat(RunnerTemplate.name(stem, new Random(1))).matches("a+-[a-z0-9]{10}");
  }

  @Test
  void namesDiffer() {
    var random = new Random(1);
    var names = IntStream.range(0, 10_000).mapToObj(i -> RunnerTemplate.name("ci", random));
    assertThat(names).doesNotHaveDuplicates();
  }

  /** NM1: the container hook names the pod of a job after the runner's first 54 characters. */
  @Test
  void theNamesOfTwoRunnersDifferWhereTheContainerHookCutsThem() {
    var random = new Random(1);
    var cut =
        IntStream.range(0, 10_000)
            .mapToObj(i -> RunnerTemplate.name("x".repeat(63), random))
            .map(name -> name.substring(0, Math.min(name.length(), 54)));
    assertThat(cut).doesNotHaveDuplicates();
  }

  /** NM1: a version before this one cut them at 63 characters. */
  @Test
  void aSetStillKnowsTheLongerNamesOfAnOlderVersion() {
    assertThat(RunnerTemplate.isNameOf("x".repeat(60), "x".repeat(52) + "-bcdfghjklm")).isTrue();
    assertThat(RunnerTemplate.isNameOf("x".repeat(60), "x".repeat(48) + "-bcdfghjklm")).isFalse();
  }

  /** By these the sweep knows the registrations of a set (RN20). */
  @Test
  void aSetKnowsTheNamesThatItGives() {
    var random = new Random(4);
    for (var set : new String[] {"ci", "a.b-", "x".repeat(80), "linux-gpu"}) {
      var name = RunnerTemplate.name(set, random);
      assertThat(RunnerTemplate.isNameOf(set, name)).as(name).isTrue();
      assertThat(RunnerTemplate.isNameOf(set, name + "b")).isFalse();
    }
    assertThat(RunnerTemplate.isNameOf("linux", "linux-gpu-bcdfghjklm")).isFalse();
    assertThat(RunnerTemplate.isNameOf("linux", "linux-runner-abc")).isFalse();
  }
}
