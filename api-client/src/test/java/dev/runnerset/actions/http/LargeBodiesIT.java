package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A1: an answer takes no more of the memory than a few times its bound, whatever is in it. */
final class LargeBodiesIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final int BOUND = Endpoint.LONGEST_LIST;

  @StartStop final MockWebServer server = new MockWebServer();

  private static String job(int number, String name) {
    return """
    {"messageType":"JobStarted","jobId":"%s","runnerId":%d,"runnerName":"linux-x7k2p-runner-%d",
    "ownerName":"%s","repositoryName":"%s","jobWorkflowRef":"%s","jobDisplayName":"%s",
    "workflowRunId":12345678901,"eventName":"pull_request","requestLabels":["%s"],
    "queueTime":"2026-11-20T12:00:00Z","scaleSetAssignTime":"2026-11-20T12:00:01Z",
    "runnerAssignTime":"2026-11-20T12:00:02Z"}\
    """
        .formatted(
            "11111111-2222-3333-4444-%012d".formatted(number),
            number,
            number,
            "o".repeat(39),
            "r".repeat(100),
            name,
            name,
            "l".repeat(64));
  }

  private static String message(String body) {
    return "{\"messageId\":5,\"messageType\":\"RunnerScaleSetJobMessages\",\"body\":%s}"
        .formatted(Json.text(body));
  }

  @Test
  void aFullMessageOfJobsWithLongNamesFitsFourTimes() {
    var jobs =
        IntStream.range(0, 50)
            .mapToObj(i -> job(i, "n".repeat(500)))
            .collect(Collectors.joining(",", "[", "]"));
    var text = message(jobs);
    assertThat(text.getBytes(UTF_8)).hasSizeLessThan(BOUND / 4).hasSizeGreaterThan(64 * 1024);
    var message = poll(text);
    assertThat(message.events()).hasSize(50);
    assertThat(message.unread()).isEmpty();
    assertThat(message.full()).isTrue();
    assertThat(message.events().getLast())
        .isInstanceOfSatisfying(
            JobEvent.JobStarted.class,
            last -> {
              assertThat(last.runnerName()).isEqualTo("linux-x7k2p-runner-49");
              assertThat(last.job().jobId()).endsWith("000000000049");
              assertThat(last.job().displayName()).hasSize(Messages.LONGEST_TEXT).endsWith("n…");
            });
  }

  /** SF9: what can be read of a message is used, and the rest is named. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "more elements than a message has | 120 | 100 | 20 elements beyond the first 100",
        "the body is cut | 3 cut | 3 | the body is not a list of jobs from element 3 on",
      })
  void whatCanBeReadIsUsed(String what, String jobs, int read, String unread) {
    int number = Integer.parseInt(jobs.split(" ")[0]);
    var body =
        IntStream.range(0, number)
            .mapToObj(i -> job(i, "n"))
            .collect(Collectors.joining(",", "[", ""));
    var message = poll(message(body + (jobs.endsWith("cut") ? "" : "]")));
    assertThat(message.events()).hasSize(read);
    assertThat(message.unread()).containsExactly(unread);
  }

  private PollResult.Message poll(String text) {
    var stub = new StubService(server).then(StubService.opened(server.url("/queue"), "queue-1"));
    var session = StubService.open(stub.connect());
    stub.then(200, text);
    return (PollResult.Message) session.poll(0, 5);
  }

  @Test
  void aMessageBeyondTheBoundIsMalformedAndNamed() {
    var stub = new StubService(server).then(StubService.opened(server.url("/queue"), "queue-1"));
    var session = StubService.open(stub.connect());
    stub.then(200, message("[" + "{},".repeat(BOUND / 3) + "{}]"));
    var failure = catchThrowableOfType(ServiceException.class, () -> session.poll(0, 5));
    assertThat(failure.error()).isInstanceOf(ServiceError.Malformed.class);
    assertThat(failure).hasMessageContaining("message 5 is longer than 524288 bytes");
  }

  /** The bytes of an object tree would be 20 to 80 times those of the text. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"{},", "1,", "[],", "\"\",", "[", "{\"a\":", "{\"messageType\":\"JobStarted\"},"})
  void aBodyAtTheBoundTakesAFewTimesItsSize(String part) {
    int length = BOUND - 200;
    var body =
        "["
            + part.repeat(
                length / (part.length() + (int) part.chars().filter(c -> c == '"').count()));
    var text = message(body);
    assertThat(text.length()).isBetween(BOUND / 2, BOUND);
    assertThat(allocatedBy(() -> Messages.read(text))).isLessThan(24L * BOUND);
    var list = "{\"count\":1,\"value\":" + body + "]}";
    assertThat(allocatedBy(() -> Contents.read(Endpoint.FIND_SCALE_SET, list)))
        .isLessThan(24L * BOUND);
    assertThat(Messages.read(text).map(m -> m.events().size() + m.unread().size()).orElse(0))
        .isLessThanOrEqualTo(Messages.MOST_READ + 1);
  }

  private static long allocatedBy(Runnable reading) {
    reading.run(); // classes are loaded once
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    reading.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void aListBeyondTheBoundIsMalformed() {
    var stub = new StubService(server);
    var service = stub.connect();
    stub.then(200, "{\"count\":1,\"value\":[" + "{},".repeat(BOUND / 3) + "{}]}");
    var failure =
        catchThrowableOfType(
            ServiceException.class, () -> service.findScaleSet(RunnerGroupId.DEFAULT, "linux"));
    assertThat(failure.error()).isInstanceOf(ServiceError.Malformed.class);
    stub.then(
        200, "{\"count\":1,\"value\":[{\"id\":7,\"name\":\"linux\"}]" + " ".repeat(99_999) + "}");
    assertThat(service.findScaleSet(RunnerGroupId.DEFAULT, "linux")).isPresent();
  }

  @Test
  void connectionsThatAreKeptHoldNothingOfTheStoreBetweenCalls() {
    var stub = new StubService(server);
    var services = IntStream.range(0, 5).mapToObj(_ -> stub.connect()).toList();
    for (var service : services) {
      stub.then(200, "{\"count\":1,\"value\":[{\"id\":7}]" + " ".repeat(BOUND / 2) + "}");
      assertThat(service.findScaleSet(RunnerGroupId.DEFAULT, "linux")).isPresent();
    }
    assertThat(LargeAnswers.OF_PROCESS.takenBytes()).isZero();
    for (var service : services) {
      stub.then(200, "{\"id\":7,\"name\":\"linux\"}");
      assertThat(service.scaleSet(ID)).isPresent();
    }
    assertThat(stub.calls()).hasSize(10).allMatch(call -> call.getConnectionIndex() < 5);
  }

  /** The library keeps such a line whole, whatever its length. */
  @Test
  void aLineBetweenChunksThatDoesNotEndIsBounded() throws Exception {
    try (var raw = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long[] sent = {0};
      var sender = Thread.ofVirtual().start(() -> sent[0] = send(raw));
      var stub = new StubService(server);
      stub.registration =
          request ->
              StubService.path(request).endsWith("/runner-registration")
                  ? stub.register("http://127.0.0.1:" + raw.getLocalPort() + "/")
                  : stub.registrationStep(request);
      var settings = stub.settings().withRetry(RetryRules.NONE).withTimeouts(Timeouts.DEFAULT);
      var failure =
          catchThrowableOfType(ServiceException.class, () -> stub.connect(settings).scaleSet(ID));
      assertThat(failure.error()).isInstanceOf(ServiceError.Unavailable.class);
      assertThat(failure).hasMessageContaining("bytes came as one answer");
      sender.join(Duration.ofSeconds(20));
      assertThat(sent[0]).isLessThan(32L << 20);
    }
  }

  private static long send(ServerSocket raw) {
    long sent = 0;
    var line = "x".repeat(65_536).getBytes(US_ASCII);
    try (var peer = raw.accept()) {
      var unused = peer.getInputStream().read(new byte[8_192]);
      var out = peer.getOutputStream();
      out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".getBytes(US_ASCII));
      while (sent < 64L << 20) {
        out.write(line);
        sent += line.length;
      }
    } catch (IOException e) {
      return sent; // the other end has had enough
    }
    return sent;
  }

  @Test
  void whoMayBeAnybodyIsAskedByHttp11() {
    var kind = new StubService(server).settings().kind();
    assertThat(HttpClients.of(kind).reads().protocols())
        .extracting(Object::toString)
        .isEqualTo(List.of("http/1.1"));
  }
}
