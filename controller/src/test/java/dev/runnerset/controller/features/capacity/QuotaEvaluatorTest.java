package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.capacity.OwnCharges.LiveRunner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many more runners quotas admit, and which decides (39.3). */
class QuotaEvaluatorTest {
  private static final String ONE_CPU = "requests: {cpu: 1}, limits: {cpu: 1}";

  private static QuotaRoom room(RunnerCost cost, Quota... quotas) {
    return QuotaEvaluator.room(List.of(quotas), cost, OwnCharges.NONE);
  }

  /** A runner takes one cpu. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing that a runner takes | configmaps=0/0 services=1/1 limits.memory=5/5 | none |",
        "cpu is requests.cpu | cpu=7/10 | 3 | quota q has room for 3 more runners: cpu 3 of 10 left",
        "limits | limits.cpu=9/10 | 1 | quota q has room for 1 more runner: limits.cpu 1 of 10 left",
        "too little for one | requests.cpu=9500m/10 | 0 | quota q has room for no more runners: requests.cpu 500m of 10 left",
        "the tightest of several | cpu=0/10 pods=2/4 count/pods=0/9 | 2 | quota q has room for 2 more runners: pods 2 of 4 left",
        "all pods that exist | pods=0/9 count/pods=8/9 | 1 | quota q has room for 1 more runner: count/pods 1 of 9 left",
        "secrets by either name | secrets=3/5 count/secrets=4/5 | 1 | quota q has room for 1 more runner: count/secrets 1 of 5 left",
        "EphemeralRunners | count/ephemeralrunners.runnerset.dev=6/10 | 4 | quota q has room for 4 more runners: count/ephemeralrunners.runnerset.dev 4 of 10 left",
        "nothing is allowed | pods=0/0 | 0 | quota q allows no runners: its limit of pods is 0",
        "the limit was lowered | pods=7/5 | 0 | quota q has room for no more runners: 7 of pods are used, its limit is 5",
        "not computed yet | pods=?/5 | 0 | quota q admits no runner yet: the API server has not computed how much of pods is used",
        "not computed, though not taken | pods=0/5 limits.memory=?/1Gi | 0 | quota q admits no runner: each container must specify limits.memory",
        "not computed, and of devices | pods=0/5 requests.nvidia.com/gpu=?/1 | 0 | quota q admits no runner yet: the API server has not computed how much of requests.nvidia.com/gpu is used",
        "not computed, of objects that are none of ours | pods=0/5 configmaps=?/1 | 5 | quota q has room for 5 more runners: pods 5 of 5 left",
        "a container does not say what it takes | limits.memory=0/10Gi | 0 | quota q admits no runner: each container must specify limits.memory",
      })
  void ofOneQuota(String name, String pairs, String more, String sentence) {
    if (more.equals("none")) {
      var cost =
          RunnerCost.ofAnswer(
              Costs.pod(
                  "resources: {limits: {cpu: 1}, requests: {cpu: 1}}, containers: [{name: runner}]"),
              JobCost.NONE);
      assertThat(room(cost, Costs.quota("q", pairs)).more()).as(name).isEmpty();
      return;
    }
    var room = room(Costs.cost(ONE_CPU), Costs.quota("q", pairs));
    assertThat(room.more()).as(name).hasValue(Integer.parseInt(more));
    assertThat(room.tightest().orElseThrow().sentence()).isEqualTo(sentence);
  }

  @Test
  void theTightestOfSeveralQuotasDecidesAndEqualOnesByName() {
    var room =
        room(
            Costs.cost(ONE_CPU),
            Costs.quota("wide", "pods=0/9"),
            Costs.quota("tight", "cpu=0/3"),
            Costs.quota("as-tight", "pods=1/4"));
    assertThat(room.more()).hasValue(3);
    assertThat(room.tightest().orElseThrow().sentence())
        .isEqualTo("quota as-tight has room for 3 more runners: pods 3 of 4 left");
  }

  @Test
  void memoryIsWrittenAsAPersonWritesIt() {
    var room =
        room(
            Costs.cost("requests: {memory: 512Mi}, limits: {memory: 512Mi}"),
            Costs.quota("q", "limits.memory=7168Mi/8Gi"));
    assertThat(room.tightest().orElseThrow().sentence())
        .isEqualTo("quota q has room for 2 more runners: limits.memory 1Gi of 8Gi left");
  }

  @Test
  void claimsAndPodsOfJobsArePartOfTheCost() {
    var pod =
        Costs.pod(
            "containers: [{name: runner}], volumes: [{name: w, ephemeral: {volumeClaimTemplate:"
                + " {spec: {storageClassName: fast, resources: {requests: {storage: 10Gi}}}}}}]");
    var cost = RunnerCost.ofAnswer(pod, new JobCost(Costs.quantities("cpu=2"), 1));
    assertThat(room(cost, Costs.quota("q", "pods=0/9")).more()).hasValue(4);
    assertThat(room(cost, Costs.quota("q", "requests.storage=0/25Gi")).more()).hasValue(2);
    assertThat(
            room(cost, Costs.quota("q", "fast.storageclass.storage.k8s.io/requests.storage=0/10Gi"))
                .more())
        .hasValue(1);
    assertThat(
            room(cost, Costs.quota("q", "other.storageclass.storage.k8s.io/requests.storage=0/1"))
                .more())
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Terminating | activeDeadlineSeconds: 60, containers: [{name: a}] | 1",
        "Terminating | containers: [{name: a}] | none",
        "NotTerminating | containers: [{name: a}] | 1",
        "NotTerminating | activeDeadlineSeconds: 60, containers: [{name: a}] | none",
        "BestEffort | containers: [{name: a}] | 1",
        "BestEffort | containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}] | 1",
        "BestEffort | containers: [{name: a}], initContainers: [{name: b, resources: {requests: {cpu: 1}}}] | none",
        "BestEffort | resources: {requests: {cpu: 1}}, containers: [{name: a}] | none",
        "NotBestEffort | containers: [{name: a, resources: {limits: {memory: 1}}}] | 1",
        "NotBestEffort | containers: [{name: a}] | none",
        "PriorityClass Exists | priorityClassName: low, containers: [{name: a}] | 1",
        "PriorityClass Exists | containers: [{name: a}] | none",
        "PriorityClass DoesNotExist | containers: [{name: a}] | 1",
        "PriorityClass In low high | priorityClassName: low, containers: [{name: a}] | 1",
        "PriorityClass In high | priorityClassName: low, containers: [{name: a}] | none",
        "PriorityClass NotIn high | priorityClassName: low, containers: [{name: a}] | 1",
        "PriorityClass NotIn high | containers: [{name: a}] | 1",
        "PriorityClass NotIn low | priorityClassName: low, containers: [{name: a}] | none",
        "CrossNamespacePodAffinity | containers: [{name: a}], affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {namespaces: [b]}}]}} | 1",
        "CrossNamespacePodAffinity | containers: [{name: a}], affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{namespaceSelector: {}}]}} | 1",
        "CrossNamespacePodAffinity | containers: [{name: a}], affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}} | none",
        "VolumeAttributesClass In gold | containers: [{name: a}] | none",
      })
  void ofAScope(String scope, String pod, String more) {
    var words = new ArrayList<>(List.of(scope.split(" ")));
    var rule =
        new ScopeRule(
            words.removeFirst(),
            words.isEmpty() ? "Exists" : words.removeFirst(),
            Set.copyOf(words));
    var plain = Costs.quota("q", "pods=1/2 count/secrets=9/9");
    var quota = new Quota("q", plain.hard(), plain.used(), List.of(rule), List.of());
    var room = room(RunnerCost.ofAnswer(Costs.pod(pod), JobCost.NONE), quota);
    assertThat(room.more().isEmpty() ? "none" : "" + room.more().getAsInt()).isEqualTo(more);
  }

  @Test
  void aQuotaOfAnAttributesClassCountsClaimsOfItAlone() {
    var rule = new ScopeRule("VolumeAttributesClass", "In", Set.of("gold"));
    var plain = Costs.quota("q", "persistentvolumeclaims=0/3");
    var quota = new Quota("q", plain.hard(), plain.used(), List.of(rule), List.of());
    var pod =
        "containers: [{name: a}], volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec:"
            + " {volumeAttributesClassName: %s, resources: {requests: {storage: 1}}}}}}]";
    assertThat(
            room(RunnerCost.ofAnswer(Costs.pod(pod.formatted("gold")), JobCost.NONE), quota).more())
        .hasValue(3);
    assertThat(
            room(RunnerCost.ofAnswer(Costs.pod(pod.formatted("tin")), JobCost.NONE), quota).more())
        .isEmpty();
  }

  @Test
  void aContainerOfAPodWithResourcesOfItsOwnNeedSayNothing() {
    var pod =
        Costs.pod("resources: {limits: {cpu: 1}, requests: {cpu: 1}}, containers: [{name: a}]");
    assertThat(
            room(RunnerCost.ofAnswer(pod, JobCost.NONE), Costs.quota("q", "limits.cpu=0/2")).more())
        .hasValue(2);
  }

  @Test
  void whatIsNotReckonedIsNamed() {
    var pod =
        Costs.pod(
            "containers: [{name: runner, resources: {limits: {cpu: 1, nvidia.com/gpu: 1},"
                + " requests: {cpu: 1, nvidia.com/gpu: 1}}}]");
    var cost = RunnerCost.ofAnswer(pod, new JobCost(Costs.quantities("cpu=1"), 1));
    var later =
        new Quota(
            "later",
            Amounts.one("pods"),
            Amounts.NONE,
            List.of(new ScopeRule("OfALaterKubernetes", "Exists", Set.of())),
            List.of());
    var room =
        room(
            cost,
            later,
            Costs.quota(
                "q",
                "pods=0/9 limits.cpu=0/9 a.deviceclass.resource.k8s.io/devices=0/1"
                    + " requests.cpu=many/3 volts=0/9"));
    assertThat(room.notReckoned())
        .containsExactly(
            "quota later: scope OfALaterKubernetes",
            "quota q: a.deviceclass.resource.k8s.io/devices",
            "quota q: limits.cpu of the pods of a job",
            "quota q: requests.cpu, which is no quantity",
            "quota q: volts");
    assertThat(room.more()).hasValue(4);
  }

  @Test
  void aQuotaWithoutAStatusIsNotComputedYet() {
    var quota = new Quota("q", Amounts.one("pods"), Amounts.NONE, List.of(), List.of());
    assertThat(room(Costs.cost(ONE_CPU), quota).tightest().orElseThrow().reason())
        .isEqualTo(QuotaLimit.Reason.NOT_COMPUTED);
  }

  private static OwnCharges own(RunnerCost cost, int runners) {
    return OwnCharges.of(Collections.nCopies(runners, new LiveRunner(cost, true, true, false)));
  }

  private static int total(RunnerCost cost, OwnCharges own, Quota... quotas) {
    return QuotaEvaluator.room(List.of(quotas), cost, own).total().orElseThrow();
  }

  /** Others take 3 of 10 cpus. */
  @Test
  void theTotalStandsStillWhileOwnRunnersComeAndGo() {
    var cost = Costs.cost(ONE_CPU);
    var totals =
        java.util.stream.IntStream.rangeClosed(0, 7)
            .mapToObj(live ->
                total(cost, own(cost, live), Costs.quota("q", "cpu=%d/10".formatted(3 + live))))
            .collect(Collectors.toSet());
    assertThat(totals).containsExactly(7);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // objects of 4 runners: with a secret, with a pod, with a job; pairs; total
        "a runner without a pod is in the room for pods | 4 | 2 | 0 | pods=2/6 | 6",
        "and not in that for EphemeralRunners | 4 | 2 | 0 | count/ephemeralrunners.runnerset.dev=4/6 | 6",
        "a secret that is there | 3 | 2 | 0 | secrets=3/6 | 6",
        "kept finished runners take places of objects | 4 | 4 | 0 | count/pods=6/8 | 6",
        "and none of pods that have not ended | 4 | 4 | 0 | pods=4/8 | 8",
        "others' pods take places | 4 | 4 | 0 | pods=6/8 | 6",
        "a lowered limit | 4 | 4 | 0 | pods=4/3 | 3",
        "overdrawn by others | 4 | 4 | 0 | pods=9/3 | 0",
        "not computed yet: what there is | 4 | 3 | 0 | pods=?/9 | 3",
      })
  void ofTheTotal(String name, int secrets, int pods, int jobs, String pairs, int total) {
    var cost = Costs.cost(ONE_CPU);
    var own = new ArrayList<LiveRunner>();
    for (int i = 0; i < 4; i++) {
      own.add(new LiveRunner(cost, i < secrets, i < pods, i < jobs));
    }
    assertThat(total(cost, OwnCharges.of(own), Costs.quota("q", pairs))).as(name).isEqualTo(total);
  }

  /** Of 12 cpus, a runner takes one and its job two: 4 may run, whether jobs run now or not. */
  @ParameterizedTest(name = "{0} runners, {1} jobs")
  @CsvSource({"0, 0", "4, 0", "4, 2", "4, 4", "8, 1"})
  void podsOfJobsAreOwnWhileTheyRun(int runners, int jobs) {
    var cost = RunnerCost.ofAnswer(Costs.podOf(ONE_CPU), new JobCost(Costs.quantities("cpu=2"), 1));
    var own = new ArrayList<LiveRunner>();
    for (int i = 0; i < runners; i++) {
      own.add(new LiveRunner(cost, true, true, i < jobs));
    }
    var quota = Costs.quota("q", "cpu=%d/12".formatted(runners + 2 * jobs));
    assertThat(total(cost, OwnCharges.of(own), quota)).isEqualTo(4);
  }

  @Test
  void runnersOfAnOlderTemplateGiveBackWhatTheyTook() {
    var older = Costs.cost("requests: {cpu: 3}");
    var quota = Costs.quota("q", "cpu=6/10");
    assertThat(total(Costs.cost(ONE_CPU), own(older, 2), quota)).isEqualTo(10);
  }
}
