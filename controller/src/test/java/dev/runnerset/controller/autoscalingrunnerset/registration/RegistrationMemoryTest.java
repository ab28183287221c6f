package dev.runnerset.controller.autoscalingrunnerset.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.AccessReason;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RegistrationMemoryTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final Finding FINDING = new Finding(AccessReason.UNAUTHORIZED, "m");
  private static final RegistrationMemory.Wanted WANTED =
      RegistrationMemory.Wanted.of(Sets.set("a"), 1);
  private static final RegistrationMemory.Wanted OTHER =
      RegistrationMemory.Wanted.of(Sets.set("a", "runnerGroup: gpu"), 1);
  private static final Registration.Registered DONE =
      new Registration.Registered(new ScaleSetId(1), RunnerGroupId.DEFAULT, Origin.CREATED);

  private final RegistrationMemory memory = new RegistrationMemory(new Memories());

  @Test
  void noEventShortensABackOff() {
    fail(T, null);
    assertThat(memory.standing("u", WANTED, null, false, T.plusSeconds(1))).isPresent();
    assertThat(memory.standing("u", WANTED, null, false, T.plusSeconds(2))).isEmpty();
    assertThat(memory.standing("u", OTHER, null, false, T)).as("a changed spec does").isEmpty();
  }

  @Test
  void theWaitDoublesUpToItsBoundAndIsNeverShorterThanTheServiceAsks() {
    var waits =
        IntStream.range(0, 10)
            .mapToObj(i -> Duration.between(T, fail(T, null).retryAt()).toSeconds())
            .toList();
    assertThat(waits).containsExactly(2L, 4L, 8L, 16L, 25L, 25L, 25L, 25L, 25L, 25L);
    assertThat(fail(T, Duration.ofMinutes(10)).retryAt()).isEqualTo(T.plusSeconds(600));
  }

  @Test
  void successStandsUntilTheListenerLosesItsConnection() {
    var _ = memory.registered("u", WANTED, DONE, T);
    var muchLater = T.plus(Duration.ofDays(30));
    assertThat(memory.standing("u", WANTED, null, false, muchLater)).contains(DONE);
    assertThat(memory.standing("u", WANTED, T.minusSeconds(1), false, T.plusSeconds(9)))
        .contains(DONE);
    assertThat(memory.standing("u", WANTED, T.plusSeconds(1), false, T.plusSeconds(9))).isEmpty();
    var every = RegistrationTimes.DOUBT_EVERY;
    assertThat(memory.standing("u", WANTED, T.minusSeconds(1), false, T.plus(every))).isEmpty();
  }

  @Test
  void anotherWishBeginsTheBackOffAgain() {
    fail(T, null);
    fail(T, null);
    var failed = memory.failed("u", OTHER, problem(null), RetryWaits.SERVICE, T);
    assertThat(failed.retryAt()).isEqualTo(T.plusSeconds(2));
  }

  private Registration.Failed fail(Instant now, @org.jspecify.annotations.Nullable Duration wait) {
    return memory.failed("u", WANTED, problem(wait), RetryWaits.SERVICE, now);
  }

  private static AccessProblem problem(@org.jspecify.annotations.Nullable Duration wait) {
    return new AccessProblem(FINDING, false, wait);
  }
}
