package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service that hangs holds no more of us than its share, and is left alone for a while. */
final class AdmissionIT {
  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final CallLimits LIMITS =
      new CallLimits(2, Duration.ofSeconds(1), 3, SLOW, Duration.ofSeconds(10));

  @StartStop final MockWebServer server = new MockWebServer();

  private final TestClock clock = new StubService(server).clock;
  private final Admission admission = new Admission(LIMITS, clock);

  @Test
  void afterThreeSlowFailuresInARowNothingIsSentForTenSeconds() {
    for (int i = 0; i < 3; i++) {
      assertThat(tried(slow(unavailable()))).isInstanceOf(ServiceError.Unavailable.class);
    }
    assertThat(tried(answered(200)))
        .isInstanceOfSatisfying(
            ServiceError.NotSent.class,
            notSent -> {
              assertThat(notSent.retryAfter()).isEqualTo(Duration.ofSeconds(10));
              assertThat(notSent.details().sentence())
                  .isEqualTo(
                      "GET x: no answer: not sent: the service did not answer 3 calls in a row; the"
                          + " next try is at 2026-11-20T12:00:19Z");
            });
    clock.advance(Duration.ofMillis(10_001));
    assertThat(tried(answered(200))).isNull();
    assertThat(tried(answered(200))).as("open again for all").isNull();
  }

  @Test
  void afterTheRestOneCallTriesAndItsFailureIsAnotherRest() {
    for (int i = 0; i < 3; i++) {
      tried(slow(unavailable()));
    }
    clock.advance(Duration.ofMillis(10_001));
    var inside = new ArrayList<ServiceError>();
    tried(
        slow(() -> {
          inside.add(tried(answered(200)));
          return unavailable().get();
        }));
    assertThat(inside).hasSize(1).first().isInstanceOf(ServiceError.NotSent.class);
    assertThat(tried(answered(200))).isInstanceOf(ServiceError.NotSent.class);
  }

  /** What ends at once holds no thread; what comes slowly is an answer all the same. */
  @ParameterizedTest(name = "{0} after {1} ms, rests: {2}")
  @CsvSource({
    "no answer, 3000, true",
    "no answer, 2999, false",
    "503, 3000, true",
    "503, 2999, false",
    "404, 9000, false",
    "200, 9000, false",
    "cancelled, 9000, false"
  })
  void saysWhatIsASlowFailure(String end, long millis, boolean rests) {
    Supplier<Answer> call =
        switch (end) {
          case "no answer" -> unavailable();
          case "cancelled" ->
              () -> {
                throw Attempt.cancellation(
                    new okhttp3.Request.Builder().url("http://x/").build(), "cancelled");
              };
          default -> answered(Integer.parseInt(end));
        };
    for (int i = 0; i < 4; i++) {
      tried(() -> {
        clock.advance(Duration.ofMillis(millis));
        return call.get();
      });
    }
    assertThat(tried(answered(200)) instanceof ServiceError.NotSent).isEqualTo(rests);
  }

  @Test
  void oneAnswerBetweenThemBeginsTheCountAgain() {
    for (int i = 0; i < 7; i++) {
      tried(i % 3 == 2 ? answered(404) : slow(unavailable()));
    }
    assertThat(tried(answered(200))).isNull();
  }

  @Test
  void moreThanItsShareIsNotSentWhileTheServiceHangs() throws Exception {
    var hanging = new CountDownLatch(2);
    var end = new CountDownLatch(1);
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < 2; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(() ->
                  tried(() -> {
                    hanging.countDown();
                    await(end);
                    return answered(200).get();
                  })));
    }
    assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(tried(answered(200)))
        .isInstanceOfSatisfying(
            ServiceError.NotSent.class,
            notSent ->
                assertThat(notSent.details().message())
                    .isEqualTo(
                        "not sent: 2 calls wait for the service already; it is tried again"));
    end.countDown();
    for (var caller : callers) {
      assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(tried(answered(200))).isNull();
  }

  @Test
  void whileTheServiceAnswersACallWaitsForItsTurn() throws Exception {
    var patient =
        new Admission(
            new CallLimits(1, Duration.ofSeconds(20), 3, SLOW, Duration.ofSeconds(10)), clock);
    var unused = patient.call("GET x", answered(200));
    var inside = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var first =
        Thread.ofVirtual()
            .start(() ->
                patient.call(
                    "GET x",
                    () -> {
                      inside.countDown();
                      await(end);
                      return answered(200).get();
                    }));
    assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
    var outcomes = new ArrayList<Answer>();
    var second = Thread.ofVirtual().start(() -> outcomes.add(patient.call("GET x", answered(204))));
    while (second.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    end.countDown();
    assertThat(first.join(Duration.ofSeconds(20))).isTrue();
    assertThat(second.join(Duration.ofSeconds(20))).isTrue();
    assertThat(outcomes).extracting(Answer::status).isEqualTo(List.of(204));
    assertThat(unused.is(200)).isTrue();
  }

  @Test
  void whatBreaksGivesItsTurnBack() {
    for (int i = 0; i < 5; i++) {
      assertThat(
              catchThrowableOfType(
                  IllegalStateException.class,
                  () ->
                      admission.call(
                          "GET x",
                          () -> {
                            throw new IllegalStateException("broken");
                          })))
          .isNotNull();
    }
    assertThat(tried(answered(200))).isNull();
  }

  private ServiceError tried(Supplier<Answer> call) {
    try {
      var unused = admission.call("GET x", call);
      return null;
    } catch (ServiceException e) {
      return e.error();
    }
  }

  private Supplier<Answer> slow(Supplier<Answer> call) {
    return () -> {
      clock.advance(SLOW);
      return call.get();
    };
  }

  private static Supplier<Answer> answered(int status) {
    return () ->
        new Answer(Endpoint.GET_SCALE_SET, "GET x", "", status, "", "", null, "", "", null, null);
  }

  private static Supplier<Answer> unavailable() {
    return () -> {
      throw new ServiceException(
          new ServiceError.Unavailable(
              new ServiceError.Details("GET x", 0, "", "timeout", "", ""), null));
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
