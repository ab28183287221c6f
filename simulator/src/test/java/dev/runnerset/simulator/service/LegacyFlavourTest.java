package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.testsupport.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How jobs are offered, acquired and assigned by a service of the legacy flavour (protocol 7.2).
 */
final class LegacyFlavourTest {

  /**
   * Steps and what they answer. The set A and the set B may run any job; jobs are counted from 1.
   *
   * <ul>
   *   <li>{@code job} queues one, {@code cancel 1} cancels it, {@code pass 300} lets seconds pass
   *   <li>{@code A?} polls with the capacity 0 and acknowledges: the first letters of the events
   *       with their job: oFfered, Assigned, Started, Completed
   *   <li>{@code A+1,2} acquires: the jobs won
   *   <li>{@code A=} lists what can be acquired
   *   <li>{@code A#} the statistics: available, acquired, assigned, running
   *   <li>{@code A!} a runner of the set takes a job, {@code A.} ends it, {@code A-} deletes the
   *       set
   *   <li>{@code legacy} and {@code broker} change the server, {@code A~} opens a session again
   * </ul>
   */
  record Row(String rule, LegacyRules rules, String steps, String answers) {
    Row(String rule, String steps, String answers) {
      this(rule, LegacyRules.DEFAULT, steps, answers);
    }

    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Row> rows() {
    var rules = LegacyRules.DEFAULT;
    var slow = rules.withAssignDelay(Duration.ofSeconds(5));
    return Stream.of(
        new Row("a job is offered to every set that may run it", "job A? B?", "o1 | o1"),
        new Row("an offer comes once", "job A? A?", "o1 |"),
        new Row("the capacity limits no offer", "job job A?", "o1 o2"),
        new Row("who acquires first has the job", "A+1 job A+1 B+1", "| 1 |"),
        new Row("a set wins what nobody has", "job job job B+2 A+1,2,3", "2 | 1,3"),
        new Row("a set wins a job once", "job A+1 A+1", "1 |"),
        new Row("a job named twice is won once", "job A+1,1", "1"),
        new Row("nothing is asked for", "job A+", ""),
        new Row("an acquired job is assigned", "job A+1 A?", "1 | o1 a1"),
        new Row("nothing is said to the others", "job A+1 B?", "1 | o1"),
        new Row(
            "what can be acquired is listed", "A= job job A= A+1 A= B=", "204 | 1,2 | 1 | 2 | 2"),
        new Row("available jobs are counted by each set", "job A# B#", "1/0/0/0 | 1/0/0/0"),
        new Row("assigned ones by their set", "job A+1 A# B#", "1 | 0/0/1/0 | 0/0/0/0"),
        new Row("acquired ones apart", slow, "job A+1 A#", "1 | 0/1/0/0"),
        new Row(
            "or among the assigned ones",
            slow.withAcquiredInAssigned(true),
            "job A+1 A#",
            "1 | 0/1/1/0"),
        new Row("before the delay", slow, "job A+1 pass 4 A? A#", "1 | o1 | 0/1/0/0"),
        new Row("after the delay", slow, "job A+1 pass 5 A? A#", "1 | o1 a1 | 0/0/1/0"),
        new Row(
            "running and ended", "job A+1 A! A# A. A? A#", "1 | 0/0/1/1 | o1 a1 s1 c1 | 0/0/0/0"),
        new Row("none is won", rules.withWon(0), "job job A+1,2 A# A=", "| 2/0/0/0 | 1,2"),
        new Row("a part is won", rules.withWon(1 / 2.0), "job job job job A+1,2,3,4", "4"),
        new Row(
            "not taken for 5 min: canceled",
            "job A+1 A? pass 300 A? A#",
            "1 | o1 a1 | c1 | 0/0/0/0"),
        new Row("just before that", "job A+1 A? pass 299 A?", "1 | o1 a1 |"),
        new Row(
            "and offered again to all 15 s later",
            "job A+1 A? B? pass 315 A? B? B+1",
            "1 | o1 a1 | o1 | c1 o1 | o1 | 1"),
        new Row("a cancelled offer", "job A? cancel 1 A+1 A#", "o1 | | 0/0/0/0"),
        new Row(
            "a cancelled acquisition",
            slow,
            "job A+1 A? cancel 1 A? pass 9 A? A#",
            "1 | o1 | c1 | | 0/0/0/0"),
        new Row(
            "a set goes: acquired jobs are offered again",
            slow,
            "job A+1 B? A- B? B+1",
            "1 | o1 | o1 | 1"),
        new Row("and assigned ones", "job A+1 B? A- B? B+1 B#", "1 | o1 | o1 | 1 | 0/0/1/0"),
        new Row("a new server offers what waits", "broker job legacy A~ A? A+1", "o1 | 1"),
        new Row("an old one assigns it", "job broker A~ A# legacy A~ A?", "1/0/0/0 | o1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void handsOut(Row row) {
    var play = new Play(row.rules());
    assertThat(play.all(row.steps())).isEqualTo(row.answers());
  }

  record Answer(Flavour flavour, String call, String token, String answer) {}

  /** Calls about the set A, whose session ended because the server changed. */
  static Stream<Answer> answers() {
    return Stream.of(
        new Answer(Flavour.LEGACY, "PATCH /sessions/ID", "admin", "400 SessionExpired"),
        new Answer(Flavour.LEGACY, "DELETE /sessions/ID", "admin", "400 SessionExpired"),
        new Answer(Flavour.BROKER, "PATCH /sessions/ID", "admin", "404 RunnerAdmin"),
        new Answer(Flavour.BROKER, "DELETE /sessions/ID", "admin", "404 RunnerAdmin"),
        new Answer(Flavour.LEGACY, "GET /messages", "queue", "401"),
        new Answer(Flavour.LEGACY, "POST /acquirejobs", "queue", "401"),
        new Answer(Flavour.LEGACY, "POST /acquirejobs", "admin", "401"),
        new Answer(Flavour.LEGACY, "GET /acquirablejobs", "admin", "204"),
        new Answer(Flavour.LEGACY, "GET /acquirablejobs", "queue", "401"),
        new Answer(Flavour.BROKER, "GET /messages", "queue", "404"),
        new Answer(Flavour.BROKER, "POST /acquirejobs", "queue", "404"),
        new Answer(Flavour.BROKER, "GET /acquirablejobs", "admin", "404"),
        new Answer(Flavour.LEGACY, "DELETE ", "admin", "204"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void answersByFlavour(Answer row) {
    var play = new Play(LegacyRules.DEFAULT);
    var session = play.sessions.get("A").get("sessionId").asText();
    play.control.flavour(row.flavour());
    var call = row.call().replace("ID", session).split(" ", -1);
    var path = play.path("A") + call[1];
    var answer =
        row.token().equals("queue")
            ? play.queue("A", call[0], path, "[]")
            : play.admin(call[0], path, "[]");
    var type = answer.path("typeKey").asText().replaceAll("RunnerScaleSet|Exception", "");
    assertThat((play.status + " " + type).strip()).isEqualTo(row.answer());
  }

  @Test
  void aSecondSessionConflictsWithTheOwnerOfTheFirst() {
    var play = new Play(LegacyRules.DEFAULT);
    var answer = play.admin("POST", play.path("A") + "/sessions", "{\"ownerName\":\"other\"}");
    assertThat(answer.get("message").asText())
        .isEqualTo("The runner scale set A already has an active session for owner me.");
  }

  @Test
  void idsBeginSmallAgainOnALegacyServerAndLargeOnABroker() {
    var play = new Play(LegacyRules.DEFAULT);
    play.all("job A? job");
    assertThat(play.envelope("A").get("messageId").asLong()).isEqualTo(2);
    play.all("broker A~");
    assertThat(play.envelope("A").get("messageId").asLong()).isEqualTo(100_000_001);
    play.all("legacy A~");
    assertThat(play.envelope("A").get("messageId").asLong()).isEqualTo(1);
  }

  @Test
  void eachAttemptOfAJobHasOnePositiveRequestId() {
    var play = new Play(LegacyRules.DEFAULT);
    play.all("job A+1");
    var ids = play.inner(play.envelope("A")).map(e -> e.get("runnerRequestId").asLong()).toList();
    assertThat(ids).hasSize(2).containsOnly(play.jobs.getFirst());
    assertThat(ids.getFirst()).isPositive();
  }

  @Test
  void onlyTheFirstLabelIsKeptWhereServersKeepOne() {
    var play = new Play(LegacyRules.DEFAULT.withFirstLabelOnly(true));
    var body = "{\"name\":\"n\",\"labels\":[{\"name\":\"x\"},{\"name\":\"y\"}]}";
    assertThat(play.admin("POST", Play.SETS, body).at("/labels").findValuesAsText("name"))
        .containsExactly("x");
  }

  /** A service without sockets, with two sets and a session of each. */
  private static final class Play {
    static final String SETS = "/_services/pipelines/x/_apis/runtime/runnerscalesets";
    final TestClock clock = new TestClock();
    final List<Long> jobs = new ArrayList<>();
    private final Service service;
    private final Control control;
    private final String token;
    private final Map<String, ScaleSet> sets = new TreeMap<>();
    private final Map<String, JsonNode> sessions = new TreeMap<>();
    private int status;

    Play(LegacyRules rules) {
      var options =
          Options.accepting("pat")
              .withFlavour(Flavour.LEGACY)
              .withTimings(Timings.defaults().withMessagePoll(Duration.ZERO));
      var next = new long[1];
      service = new Service(options, clock, () -> new UUID(0, ++next[0]));
      control = new Control(service);
      control.faults(FaultPlan.NONE.withLegacy(rules));
      token = login();
      for (var name : List.of("A", "B")) {
        var body = "{\"name\":\"%s\",\"labels\":[{\"name\":\"x\"}]}".formatted(name);
        sets.put(name, service.state.sets.get(admin("POST", SETS, body).get("id").asInt()));
        open(name);
      }
    }

    private String login() {
      var runners = "/api/v3/orgs/o/actions/runners/registration-token";
      var registration = call("POST", runners, "Bearer pat", "").get("token").asText();
      var body = "{\"url\":\"http://x/o\"}";
      var path = "/api/v3/actions/runner-registration";
      return call("POST", path, "RemoteAuth " + registration, body).get("token").asText();
    }

    JsonNode admin(String method, String path, String body) {
      return call(method, path, "Bearer " + token, body);
    }

    private JsonNode queue(String set, String method, String path, String body) {
      var queueToken = sessions.get(set).get("messageQueueAccessToken").asText();
      return call(method, path, "Bearer " + queueToken, body);
    }

    private JsonNode call(String method, String url, String authorization, String body) {
      var request =
          PlayedRequest.of(
              method,
              url,
              Map.of("authorization", authorization, "x-scalesetmaxcapacity", "0"),
              body);
      var reply = service.answer(request);
      status = reply.status();
      return Json.parse(reply.body());
    }

    /** Opens a session, whoever has one. */
    private void open(String set) {
      control.freeSession(sets.get(set).id);
      sessions.put(set, admin("POST", path(set) + "/sessions", "{\"ownerName\":\"me\"}"));
    }

    private String path(String set) {
      return SETS + "/" + sets.get(set).id;
    }

    /** The first message, with whatever statistics come before events. */
    JsonNode envelope(String set) {
      return queue(set, "GET", sessions.get(set).get("messageQueueUrl").asText(), "");
    }

    Stream<JsonNode> inner(JsonNode envelope) {
      var body = Json.parse(envelope.get("body").asText().getBytes(StandardCharsets.UTF_8));
      return StreamSupport.stream(body.spliterator(), false);
    }

    String all(String steps) {
      var words = new ArrayList<>(List.of(steps.split(" ")));
      var answers = new ArrayList<String>();
      while (!words.isEmpty()) {
        step(words).ifPresent(answers::add);
      }
      return String.join(" | ", answers).replace("|  |", "| |").strip();
    }

    private Optional<String> step(List<String> words) {
      var word = words.removeFirst();
      switch (word) {
        case "job" -> {
          var id = control.submit(JobRequest.of(1, "x", Duration.ofSeconds(1))).getFirst();
          jobs.add(service.state.jobs.get(id).number);
        }
        case "cancel" -> control.cancel(job(words.removeFirst()).id);
        case "pass" -> {
          clock.advance(Duration.ofSeconds(Long.parseLong(words.removeFirst())));
          control.tick();
        }
        case "legacy", "broker" -> control.flavour(Flavour.valueOf(word.toUpperCase()));
        default -> {
          return of(word.substring(0, 1), word.charAt(1), word.substring(2));
        }
      }
      return Optional.empty();
    }

    private Optional<String> of(String set, char what, String arguments) {
      return switch (what) {
        case '?' -> Optional.of(events(set));
        case '+' -> Optional.of(acquire(set, arguments));
        case '=' -> Optional.of(acquirable(set));
        case '#' -> Optional.of(statistics(sets.get(set)));
        default -> {
          act(set, what);
          yield Optional.empty();
        }
      };
    }

    private void act(String set, char what) {
      var now = clock.instant();
      switch (what) {
        case '~' -> open(set);
        case '-' -> control.deleteScaleSet(sets.get(set).id);
        case '!' -> {
          var runner = service.runners.register("r", sets.get(set), 0, false, now);
          service.runners.move(runner, Runner.State.IDLE);
          service.flow.offerTo(runner, now);
          service.flow.start(runner.job, runner, now);
        }
        default -> {
          var runner = service.runners.all().iterator().next();
          service.flow.complete(runner.job, runner, "succeeded", now);
        }
      }
    }

    private String events(String set) {
      if (!service.state.sets.containsValue(sets.get(set))) {
        return "gone";
      }
      open(set);
      var seen = new ArrayList<String>();
      for (var message = envelope(set); status == 200; message = envelope(set)) {
        inner(message).map(this::event).forEach(seen::add);
        sets.get(set).queue.delete(message.get("messageId").asLong());
      }
      return String.join(" ", seen);
    }

    private String event(JsonNode event) {
      var type = event.get("messageType").asText();
      var letter = type.equals("JobAvailable") ? "o" : type.substring(3, 4).toLowerCase();
      return letter + (jobs.indexOf(event.get("runnerRequestId").asLong()) + 1);
    }

    private String acquire(String set, String numbers) {
      var ids =
          Arrays.stream(numbers.split(","))
              .filter(n -> !n.isEmpty())
              .map(n -> Integer.parseInt(n) > jobs.size() ? "0" : "" + job(n).number)
              .collect(Collectors.joining(",", "[", "]"));
      open(set);
      return numbers(queue(set, "POST", path(set) + "/acquirejobs", ids).get("value"));
    }

    private String acquirable(String set) {
      var list = admin("GET", path(set) + "/acquirablejobs", "");
      return status == 204
          ? "204"
          : list.get("value").findValuesAsText("runnerRequestId").stream()
              .map(id -> "" + (jobs.indexOf(Long.valueOf(id)) + 1))
              .collect(Collectors.joining(","));
    }

    private String numbers(JsonNode ids) {
      return StreamSupport.stream(ids.spliterator(), false)
          .map(id -> "" + (jobs.indexOf(id.asLong()) + 1))
          .collect(Collectors.joining(","));
    }

    private Job job(String number) {
      var wanted = jobs.get(Integer.parseInt(number) - 1);
      return service.state.jobs.values().stream()
          .filter(j -> j.number == wanted)
          .findFirst()
          .orElseThrow();
    }

    private String statistics(ScaleSet set) {
      var s = service.state.statistics(set);
      return s.available() + "/" + s.acquired() + "/" + s.assigned() + "/" + s.running();
    }
  }
}
