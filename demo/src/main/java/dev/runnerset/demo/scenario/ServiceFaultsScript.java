package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.FaultPlan.StatisticsFault;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.HttpFault.Body;
import dev.runnerset.simulator.service.OddAnswers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Jobs come in a steady stream while the service goes wrong in each way that it has, one after the
 * other (protocol 7.5); then it is well again, and so is the set: no job is lost.
 */
final class ServiceFaultsScript {
  private static final Duration EACH = Duration.ofSeconds(4);
  private static final Duration JOB = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int MANY = -1;
  private static final double SOME = 0.3;
  private static final String SESSION_GONE = "a session that is gone";
  private static final String TOKENS_ENDED = "tokens that end before their time";
  private static final String ODD_SESSIONS = "sessions without queue, token or statistics";

  private final World world;
  private final Progress progress;
  private final Found found;

  ServiceFaultsScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  /** What goes wrong, by what a reader of the progress is shown. */
  private static Map<String, FaultPlan> faults() {
    var none = FaultPlan.NONE;
    var faults = new LinkedHashMap<String, FaultPlan>();
    faults.put("500 at some calls", http(HttpFault.answer("*", 500, MANY).withShare(SOME)));
    faults.put("503 of a gateway", http(HttpFault.gateway("*", 503).withShare(SOME)));
    faults.put(
        "429 with Retry-After",
        http(HttpFault.answer("generatejitconfig", 429, 1).withRetryAfter(Duration.ofSeconds(1))));
    faults.put("429 without", http(HttpFault.answer("generatejitconfig", 429, 3)));
    faults.put("no answer to JIT configs", http(HttpFault.hang("generatejitconfig")));
    faults.put("no answer to polls", http(HttpFault.hang("getMessage")));
    faults.put("lost answers to JIT configs", http(HttpFault.lostReply("generatejitconfig", 2)));
    faults.put("lost answers to acknowledgements", http(HttpFault.lostReply("deleteMessage", 2)));
    faults.put(
        "the token of the queue refused",
        http(HttpFault.answer("getMessage", 401, 1), HttpFault.answer("deleteMessage", 401, 1)));
    faults.put(SESSION_GONE, none);
    faults.put(TOKENS_ENDED, none);
    faults.put(
        "400 to a poll, in plain text",
        http(HttpFault.answer("getMessage", 400, 1).withBody(Body.TEXT)));
    faults.put("the admin token refused", http(HttpFault.answer("generatejitconfig", 401, 1)));
    faults.put(
        "an exception within another answer",
        http(
            HttpFault.answer("getMessage", 404, 1)
                .withException("RunnerAdminException")
                .withBody(Body.NESTED)));
    faults.put(
        "an error without a content type",
        http(HttpFault.answer("generatejitconfig", 500, 2).withBody(Body.NO_CONTENT_TYPE)));
    faults.put("byte order marks", none.withByteOrderMark(true));
    faults.put("every event twice", none.withDuplicated(1));
    faults.put("lost JobAssigned", none.withDropped("JobAssigned", 1));
    faults.put("lost JobStarted", none.withDropped("JobStarted", SOME));
    faults.put("no statistics", none.withStatistics(StatisticsFault.NULL));
    faults.put("statistics of zeros", none.withStatistics(StatisticsFault.ZERO));
    faults.put("statistics that are too high", none.withStatistics(StatisticsFault.INFLATED));
    faults.put("runners that linger", none.withLinger(Duration.ofSeconds(2)));
    faults.put("messages with odd elements", none.withOdd(new OddAnswers(0, 0, 0, 1, 0)));
    faults.put("messages that cannot be read", none.withOdd(new OddAnswers(0, 0, 0, 0, SOME)));
    faults.put(ODD_SESSIONS, none.withOdd(new OddAnswers(SOME, SOME, SOME, 0, 0)));
    return faults;
  }

  Found run(int runners) {
    world.begin(0, runners);
    var usual = world.service().faults();
    var faults = faults();
    var whole = EACH.multipliedBy(faults.size());
    int jobs = (int) whole.toSeconds() * 2;
    progress.step(
        jobs + " jobs of 3 s over " + whole.toSeconds() + " s, under " + faults.size() + " faults");
    world.submitSpread(jobs, JOB, whole);
    faults.forEach((name, plan) -> {
      progress.step("now: " + name);
      world.service().faults(plan);
      begin(name);
      world.pass(EACH);
    });
    progress.step("the service is well again");
    world.service().faults(usual);
    var at = world.now();
    world.awaitJobsDone(PATIENCE);
    long done = Duration.between(at, world.now()).toMillis();
    world.settle(Duration.ofSeconds(60), this::isWell);
    found
        .note("faults", (long) faults.size())
        .atMost("doneAfterMs", "all-done-within-ms-of-the-end", 90_000, done)
        .isTrue("well", "set-is-well-at-the-end", isWell());
    world.awaitNoRunners(PATIENCE);
    return found;
  }

  /** What no plan of faults does: it happens once. */
  private void begin(String name) {
    var service = world.service();
    switch (name) {
      case SESSION_GONE, ODD_SESSIONS ->
          service.scaleSets().forEach(set -> service.freeSession(set.id()));
      case TOKENS_ENDED -> service.endTokens();
      default -> {}
    }
  }

  private boolean isWell() {
    return world.readyMessage().startsWith("Ready=True");
  }

  private static FaultPlan http(HttpFault... faults) {
    return FaultPlan.NONE.withHttp(faults);
  }
}
