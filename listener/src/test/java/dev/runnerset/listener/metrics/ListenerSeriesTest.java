package dev.runnerset.listener.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.listener.config.UsageRepositories;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.testsupport.Exposition;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the listener counts for Prometheus, and when the series come and go. */
final class ListenerSeriesTest {
  private static final Instant T = Instant.parse("2026-11-22T08:00:00Z");
  private final Meters meters = ListenerMeter.series();

  private ListenerSeries series(String set) {
    return new ListenerSeries(meters, "team", set, UsageRepositories.NONE);
  }

  private String exposition() {
    return Exposition.of(meters::snapshots).text();
  }

  private List<String> lines(String name) {
    return Exposition.of(meters::snapshots).lines(name);
  }

  /** The value of the one series of that name. */
  private double value(String name) {
    var found = lines(name);
    assertThat(found).hasSize(1);
    var line = found.getFirst();
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  private static JobDescription job(@Nullable Instant assigned, @Nullable Instant finished) {
    var started = assigned == null ? null : assigned.plusSeconds(7);
    return new JobDescription(
        0, "j", "o/r", "w", "b", 1, "push", null, assigned, started, finished);
  }

  @Test
  void theCountsOfTheServiceAreGaugesOnceTheyAreKnown() {
    var series = series("linux");
    assertThat(lines("runnerset_listener_assigned_jobs")).isEmpty();
    series.believed(new Statistics(4, 0, 3, 2, 9, 5, 1), T);
    assertThat(lines("runnerset_listener_assigned_jobs"))
        .containsExactly("runnerset_listener_assigned_jobs{name=\"linux\",namespace=\"team\"} 3.0");
    assertThat(value("runnerset_listener_running_jobs")).isEqualTo(2);
    assertThat(value("gha_registered_runners")).isEqualTo(9);
    assertThat(value("gha_busy_runners")).isEqualTo(5);
    assertThat(value("gha_idle_runners")).isEqualTo(1);
    assertThat(value("runnerset_listener_available_jobs")).isEqualTo(4);
    series.believed(new Statistics(0, 0, 8, 0, 0, 0, 0), T);
    assertThat(value("runnerset_listener_assigned_jobs")).isEqualTo(8);
  }

  private static Message started(long id) {
    var event = new JobEvent.JobStarted(job(T, null), new RunnerId(1), "r");
    return new Message(id, null, List.of(event), List.of(), false);
  }

  private double waitsSince() {
    return value("runnerset_listener_waiting_since_timestamp_seconds") - T.getEpochSecond();
  }

  /** Row 14: a queue that is never empty is no alarm while jobs of it start. */
  @Test
  void jobsHaveWaitedSinceNoneWaitedOrSinceTheLastOneStarted() {
    var series = series("linux");
    var nobodyWaits = new Statistics(0, 0, 3, 3, 3, 3, 0);
    var inTheQueue = new Statistics(4, 0, 3, 3, 3, 3, 0);
    var withoutRunner = new Statistics(0, 0, 5, 3, 3, 3, 0);
    series.believed(nobodyWaits, T);
    assertThat(waitsSince()).isNaN();
    series.believed(inTheQueue, T.plusSeconds(10));
    series.believed(withoutRunner, T.plusSeconds(20));
    assertThat(waitsSince()).isEqualTo(10);
    series.received(started(1), T.plusSeconds(60));
    series.believed(inTheQueue, T.plusSeconds(60));
    assertThat(waitsSince()).isEqualTo(60);
    series.believed(nobodyWaits, T.plusSeconds(70));
    series.received(started(2), T.plusSeconds(80));
    assertThat(waitsSince()).isNaN();
  }

  @Test
  void everyCounterBeginsAtZero() {
    var series = series("linux");
    assertThat(lines("runnerset_listener_marks_dropped_total"))
        .hasSize(2)
        .allMatch(line -> line.endsWith(" 0.0"));
    series.counted(ListenerMeter.MARKS_DROPPED, "runner_gone");
    series.refused(KubeRefusal.Kind.FORBIDDEN);
    assertThat(lines("runnerset_listener_marks_dropped_total"))
        .contains(
            "runnerset_listener_marks_dropped_total{name=\"linux\",namespace=\"team\","
                + "reason=\"runner_gone\"} 1.0");
    assertThat(lines("runnerset_listener_writes_refused_total"))
        .contains(
            "runnerset_listener_writes_refused_total{answer=\"forbidden\",name=\"linux\","
                + "namespace=\"team\"} 1.0");
  }

  @Test
  void aMessageTellsItsLagAndItsJobs() {
    var series = series("linux");
    series.received(
        new Message(
            1,
            null,
            List.of(
                new JobEvent.JobStarted(job(T, null), new RunnerId(1), "r"),
                new JobEvent.JobCompleted(
                    job(T, T.plusSeconds(60)), "abandoned", new RunnerId(2), "s"),
                new JobEvent.JobCompleted(job(null, null), "canceled", new RunnerId(0), "")),
            List.of(),
            false),
        T.plusSeconds(63));
    assertThat(value("runnerset_listener_message_lag_seconds_sum")).isEqualTo(3);
    assertThat(value("gha_job_startup_duration_seconds_sum")).isEqualTo(7);
    assertThat(value("gha_job_execution_duration_seconds_sum")).isEqualTo(53);
    assertThat(value("gha_started_jobs_total")).isEqualTo(1);
    assertThat(lines("gha_completed_jobs_total").stream().filter(l -> l.endsWith(" 1.0")))
        .singleElement()
        .asString()
        .contains("job_result=\"other\"");
  }

  @Test
  void aSetThatIsNotListenedForHasNoSeriesNotEvenLater() {
    var series = series("linux");
    series.believed(new Statistics(0, 0, 1, 0, 0, 0, 0), T);
    var _ = series("other");
    series.end();
    series.counted(ListenerMeter.MESSAGES);
    series.believed(new Statistics(0, 0, 2, 0, 0, 0, 0), T);
    assertThat(exposition()).doesNotContain("linux").contains("other");
    series("linux").believed(new Statistics(0, 0, 3, 0, 0, 0, 0), T);
    assertThat(value("runnerset_listener_assigned_jobs")).isEqualTo(3);
  }

  @Test
  void eachRequestToTheServiceIsMeasuredByItsOutcome() {
    var session =
        stub(
            MessageSession.class,
            method -> {
              if (method.equals("poll")) {
                return new PollResult.Nothing();
              }
              throw new ServiceException(
                  new ServiceError.SessionLost(
                      new ServiceError.Details("DELETE", 404, "", "", "", "")));
            });
    var service = stub(ActionsService.class, method -> new OpenSessionResult.Opened(session));
    var measured = MeasuredService.of(service, series("linux"), () -> 0L);
    var opened = (OpenSessionResult.Opened) measured.openSession(new ScaleSetId(1), "me");
    assertThat(opened.session().poll(0, 1)).isInstanceOf(PollResult.Nothing.class);
    assertThatThrownBy(() -> opened.session().acknowledge(1)).isInstanceOf(ServiceException.class);
    assertThat(lines("runnerset_listener_service_requests_seconds_count"))
        .hasSize(3)
        .anyMatch(l -> l.contains("call=\"open_session\"") && l.contains("outcome=\"ok\""))
        .anyMatch(l -> l.contains("call=\"poll\"") && l.contains("outcome=\"ok\""))
        .anyMatch(
            l -> l.contains("call=\"acknowledge\"") && l.contains("outcome=\"session_lost\""));
  }

  @Test
  void eachErrorOfTheServiceIsAnOutcome() {
    assertThat(ListenerMeter.REQUESTS.definition().labels().getLast().values())
        .containsAll(
            Arrays.stream(ServiceError.class.getPermittedSubclasses())
                .map(MeasuredService::outcome)
                .toList());
  }

  private interface Answer {
    @Nullable Object to(String method);
  }

  private static <T> T stub(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName())));
  }
}
