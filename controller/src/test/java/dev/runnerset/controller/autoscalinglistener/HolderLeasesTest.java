package dev.runnerset.controller.autoscalinglistener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is taken for dead, and when (SF10): told within the lease and 5 s. */
final class HolderLeasesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");
  private static final Set<String> A = Set.of("a");

  private long nanos;
  private int version;
  private final HolderLeases leases = new HolderLeases(() -> nanos);

  @BeforeEach
  void follow() {
    leases.follow(true);
  }

  private void pass(long seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  private void renews(String holder) {
    leases.seen(new HolderLeases.Seen("lease", holder, "v" + ++version, Duration.ofSeconds(10)));
  }

  private static AutoScalingListenerStatus status(String holder) {
    var connected =
        new ConditionBuilder()
            .withType("Connected")
            .withStatus("True")
            .withReason("SessionOpen")
            .withLastTransitionTime("2026-11-22T07:00:00Z")
            .build();
    return new AutoScalingListenerStatus(holder, 1L, "s", null, List.of(connected));
  }

  @Test
  void aHolderThatRenewsIsNeverOverdue() {
    for (int i = 0; i < 100; i++) {
      renews("a");
      pass(3);
      assertThat(leases.overdue(A)).isEmpty();
    }
  }

  @Test
  void aHolderThatRenewsNoMoreIsOverdueTwoSecondsAfterItsLease() {
    renews("a");
    pass(11);
    assertThat(leases.overdue(A)).isEmpty();
    pass(1);
    assertThat(leases.overdue(A)).containsExactly("a");
  }

  @Test
  void aLeaseThatIsSeenAgainUnchangedIsNotRenewed() {
    renews("a");
    pass(8);
    leases.seen(new HolderLeases.Seen("lease", "a", "v" + version, Duration.ofSeconds(10)));
    pass(4);
    assertThat(leases.overdue(A)).containsExactly("a");
  }

  @Test
  void aHolderWithoutAnyLeaseIsOverdueAfterTheUsualTime() {
    assertThat(leases.overdue(A)).isEmpty();
    pass(12);
    assertThat(leases.overdue(A)).containsExactly("a");
  }

  @Test
  void aLeaseThatAnotherTookCountsFromTheLastRenewalOfTheFormerHolder() {
    renews("a");
    pass(5);
    renews("b");
    pass(7);
    assertThat(leases.overdue(Set.of("a", "b"))).containsExactly("a");
  }

  @Test
  void nobodyIsJudgedWhileTheLeasesAreNotFollowed() {
    renews("a");
    leases.follow(false);
    pass(100);
    assertThat(leases.overdue(A)).isEmpty();
    leases.lost("a");
    assertThat(leases.judged(status("a"), NOW)).isEqualTo(status("a"));
  }

  @Test
  void aLostHolderIsToldOnceAndComesBackWithItsNextRenewal() {
    renews("a");
    pass(12);
    leases.lost("a");
    assertThat(leases.overdue(A)).as("told").isEmpty();
    assertThat(leases.back(A)).isEmpty();
    var judged = leases.judged(status("a"), NOW);
    var connected =
        StatusConditions.find(judged.conditions(), ConditionType.CONNECTED).orElseThrow();
    assertThat(connected.getStatus() + " " + connected.getReason()).isEqualTo("False HolderLost");
    assertThat(connected.getMessage()).contains("process a", "its lease lease", "pods");
    assertThat(leases.judged(status("b"), NOW)).as("another's").isEqualTo(status("b"));
    renews("a");
    assertThat(leases.back(A)).containsExactly("a");
    assertThat(leases.judged(status("a"), NOW)).isEqualTo(status("a"));
    pass(12);
    assertThat(leases.overdue(A)).as("and may be lost again").containsExactly("a");
  }

  @Test
  void aLostHolderThatNoSetNamesIsForgotten() {
    renews("a");
    pass(12);
    leases.lost("a");
    assertThat(leases.back(Set.of("b"))).containsExactly("a");
  }
}
