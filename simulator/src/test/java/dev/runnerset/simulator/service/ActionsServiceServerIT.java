package dev.runnerset.simulator.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The half of the service that controllers and listeners see, over HTTP. */
final class ActionsServiceServerIT {
  private final TestClock clock = new TestClock();
  private ActionsServiceServer server;
  private ServiceClient client;
  private Control control;

  @BeforeEach
  void start() {
    start(Timings.defaults().withMessagePoll(Duration.ofMillis(100)));
  }

  private void start(Timings timings) {
    var options = Options.accepting(ServiceClient.TOKEN).withTimings(timings);
    server = ActionsServiceServer.start(options, clock);
    control = server.control();
    client = new ServiceClient(server);
    client.login();
  }

  private void restart(Timings timings) {
    server.close();
    start(timings);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  record Refusal(String why, String method, String path, String authorization, int status) {
    @Override
    public String toString() {
      return why;
    }
  }

  static Stream<Refusal> refusals() {
    var sets = ServiceClient.SETS;
    return Stream.of(
        new Refusal(
            "a wrong PAT",
            "POST",
            "/api/v3/orgs/acme/actions/runners/registration-token",
            "Bearer no",
            401),
        new Refusal(
            "a wrong registration token",
            "POST",
            "/api/v3/actions/runner-registration",
            "RemoteAuth no",
            401),
        new Refusal("a wrong admin token", "GET", sets, "Bearer no", 401),
        new Refusal("a wrong queue token", "GET", "/scalesets/message", "Bearer no", 401),
        new Refusal(
            "acquirejobs on the broker", "POST", sets + "/1/acquirejobs", "Bearer no", 404));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refuses(Refusal row) {
    assertThat(client.call(row.method(), row.path(), row.authorization(), "{}").status())
        .isEqualTo(row.status());
  }

  @Test
  void answersHaveWhatAnyServerSends() throws Exception {
    var head = client.call("HEAD", "/nowhere", "none", "");
    assertThat(head.status()).isEqualTo(404);
    assertThat(client.call("HEAD", "/nowhere", "none", "").text()).isEmpty();
    assertThat(head.response().headers().firstValue("Date"))
        .hasValue("Thu, 01 Jan 2026 00:00:00 GMT");
    assertThat(head.response().headers().firstValue("X-GitHub-Request-Id")).isPresent();
    var url = client.root.resolve("/nowhere").toURL();
    var connection = (java.net.HttpURLConnection) url.openConnection();
    assertThat(connection.getResponseMessage()).isEqualTo("Not Found");
  }

  @Test
  void anInstallationTokenIsGivenForAnAppsJwtOnly() throws Exception {
    var generator = java.security.KeyPairGenerator.getInstance("RSA");
    var pair = generator.generateKeyPair();
    server.close();
    server =
        ActionsServiceServer.start(
            Options.accepting("pat").withApp(new App("app-1", 7, pair.getPublic())), clock);
    client = new ServiceClient(server);
    var now = clock.instant().getEpochSecond();
    var key = pair.getPrivate();
    var good = jwt("app-1", now + 480, key);
    assertThat(installation(7, jwt("app-2", now + 480, key))).isEqualTo(401);
    assertThat(installation(7, jwt("app-1", now + 601, key))).isEqualTo(401);
    assertThat(installation(7, jwt("app-1", now, key))).isEqualTo(401);
    assertThat(installation(7, jwt("app-1", now + 480, generator.generateKeyPair().getPrivate())))
        .isEqualTo(401);
    assertThat(installation(8, good)).isEqualTo(404);
    assertThat(installation(7, good)).isEqualTo(201);
    var path = "/api/v3/app/installations/7/access_tokens";
    var token = client.call("POST", path, "Bearer " + good, "").json().get("token").asText();
    assertThat(client.registrationToken(token).status()).isEqualTo(201);
    var enterprise = "/api/v3/enterprises/e/actions/runners/registration-token";
    assertThat(client.call("POST", enterprise, "Bearer " + token, "").status()).isEqualTo(403);
    clock.advance(Duration.ofHours(1));
    assertThat(client.registrationToken(token).status()).isEqualTo(401);
  }

  private int installation(int id, String jwt) {
    var path = "/api/v3/app/installations/" + id + "/access_tokens";
    return client.call("POST", path, "Bearer " + jwt, "").status();
  }

  private static String jwt(String issuer, long exp, java.security.PrivateKey key)
      throws java.security.GeneralSecurityException {
    var encoder = java.util.Base64.getUrlEncoder().withoutPadding();
    var claims = "{\"iss\":\"" + issuer + "\",\"exp\":" + exp + "}";
    var head = encoder.encodeToString("{\"alg\":\"RS256\"}".getBytes(UTF_8));
    var text = head + "." + encoder.encodeToString(claims.getBytes(UTF_8));
    var signature = java.security.Signature.getInstance("SHA256withRSA");
    signature.initSign(key);
    signature.update(text.getBytes(UTF_8));
    return text + "." + encoder.encodeToString(signature.sign());
  }

  @Test
  void aSetIsCreatedFoundRenamedAndDeleted() {
    var id = client.createSet("linux");
    assertThat(
            client
                .admin("GET", ServiceClient.SETS + "?runnerGroupId=1&name=linux", "")
                .json()
                .at("/value/0/labels/0/name")
                .asText())
        .isEqualTo("linux");
    var again = client.admin("POST", ServiceClient.SETS, "{\"name\":\"Linux\"}");
    assertThat(again.status()).isEqualTo(400);
    assertThat(again.json().get("typeName").asText()).contains("RunnerScaleSetExistsException");
    var path = ServiceClient.SETS + "/" + id;
    assertThat(
            client
                .admin("PATCH", path, "{\"name\":\"big\",\"RunnerSetting\":{}}")
                .json()
                .get("name")
                .asText())
        .isEqualTo("big");
    assertThat(client.admin("DELETE", path, "").status()).isEqualTo(204);
    var gone = client.admin("GET", path, "");
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.json().get("typeName").asText()).contains("RunnerScaleSetNotFoundException");
  }

  @Test
  void aSecondSessionConflictsUntilTheFirstIsDeletedOrItsLeaseIsOver() {
    var set = client.createSet("linux");
    var first = client.session(set);
    assertThat(client.openSession(set).status()).isEqualTo(409);
    client.admin("DELETE", ServiceClient.SETS + "/" + set + "/sessions/" + first.id(), "");
    var second = client.session(set);
    assertThat(client.send(client.poll(first, 0, 1)).status()).isEqualTo(401);

    clock.advance(Duration.ofSeconds(60));
    assertThat(client.send(client.poll(second, 0, 1)).status()).isEqualTo(202);
    clock.advance(Duration.ofSeconds(89));
    assertThat(client.openSession(set).status()).isEqualTo(409);
    clock.advance(Duration.ofSeconds(1));
    assertThat(client.openSession(set).status()).isEqualTo(200);
  }

  @Test
  void jobsAreAssignedUpToTheCapacityOfTheLastPollAndMessagesStayUntilDeleted() {
    var set = client.createSet("linux");
    control.submit(JobRequest.of(5, "linux", Duration.ofSeconds(1)));
    var session = client.session(set);
    var first = client.send(client.poll(session, 0, 3));
    assertThat(first.status()).isEqualTo(200);
    assertThat(ServiceClient.inner(first)).hasSize(3);
    assertThat(first.json().at("/statistics/totalAssignedJobs").asInt()).isEqualTo(3);
    assertThat(first.json().at("/statistics/totalAvailableJobs").asInt()).isEqualTo(2);
    var id = first.json().get("messageId").asLong();

    assertThat(client.send(client.poll(session, 0, 3)).json().get("messageId").asLong())
        .isEqualTo(id);
    assertThat(client.send(client.poll(session, id, 3)).status()).isEqualTo(202);
    assertThat(client.delete(session, id).status()).isEqualTo(204);
    assertThat(client.send(client.poll(session, 0, 3)).status()).isEqualTo(202);

    assertThat(ServiceClient.inner(client.send(client.poll(session, id, 9)))).hasSize(2);
    assertThat(client.send(client.poll(session, 0, -1)).status()).isEqualTo(400);
  }

  @Test
  void aBacklogIsCutIntoEnvelopesOfFifty() {
    var set = client.createSet("linux");
    control.submit(JobRequest.of(120, "linux", Duration.ofSeconds(1)));
    var session = client.session(set);
    long cursor = 0;
    for (int expected : new int[] {50, 50, 20}) {
      var answer = client.send(client.poll(session, cursor, 500));
      assertThat(ServiceClient.inner(answer)).hasSize(expected);
      assertThat(answer.json().at("/statistics/totalAssignedJobs").asInt()).isEqualTo(120);
      cursor = answer.json().get("messageId").asLong();
    }
  }

  @Test
  void anExpiredQueueTokenIsRefusedUntilTheSessionIsRefreshed() {
    restart(
        Timings.defaults()
            .withMessagePoll(Duration.ofMillis(100))
            .withTokens(Duration.ofHours(1), Duration.ofSeconds(80)));
    var set = client.createSet("linux");
    var session = client.session(set);
    clock.advance(Duration.ofSeconds(79));
    assertThat(client.send(client.poll(session, 0, 1)).status()).isEqualTo(202);
    clock.advance(Duration.ofSeconds(1));
    assertThat(client.send(client.poll(session, 0, 1)).status()).isEqualTo(401);
    var path = ServiceClient.SETS + "/" + set + "/sessions/" + session.id();
    var refreshed = client.session(set, client.admin("PATCH", path, "").json());
    assertThat(client.send(client.poll(refreshed, 0, 1)).status()).isEqualTo(202);
  }

  @Test
  void anExpiredAdminTokenIsRefused() {
    clock.advance(Duration.ofMinutes(60));
    assertThat(client.admin("GET", ServiceClient.SETS, "").status()).isEqualTo(401);
  }

  @Test
  void aHungUpPollNoLongerHoldsTheSession() throws Exception {
    restart(Timings.defaults());
    var set = client.createSet("linux");
    var session = client.session(set);
    var poll = client.sendAsync(client.poll(session, 0, 1));
    await(() -> server.control().scaleSets().getFirst().capacity() != null);
    clock.advance(Duration.ofSeconds(100));
    assertThat(client.openSession(set).status()).isEqualTo(409);
    poll.cancel(true);
    await(() -> {
      clock.advance(Duration.ofSeconds(90));
      return client.openSession(set).status() == 200;
    });
  }

  @Test
  void statisticsAloneAreReportedWhenARunnerIsRegistered() {
    var set = client.createSet("linux");
    var session = client.session(set);
    assertThat(client.send(client.poll(session, 0, 1)).status()).isEqualTo(202);
    client.jit(set, "r1");
    var reported = client.send(client.poll(session, 0, 1));
    assertThat(reported.status()).isEqualTo(200);
    assertThat(reported.json().get("body").asText()).isEmpty();
    assertThat(reported.json().at("/statistics/totalRegisteredRunners").asInt()).isEqualTo(1);
  }

  @Test
  void registrationsHaveUniqueNamesAndAreFoundListedAndRemoved() {
    var set = client.createSet("linux");
    var id = client.jit(set, "linux-a").at("/runner/id").asInt();
    var twice = client.jit(set, "LINUX-A");
    assertThat(twice.get("typeName").asText()).contains("TaskAgentExistsException");
    assertThat(
            client
                .admin("GET", ServiceClient.AGENTS + "?agentName=linux-a", "")
                .json()
                .at("/value/0/id")
                .asInt())
        .isEqualTo(id);
    var listed =
        client
            .call(
                "GET",
                "/api/v3/orgs/acme/actions/runners?per_page=1",
                "Bearer " + ServiceClient.TOKEN,
                "")
            .json();
    assertThat(listed.get("total_count").asInt()).isEqualTo(1);
    assertThat(listed.at("/runners/0/status").asText()).isEqualTo("offline");
    assertThat(control.leaks(Duration.ZERO)).hasSize(1);
    assertThat(client.admin("DELETE", ServiceClient.AGENTS + "/" + id, "").status()).isEqualTo(204);
    assertThat(client.admin("DELETE", ServiceClient.AGENTS + "/" + id, "").status()).isEqualTo(204);
    assertThat(client.admin("GET", ServiceClient.AGENTS + "/" + id, "").status()).isEqualTo(404);
    assertThat(control.leaks(Duration.ZERO)).isEmpty();
    assertThat(control.counters())
        .containsEntry("removeRunner", 2L)
        .containsEntry("removeRunner.removed", 1L)
        .containsEntry("removeRunner.unknown", 1L);
    assertThat(control.removeRequests().get("linux-a")).hasSize(1);
  }

  @Test
  void aForeignRegistrationMustNotBeRemoved() {
    var set = client.createSet("linux");
    var id = control.registerForeign(set, "theirs").id();
    client.admin("DELETE", ServiceClient.AGENTS + "/" + id, "");
    assertThat(control.violations())
        .extracting(Violation::kind)
        .containsExactly(Violation.Kind.REMOVED_FOREIGN);
  }

  @Test
  void anAssignedJobThatNoRunnerTakesIsCancelledAndQueuedAgain() {
    var set = client.createSet("linux");
    control.submit(JobRequest.of(1, "linux", Duration.ofSeconds(1)));
    var session = client.session(set);
    long cursor = 0;
    var seen = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      var answer = client.send(client.poll(session, cursor, 1));
      if (answer.status() == 200) {
        cursor = answer.json().get("messageId").asLong();
        StreamSupport.stream(ServiceClient.inner(answer).spliterator(), false)
            .map(n -> n.get("messageType").asText() + n.path("result").asText() + " ")
            .forEach(seen::append);
      }
      clock.advance(Duration.ofSeconds(60));
    }
    assertThat(seen.toString())
        .startsWith("JobAssigned JobCompletedcanceled JobAssigned JobCompletedcanceled ");
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) throws Exception {
    for (int i = 0; i < 3_000; i++) {
      if (condition.call()) {
        return;
      }
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
    throw new AssertionError("did not happen");
  }
}
