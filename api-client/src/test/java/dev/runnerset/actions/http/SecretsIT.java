package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A service that repeats every credential it is sent, in every shape; none may reach people. */
final class SecretsIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  @StartStop final MockWebServer server = new MockWebServer();

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Level before = root.getLevel();

  @BeforeEach
  void listen() {
    root.setLevel(Level.TRACE);
    log.start();
    root.addAppender(log);
  }

  @AfterEach
  void deafen() {
    root.detachAppender(log);
    root.setLevel(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json", ""})
  void noCredentialIsInWhatPeopleRead(String contentType) {
    var stub = new StubService(server);
    var opened = new AtomicInteger();
    stub.service =
        request ->
            request.getMethod().equals("POST")
                    && StubService.path(request).endsWith("/sessions")
                    && opened.getAndIncrement() == 0
                ? session()
                : echo(request, contentType, 418);
    var texts = new ArrayList<String>();
    try (var service = stub.connect()) {
      texts.add(service.toString());
      var session = StubService.open(service);
      texts.add(session.toString());
      record(
          texts,
          () -> service.updateScaleSet(ID, new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of())));
      record(texts, () -> service.generateJitConfig(ID, "r", ""));
      record(texts, () -> service.openSession(ID, "me"));
      record(texts, () -> session.poll(0, 1));
      record(texts, () -> session.acknowledge(4));
      texts.add(service.removeRunner(new RunnerId(42)).toString());
      session.close(); // logs that it could not
    }
    assertThat(texts).hasSize(8);
    assertThat(log.list).anyMatch(e -> e.getMessage().startsWith("message session not ended"));
    assertClean(texts, stub);
  }

  @Test
  void noCredentialOfTheRegistrationIsInWhatPeopleRead() {
    for (var step : List.of("/registration-token", "/runner-registration")) {
      var stub = new StubService(server);
      stub.registration =
          request ->
              StubService.path(request).endsWith(step)
                  ? echo(request, "application/json", 422)
                  : stub.registrationStep(request);
      var texts = new ArrayList<String>();
      record(texts, () -> stub.connect().scaleSet(ID));
      assertThat(texts).hasSize(1);
      assertClean(texts, stub);
    }
  }

  private void assertClean(List<String> texts, StubService stub) {
    var all = new ArrayList<>(texts);
    log.list.forEach(e -> all.add(e.getFormattedMessage() + e.getKeyValuePairs()));
    assertThat(all)
        .noneMatch(text -> text.contains("MARKER"))
        .noneMatch(text -> text.contains(stub.adminToken));
  }

  private static MockResponse echo(RecordedRequest request, String contentType, int status) {
    var header = request.getHeaders().get("Authorization");
    var token = header.substring(header.indexOf(' ') + 1);
    var answer =
        new MockResponse.Builder()
            .code(status)
            .setHeader("ActivityId", token)
            .setHeader("X-GitHub-Request-Id", header)
            .body(
                "{\"message\":\"you sent %s, that is %s, ghp_MARKER0123456789\",\"typeName\":\"X %s\"}"
                    .formatted(header, token, token));
    if (!contentType.isEmpty()) {
      answer.setHeader("Content-Type", contentType);
    }
    return answer.build();
  }

  private MockResponse session() {
    return StubService.opened(server.url("/queue?token=MARKER-IN-URL"), "MARKER-Q");
  }

  private static void record(List<String> texts, Runnable call) {
    try {
      call.run();
    } catch (ServiceException e) {
      var trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      texts.add(trace + e.error().toString());
    }
  }
}
