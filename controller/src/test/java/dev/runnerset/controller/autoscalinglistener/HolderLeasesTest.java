package dev.runnerset.controller.autoscalinglistener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is taken for dead, and when (SF10): reported within the lease and 5 s. */
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
    renews(leases, "lease", holder);
  }

  private void renews(HolderLeases of, String lease, String holder) {
    of.seen(new HolderLeases.Seen(lease, holder, "v" + ++version, Duration.ofSeconds(10)));
  }

  private static Optional<String> connected(HolderLeases by, String holder, List<Condition> ofSet) {
    return StatusConditions.find(
            by.judged(status(holder), ofSet, NOW).conditions(), ConditionType.CONNECTED)
        .map(Condition::getReason);
  }

  /** What a set says whose listener process is dead. */
  private List<Condition> ofLost(String holder) {
    renews(leases, holder, holder);
    pass(12);
    leases.lost(holder);
    return leases.judged(status(holder), List.of(), NOW).conditions().stream()
        .map(c -> new ConditionBuilder(c).withType("ListenerReady").build())
        .toList();
  }

  private static AutoScalingListenerStatus status(String holder) {
    var connected =
        new ConditionBuilder()
            .withType("Connected")
            .withStatus("True")
            .withReason("SessionOpen")
            .withLastTransitionTime("2026-11-22T07:00:00Z")
            .build();
    return AutoScalingListenerStatusBuilder.builder()
        .holder(holder)
        .epoch(1L)
        .sessionId("s")
        .conditions(List.of(connected))
        .build();
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

  private static final String FORBIDDEN = "may not read";

  private Condition connected() {
    return StatusConditions.find(
            leases.judged(status("a"), List.of(), NOW).conditions(), ConditionType.CONNECTED)
        .orElseThrow();
  }

  /** A2: ready for ever without a session, where the listener namespace cannot be read. */
  @Test
  void sf10ARefusalToReadTheListenerNamespaceIsToldAfterTwentySecondsAndNoLonger() {
    renews("a");
    assertThat(leases.refused(FORBIDDEN)).isFalse();
    pass(19);
    assertThat(leases.refused(FORBIDDEN)).isFalse();
    assertThat(connected().getStatus()).isEqualTo("True");
    pass(1);
    assertThat(connected().getStatus()).as("nothing was asked since").isEqualTo("True");
    assertThat(leases.refused(FORBIDDEN)).as("sets are to be woken").isTrue();
    assertThat(connected().getStatus()).isEqualTo("Unknown");
    assertThat(connected().getReason()).isEqualTo("ClusterForbidden");
    assertThat(connected().getMessage()).isEqualTo("may not read");
    assertThat(leases.refused(FORBIDDEN)).as("they say so already").isFalse();
    assertThat(leases.answered()).as("sets are to be woken").isTrue();
    assertThat(connected().getStatus()).isEqualTo("True");
    assertThat(leases.answered()).isFalse();
  }

  /** A server that was away answers at last: the time without an answer is no refusal. */
  @Test
  void sf10OneRefusalInBetweenIsForgotten() {
    leases.refused(FORBIDDEN);
    pass(15);
    leases.answered();
    pass(15);
    assertThat(leases.refused(FORBIDDEN)).isFalse();
    assertThat(connected().getStatus()).isEqualTo("True");
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
    assertThat(leases.judged(status("a"), List.of(), NOW)).isEqualTo(status("a"));
  }

  @Test
  void aLostHolderIsReportedOnceAndComesBackWithItsNextRenewal() {
    renews("a");
    pass(12);
    leases.lost("a");
    assertThat(leases.overdue(A)).as("reported").isEmpty();
    assertThat(leases.back(A)).isEmpty();
    var judged = leases.judged(status("a"), List.of(), NOW);
    var connected =
        StatusConditions.find(judged.conditions(), ConditionType.CONNECTED).orElseThrow();
    assertThat(connected.getStatus() + " " + connected.getReason()).isEqualTo("False HolderLost");
    assertThat(connected.getMessage()).contains("process a", "its lease lease", "pods");
    assertThat(leases.judged(status("b"), List.of(), NOW)).as("another's").isEqualTo(status("b"));
    renews("a");
    assertThat(leases.back(A)).containsExactly("a");
    assertThat(leases.judged(status("a"), List.of(), NOW)).isEqualTo(status("a"));
    pass(12);
    assertThat(leases.overdue(A)).as("and may be lost again").containsExactly("a");
  }

  @Test
  void theLossOfOneHolderBringsNoOtherBack() {
    var both = Set.of("a", "b");
    renews(leases, "lease-a", "a");
    pass(3);
    renews(leases, "lease-b", "b");
    pass(9);
    assertThat(leases.overdue(both)).containsExactly("a");
    leases.lost("a");
    pass(3);
    assertThat(leases.overdue(both)).containsExactly("b");
    assertThat(leases.isOverdue("b")).isTrue();
    leases.lost("b");
    assertThat(leases.isOverdue("b")).as("reported").isFalse();
    assertThat(leases.back(both)).isEmpty();
  }

  @Test
  void afterARestartADeadHolderStaysLostAndOneThatRenewsComesBack() {
    var reported = ofLost("a");
    var next = new HolderLeases(() -> nanos);
    assertThat(connected(next, "a", reported)).as("before any look").contains("HolderLost");
    next.follow(true);
    renews(next, "a", "a");
    next.overdue(A);
    assertThat(connected(next, "a", reported)).as("its dead lease is seen").contains("HolderLost");
    assertThat(next.judged(status("a"), reported, NOW).conditions())
        .extracting(Condition::getMessage)
        .as("in the same words")
        .containsExactly(reported.getFirst().getMessage());
    assertThat(next.back(A)).isEmpty();
    pass(60);
    assertThat(next.overdue(A)).as("reported before").isEmpty();
    assertThat(next.back(A)).isEmpty();
    assertThat(connected(next, "a", reported)).contains("HolderLost");
    renews(next, "a", "a");
    assertThat(next.back(A)).containsExactly("a");
    assertThat(connected(next, "a", reported)).contains("SessionOpen");
  }

  @Test
  void afterARestartAnotherHolderIsNotTakenForTheLostOne() {
    var reported = ofLost("a");
    var next = new HolderLeases(() -> nanos);
    next.follow(true);
    assertThat(connected(next, "ab", reported)).contains("SessionOpen");
    assertThat(connected(next, "b", List.of())).contains("SessionOpen");
  }

  @Test
  void afterARestartNobodyStaysLostForLongWhileTheLeasesCannotBeRead() {
    var reported = ofLost("a");
    var next = new HolderLeases(() -> nanos);
    next.follow(false);
    pass(11);
    next.follow(false);
    assertThat(connected(next, "a", reported)).contains("HolderLost");
    assertThat(next.back(A)).isEmpty();
    pass(1);
    next.follow(false);
    assertThat(next.back(A)).containsExactly("a");
    assertThat(connected(next, "a", reported)).contains("SessionOpen");
  }

  @Test
  void aLostHolderThatNoSetNamesIsForgotten() {
    renews("a");
    pass(12);
    leases.lost("a");
    assertThat(leases.back(Set.of("b"))).containsExactly("a");
  }
}
