package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.testsupport.TestClock;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that are switched on happen, as often as was asked, and no others. */
final class FaultsIT {
  private ActionsServiceServer server;
  private ServiceClient client;
  private Control control;
  private int set;

  @BeforeEach
  void start() {
    var timings = Timings.defaults().withMessagePoll(Duration.ofMillis(100));
    server =
        ActionsServiceServer.start(
            Options.accepting(ServiceClient.TOKEN).withTimings(timings), new TestClock());
    client = new ServiceClient(server);
    control = server.control();
    client.login();
    set = client.createSet("linux");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void faults(HttpFault... faults) {
    control.faults(FaultPlan.NONE.withHttp(faults));
  }

  @Test
  void anEndpointIsRefusedTheGivenNumberOfTimes() {
    faults(HttpFault.answer("createSession", 503, 2).withRetryAfter(Duration.ofSeconds(3)));
    var first = client.openSession(set);
    assertThat(first.status()).isEqualTo(503);
    assertThat(first.response().headers().firstValue("Retry-After")).hasValue("3");
    assertThat(client.openSession(set).status()).isEqualTo(503);
    assertThat(client.openSession(set).status()).isEqualTo(200);
    assertThat(control.counters()).containsEntry("createSession.fault", 2L);
  }

  @Test
  void anotherListenerHoldsTheSessionUntilItIsFreed() {
    var ours = client.session(set);
    control.holdSession(set, "another");
    assertThat(client.send(client.poll(ours, 0, 1)).status()).isEqualTo(401);
    assertThat(client.openSession(set).status()).isEqualTo(409);
    control.freeSession(set);
    assertThat(client.openSession(set).status()).isEqualTo(200);
  }

  @Test
  void aScaleSetOfAnotherIsThereByItsName() {
    int other = control.createForeignScaleSet("my-org", "windows");
    assertThat(control.scaleSets())
        .anySatisfy(s -> {
          assertThat(s.id()).isEqualTo(other);
          assertThat(s.labels()).containsExactly("windows");
        });
  }

  @Test
  void aLostReplyHasHadItsEffect() {
    faults(HttpFault.lostReply("generatejitconfig", 1));
    assertThatThrownBy(() -> client.jit(set, "r1")).isInstanceOf(UncheckedIOException.class);
    assertThat(client.jit(set, "r1").get("typeName").asText()).contains("TaskAgentExistsException");
  }

  @ParameterizedTest
  @CsvSource({
    "EMPTY, ''",
    "TEXT, fault 400",
    "MESSAGE, '{\"message\":'",
    "EXCEPTION, '\"typeName\":\"a.B, a\"'",
    "NESTED, '\"details\":\"failed: '",
    "NO_CONTENT_TYPE, typeName",
    "GATEWAY, '{\"error\":{\"code\":400,'",
    "GARBAGE, <!doctype html>"
  })
  void errorBodiesHaveTheShapesOfTheProtocol(HttpFault.Body body, String contains) {
    faults(HttpFault.answer("getScaleSet", 400, 1).withException("a.B").withBody(body));
    var answer = client.admin("GET", ServiceClient.SETS + "/" + set, "");
    assertThat(answer.text()).contains(contains);
    assertThat(answer.response().headers().firstValue("Content-Type").isPresent())
        .isEqualTo(body != HttpFault.Body.EMPTY && body != HttpFault.Body.NO_CONTENT_TYPE);
  }

  @Test
  void aCallThatIsNeverAnsweredStandsUntilTheClientGivesUp() throws InterruptedException {
    faults(HttpFault.hang("generatejitconfig"));
    var failures = new java.util.concurrent.LinkedBlockingQueue<Throwable>();
    var caller =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((thread, e) -> failures.add(e))
            .start(() -> client.jit(set, "r1"));
    while (control.counters().getOrDefault("generatejitconfig.fault", 0L) == 0) {
      Thread.onSpinWait();
    }
    assertThat(caller.isAlive()).isTrue();
    caller.interrupt();
    assertThat(failures.take()).isInstanceOf(IllegalStateException.class);
    assertThat(control.runners()).as("without effect").isEmpty();
  }

  @Test
  void aBodyMayHaveNoEnd() throws Exception {
    faults(HttpFault.answer("getScaleSet", 200, 1).withBody(HttpFault.Body.ENDLESS));
    var path = client.root.resolve(ServiceClient.SETS + "/" + set);
    var connection = (HttpURLConnection) path.toURL().openConnection();
    assertThat(connection.getInputStream().readNBytes(2_000)).hasSize(2_000);
    connection.disconnect();
  }

  @Test
  void everyAnswerMayBeginWithAByteOrderMark() {
    control.faults(FaultPlan.NONE.withByteOrderMark(true));
    assertThat(client.admin("GET", ServiceClient.SETS, "").text()).startsWith("\uFEFF{");
  }

  @ParameterizedTest
  @CsvSource({"NULL, 0", "ZERO, 0", "INFLATED, 52", "NONE, 2", "WITH_JOBS_ONLY, 2"})
  void statisticsMayBeWrong(FaultPlan.StatisticsFault fault, int assigned) {
    var session = client.session(set);
    control.faults(FaultPlan.NONE.withStatistics(fault));
    control.submit(JobRequest.of(2, "linux", Duration.ofSeconds(1)));
    var reported = client.send(client.poll(session, 0, 5)).json().get("statistics");
    assertThat(reported.isNull()).isEqualTo(fault == FaultPlan.StatisticsFault.NULL);
    assertThat(reported.path("totalAssignedJobs").asInt()).isEqualTo(assigned);
  }

  /** A registration changes the counts, and no job event comes with it. */
  @ParameterizedTest
  @CsvSource({"NONE, 200", "WITH_JOBS_ONLY, 202"})
  void statisticsMayComeWithJobsOnly(FaultPlan.StatisticsFault fault, int status) {
    var session = client.session(set);
    control.faults(FaultPlan.NONE.withStatistics(fault));
    client.jit(set, "r1");
    assertThat(client.send(client.poll(session, 0, 5)).status()).isEqualTo(status);
  }

  /** Half of them, give or take what 200 draws allow; the same ones for the same seed. */
  @Test
  void aShareOfJobEventsIsDroppedOrDoubled() {
    var session = client.session(set);
    control.faults(FaultPlan.NONE.withDropped("JobAssigned", 0.5));
    control.submit(JobRequest.of(200, "linux", Duration.ofSeconds(1)));
    var reported = drain(session, 200);
    assertThat(reported).hasSizeBetween(70, 130);
    assertThat(control.counters()).containsEntry("dropped.JobAssigned", 200L - reported.size());

    control.faults(FaultPlan.NONE.withDuplicated(1));
    control.submit(JobRequest.of(10, "linux", Duration.ofSeconds(1)));
    assertThat(drain(session, 210).values()).hasSize(10).containsOnly(2);
  }

  private Map<String, Integer> drain(ServiceClient.Session session, int capacity) {
    var seen = new HashMap<String, Integer>();
    for (var a = client.send(client.poll(session, 0, capacity));
        a.status() == 200;
        a = client.send(client.poll(session, 0, capacity))) {
      for (JsonNode event : ServiceClient.inner(a)) {
        seen.merge(event.get("jobId").asText(), 1, Integer::sum);
      }
      client.delete(session, a.json().get("messageId").asLong());
    }
    return seen;
  }

  @Test
  void theControlInterfaceSubmitsJobsSetsFaultsAndTells() {
    var submitted =
        client.call(
            "POST",
            "/_control/jobs",
            "none",
            "{\"count\":3,\"labels\":[\"linux\"],\"durationSeconds\":0.5}");
    assertThat(submitted.status()).isEqualTo(201);
    assertThat(submitted.json().get("jobIds")).hasSize(3);
    var faults =
        "{\"http\":[{\"endpoint\":\"removeRunner\",\"status\":500,\"times\":1}],"
            + "\"dropped\":{\"JobStarted\":0.5},\"linger\":10}";
    assertThat(client.call("PUT", "/_control/faults", "none", faults).status()).isEqualTo(204);
    assertThat(control.faults().linger()).isEqualTo(Duration.ofSeconds(10));
    client.admin("DELETE", ServiceClient.AGENTS + "/99", "");
    var state = client.call("GET", "/_control/state", "none", "").json();
    assertThat(state.at("/jobs/queued").asInt()).isEqualTo(3);
    assertThat(state.at("/scaleSets/0/statistics/totalAvailableJobs").asInt()).isEqualTo(3);
    assertThat(
            client
                .call("GET", "/_control/counters", "none", "")
                .json()
                .at("/calls/removeRunner.fault")
                .asInt())
        .isEqualTo(1);
    client.jit(set, "r1");
    assertThat(
            client
                .call("GET", "/_control/violations?leaks=0", "none", "")
                .json()
                .at("/violations/0/kind")
                .asText())
        .isEqualTo("REGISTRATION_LEAKED");
    assertThat(
            client
                .call("GET", "/_control/runners", "none", "")
                .json()
                .at("/runners/0/state")
                .asText())
        .isEqualTo("OFFLINE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"htp\":[]}", "{\"http\":[{\"endpoint\":\"nowhere\",\"status\":500}]}",
        "{\"duplicated\":2}", "{\"http\":[{\"endpoint\":\"*\",\"status\":1}]}"
      })
  void faultsThatCannotBeAreRefused(String plan) {
    assertThat(client.call("PUT", "/_control/faults", "none", plan).status()).isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port x --token t",
        "",
        "--token t --nonsense",
        "--token t --poll 0",
        "--token t --run-lease 0",
        "--token t --orderly-end -1",
        "--token t --flavour blue",
        "--token t --fault nonsense",
        "--token t --fault duplicated=2",
        "--token t --tls-key x",
        "--token t --tls-key /none --tls-certificate /none",
        "--token t --app 1,2",
        "--token t --app 1,2,/none"
      })
  void badFlagsEndWithOneLineAndCodeTwo(String flags) {
    var line = SimulatedServiceMain.commandLine();
    var said = new java.io.StringWriter();
    line.setErr(new java.io.PrintWriter(said));
    assertThat(line.execute(flags.isEmpty() ? new String[0] : flags.split(" "))).isEqualTo(2);
    assertThat(said.toString().strip().lines()).hasSize(1);
  }
}
