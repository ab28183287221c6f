package dev.runnerset.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.cluster.Gap;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.FieldPaths;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each check finds. */
final class ChecksTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  /**
   * Conditions of a set, and what is found of host, TLS and proxy, permissions at GitHub, runner
   * group, scale set: o for ok, w for wrong, u for unknown.
   */
  record Ladder(String conditions, String found) {}

  static List<Ladder> ladders() {
    return List.of(
        new Ladder("", "uuuuu"),
        new Ladder("Registered True Registered", "ooooo"),
        new Ladder("Registered Unknown Registering", "uuuuu"),
        new Ladder("Registered False SecretNotFound", "uuuuu"),
        new Ladder("Registered False ServiceUnavailable", "uuuuu"),
        new Ladder("Registered False HostNotFound", "wuuuu"),
        new Ladder("Registered False HostNotAllowed", "wuuuu"),
        new Ladder("Registered False ConnectionRefused", "wuuuu"),
        new Ladder("Registered False CertificateNotTrusted", "owuuu"),
        new Ladder("Registered False ProxyFailed", "owuuu"),
        new Ladder("Registered False Unauthorized", "oowuu"),
        new Ladder("Registered False Forbidden", "oowuu"),
        new Ladder("Registered False NotFound", "oowuu"),
        new Ladder("Registered False RunnerGroupNotFound", "ooowu"),
        new Ladder("Registered False AdoptionRequired", "oooow"),
        new Ladder("Registered True Registered, ListenerReady False SessionConflict", "oooow"),
        new Ladder("Registered True Registered, Ready False Unauthorized", "oowuu"));
  }

  @ParameterizedTest
  @MethodSource("ladders")
  void theServiceIsKnownAsFarAsTheConditionsReach(Ladder row) {
    var found = ServiceLadder.of(set(row.conditions()).statusOrNone().conditions());
    assertThat(found.stream().map(c -> letter(c)).collect(Collectors.joining()))
        .isEqualTo(row.found());
  }

  private static String letter(Check check) {
    return check.result().name().substring(0, 1).toLowerCase(java.util.Locale.ROOT);
  }

  /** {@code Type Status Reason}, separated by commas. */
  private static AutoScalingRunnerSet set(String conditions) {
    var yaml =
        conditions.isEmpty()
            ? ""
            : List.of(conditions.split(", ")).stream()
                .map(each -> each.split(" "))
                .map(w ->
                    "{type: %s, status: \"%s\", reason: %s, message: m}"
                        .formatted(w[0], w[1], w[2]))
                .collect(Collectors.joining(", "));
    return Serialization.unmarshal(
        "---\nmetadata: {name: linux, namespace: ci}\nstatus: {conditions: [%s]}".formatted(yaml),
        AutoScalingRunnerSet.class);
  }

  @ParameterizedTest
  @CsvSource({
    "health, '', UNKNOWN",
    "health, Ready True Ready, OK",
    "health, Ready True Paused, OK",
    "health, Ready False Unauthorized, WRONG",
    "health, 'Ready True Ready, CapacityLimited True MaxRunners', OK",
    "health, 'Ready True Ready, RunnersFailing True BackOff', WRONG",
    "versions of the parts, '', UNKNOWN",
    "versions of the parts, Ready True Ready, OK",
    "versions of the parts, 'Ready True Ready, UpgradeRequired True KindsOutdated', WRONG",
    "shield of running jobs, Ready True Ready, OK",
    "shield of running jobs, 'Ready True Ready, ShieldIncomplete True PolicyMissing', WRONG",
    "shield of running jobs, 'Ready True Ready, ShieldIncomplete Unknown PolicyNotVisible', UNKNOWN",
    "version of the runners, Ready True Ready, UNKNOWN",
    "version of the runners, 'Ready True Ready, RunnerVersionExpired True DatePassed', WRONG"
  })
  void aSetIsCheckedByItsConditions(String check, String conditions, Check.Result result) {
    assertThat(SetChecks.of(set(conditions)))
        .filteredOn(c -> c.name().equals(check))
        .singleElement()
        .extracting(Check::result)
        .isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource({
    "'', OK",
    "'{hard: {pods: \"3\"}, used: {pods: \"2\"}}', OK",
    "'{hard: {pods: \"3\"}, used: {pods: \"3\"}}', WRONG",
    "'{hard: {limits.memory: 1Gi}, used: {limits.memory: 1024Mi}}', WRONG",
    "'{hard: {limits.cpu: \"2\"}, used: {limits.cpu: 1999m}}', OK",
    "'{hard: {pods: \"3\"}}', OK"
  })
  void aQuotaWithoutRoomIsWrong(String status, Check.Result result) {
    var quotas =
        status.isEmpty()
            ? List.<ResourceQuota>of()
            : List.of(
                Serialization.unmarshal(
                    "---\nmetadata: {name: q}\nstatus: " + status, ResourceQuota.class));
    assertThat(SetChecks.quota(set(""), Listing.of(quotas)).result()).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource({
    "'', WRONG",
    "'{metadata: {name: c}}', WRONG",
    "'{metadata: {name: c}, status: {availableReplicas: 1}}', OK",
    "'{metadata: {name: c, labels: {app.kubernetes.io/version: 1.2.3}}, status: {availableReplicas: 1}}', OK",
    "'{metadata: {name: c, labels: {app.kubernetes.io/version: 1.2.2}}, status: {availableReplicas: 1}}', WRONG"
  })
  void aProgramRunsInTheVersionOfThisOne(String deployment, Check.Result result) {
    var found =
        deployment.isEmpty()
            ? List.<Deployment>of()
            : List.of(Serialization.unmarshal("---\n" + deployment, Deployment.class));
    assertThat(InstallationChecks.program("c", "ns", Listing.of(found), "1.2.3").result())
        .isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource({
    "'', WRONG",
    "'{leaseDurationSeconds: 15}', WRONG",
    "'{holderIdentity: a, leaseDurationSeconds: 15}', UNKNOWN",
    "'{holderIdentity: a, leaseDurationSeconds: 15, renewTime: \"2026-11-29T11:59:45.000000Z\"}', OK",
    "'{holderIdentity: a, leaseDurationSeconds: 15, renewTime: \"2026-11-29T11:59:44.000000Z\"}', WRONG"
  })
  void aLeaseIsRenewedInTime(String spec, Check.Result result) {
    var found =
        spec.isEmpty()
            ? List.<Lease>of()
            : List.of(Serialization.unmarshal("---\nspec: " + spec, Lease.class));
    assertThat(InstallationChecks.lease("c", "ns", Listing.of(found), NOW).result())
        .isEqualTo(result);
  }

  @Test
  void theKindsHaveTheFieldsOfThisVersion() {
    var ours = FieldPaths.ofThisVersion();
    assertThat(InstallationChecks.kinds(ours, ours).result()).isEqualTo(Check.Result.OK);
    assertThat(InstallationChecks.kinds(Map.of(), ours).says()).contains("AutoScalingRunnerSet");
    var older = new TreeMap<>(ours);
    var fewer = new TreeSet<>(ours.get("AutoScalingRunnerSet").paths());
    fewer.remove("spec.maxLifetime");
    older.put("AutoScalingRunnerSet", new FieldPaths(fewer));
    assertThat(InstallationChecks.kinds(older, ours).says())
        .isEqualTo(
            "they are older than this program: they lack AutoScalingRunnerSet spec.maxLifetime");
    assertThat(InstallationChecks.kinds(ours, older).says()).contains("newer than this program");
  }

  @Test
  void whatMayNotBeReadIsUnknownWithVerbAndResource() {
    var gap = Gap.missingRight("get", "leases.coordination.k8s.io", "ns");
    assertThat(InstallationChecks.lease("c", "ns", Listing.missing(gap), NOW))
        .isEqualTo(Check.unknown("lease of c", gap.sentence()));
    assertThat(InstallationChecks.program("c", "ns", Listing.missing(gap), "1").result())
        .isEqualTo(Check.Result.UNKNOWN);
    assertThat(SetChecks.quota(set(""), Listing.missing(gap)).result())
        .isEqualTo(Check.Result.UNKNOWN);
    assertThat(
            InstallationChecks.policy(Listing.<Pod>missing(gap), Listing.<Pod>of(List.of()))
                .result())
        .isEqualTo(Check.Result.UNKNOWN);
    assertThat(
            InstallationChecks.policy(Listing.<Pod>of(List.of()), Listing.<Pod>of(List.of()))
                .result())
        .isEqualTo(Check.Result.WRONG);
  }
}
