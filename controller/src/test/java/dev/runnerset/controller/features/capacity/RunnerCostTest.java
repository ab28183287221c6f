package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a runner takes of quotas (39.3). */
class RunnerCostTest {
  private static final String PODS = "count/pods=1 pods=1";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing asked | containers: [{name: runner}] |",
        "a request of cpu has two names, a limit one | containers: [{name: runner, resources: {requests: {cpu: 1500m}, limits: {cpu: 2}}}] | cpu=1500m limits.cpu=2 requests.cpu=1500m",
        "containers add up | containers: [{name: runner, resources: {requests: {memory: 1Gi}}}, {name: dind, resources: {requests: {memory: 512Mi}}}] | memory=1536Mi requests.memory=1536Mi",
        "an init container counts where it takes more | initContainers: [{name: i, resources: {requests: {cpu: 3}}}], containers: [{name: runner, resources: {requests: {cpu: 2, memory: 1Mi}}}] | cpu=3 memory=1Mi requests.cpu=3 requests.memory=1Mi",
        "an init container that takes less does not | initContainers: [{name: i, resources: {requests: {cpu: 1}}}], containers: [{name: runner, resources: {requests: {cpu: 2}}}] | cpu=2 requests.cpu=2",
        "a side-car stays beside the containers | initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: 1}}}], containers: [{name: runner, resources: {requests: {cpu: 2}}}] | cpu=3 requests.cpu=3",
        "an init container runs beside side-cars before it | initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}, {name: i, resources: {requests: {cpu: 4}}}], containers: [{name: runner, resources: {requests: {cpu: 2}}}] | cpu=5 requests.cpu=5",
        "and not beside those after it | initContainers: [{name: i, resources: {requests: {cpu: 4}}}, {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}], containers: [{name: runner, resources: {requests: {cpu: 2}}}] | cpu=4 requests.cpu=4",
        "the pod's own resources win | resources: {requests: {cpu: 1}, limits: {cpu: 2}}, containers: [{name: runner, resources: {requests: {cpu: 5, memory: 1Gi}, limits: {cpu: 5}}}] | cpu=1 limits.cpu=2 memory=1Gi requests.cpu=1 requests.memory=1Gi",
        "the overhead is added, to limits that are there | overhead: {cpu: 250m, memory: 1Mi}, containers: [{name: runner, resources: {requests: {cpu: 1}, limits: {cpu: 1}}}] | cpu=1250m limits.cpu=1250m memory=1Mi requests.cpu=1250m requests.memory=1Mi",
        "the overhead of the pod's own resources, too | overhead: {cpu: 250m}, resources: {requests: {cpu: 1}}, containers: [{name: runner}] | cpu=1250m requests.cpu=1250m",
        "a device is counted as a request alone | containers: [{name: runner, resources: {requests: {nvidia.com/gpu: 2}, limits: {nvidia.com/gpu: 2}}}] | requests.nvidia.com/gpu=2",
        "huge pages have two names, their limits none | containers: [{name: runner, resources: {requests: {hugepages-2Mi: 4Mi}, limits: {hugepages-2Mi: 4Mi}}}] | hugepages-2Mi=4Mi requests.hugepages-2Mi=4Mi",
        "ephemeral storage | containers: [{name: runner, resources: {requests: {ephemeral-storage: 1Gi}, limits: {ephemeral-storage: 2Gi}}}] | ephemeral-storage=1Gi limits.ephemeral-storage=2Gi requests.ephemeral-storage=1Gi",
        "other resources of Kubernetes are in no quota | containers: [{name: runner, resources: {requests: {attachable-volumes-x: 1, kubernetes.io/batch: 1}}}] |",
        "thousandths are the smallest amount | containers: [{name: runner, resources: {requests: {cpu: 100u}}}] | cpu=1m requests.cpu=1m",
      })
  void ofThePod(String name, String spec, String taken) {
    var pod = RunnerCost.ofAnswer(Costs.pod(spec), JobCost.NONE).pod();
    assertThat(Costs.text(pod.amounts()).split(" "))
        .as(name)
        .containsExactlyInAnyOrder((PODS + (taken == null ? "" : " " + taken)).split(" "));
  }

  @Test
  void theClaimsOfEphemeralVolumesAreInQuotasOfStorageAndOfTheirClass() {
    var cost =
        RunnerCost.ofAnswer(
            Costs.pod(
                """
                containers: [{name: runner}], volumes: [
                 {name: a, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: fast,
                  resources: {requests: {storage: 1500m}}}}}},
                 {name: b, ephemeral: {volumeClaimTemplate: {spec: {
                  volumeAttributesClassName: gold, resources: {requests: {storage: 1Gi}}}}}},
                 {name: c, emptyDir: {}}]
                """),
            JobCost.NONE);
    assertThat(cost.claims().stream().map(each -> Costs.text(each.amounts())))
        .containsExactly(
            "count/persistentvolumeclaims=1"
                + " fast.storageclass.storage.k8s.io/persistentvolumeclaims=1"
                + " fast.storageclass.storage.k8s.io/requests.storage=2"
                + " persistentvolumeclaims=1 requests.storage=2",
            "count/persistentvolumeclaims=1 persistentvolumeclaims=1 requests.storage=1Gi");
    assertThat(cost.claims().getLast())
        .isInstanceOfSatisfying(
            Charge.OfClaim.class, claim -> assertThat(claim.attributesClass()).isEqualTo("gold"));
  }

  @ParameterizedTest(name = "{0} and {1} pods")
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu=2 limits.cpu=4 | 1 | count/pods=1 cpu=2 limits.cpu=4 pods=1 requests.cpu=2",
        "requests.memory=1Gi nvidia.com/gpu=1 | 2 | count/pods=2 memory=1Gi pods=2 requests.memory=1Gi requests.nvidia.com/gpu=1",
        "requests.storage=1Gi count/secrets=1 | 0 | requests.storage=1Gi + count/secrets=1",
        "'' | 0 | ''",
      })
  void ofTheJob(String resources, int pods, String taken) {
    var charges = new JobCost(Costs.quantities(resources), pods).charges();
    assertThat(
            charges.stream()
                .map(each -> Costs.text(each.amounts()))
                .collect(Collectors.joining(" + ")))
        .isEqualTo(taken);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a request that is missing is as the limit | {containers: [{name: runner, resources: {limits: {cpu: 2}}}]} | cpu=2 limits.cpu=2 requests.cpu=2",
        "a pod's own request is that of its containers | {resources: {limits: {cpu: 8}}, containers: [{name: runner, resources: {requests: {cpu: 3}}}]} | cpu=3 limits.cpu=8 requests.cpu=3",
        "or its own limit | {resources: {limits: {cpu: 8}}, containers: [{name: runner}]} | cpu=8 limits.cpu=8 requests.cpu=8",
      })
  void ofATemplate(String name, String spec, String taken) {
    var cost = RunnerCost.ofTemplate(runner("{}"), template(spec), JobCost.NONE).orElseThrow();
    assertThat(Costs.text(cost.pod().amounts()).split(" "))
        .as(name)
        .containsExactlyInAnyOrder((PODS + " " + taken).split(" "));
    assertThat(cost.notReckoned()).containsExactly("defaults of a LimitRange");
    assertThat(cost.pod().answered()).isFalse();
  }

  @Test
  void aLifetimeMakesAPodTerminatingAndARuntimeClassAddsWhatIsNotKnown() {
    var template = template("{runtimeClassName: kata, containers: [{name: runner}]}");
    var cost = RunnerCost.ofTemplate(runner("{maxLifetime: 2h}"), template, JobCost.NONE);
    assertThat(cost.orElseThrow().pod().traits()).isEqualTo(new PodTraits(true, true, "", false));
    assertThat(cost.orElseThrow().notReckoned())
        .containsExactly("defaults of a LimitRange", "the overhead of RuntimeClass kata");
  }

  @Test
  void aTemplateWithoutARunnerHasNoCost() {
    var template = template("{containers: [{name: other}]}");
    assertThat(RunnerCost.ofTemplate(runner("{}"), template, JobCost.NONE)).isEmpty();
  }

  private static EphemeralRunner runner(String spec) {
    return Serialization.unmarshal(
        "---\n{metadata: {name: a, namespace: b, uid: c}, spec: %s}".formatted(spec),
        EphemeralRunner.class);
  }

  private static PodTemplateSpec template(String spec) {
    return Serialization.unmarshal("---\n{spec: %s}".formatted(spec), PodTemplateSpec.class);
  }
}
