package dev.runnerset.e2e.chaos;

import dev.runnerset.demo.progress.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a set says of itself is true, look by look. Three things are held against it: that
 * it is well while a job waits for longer than the bar; numbers of jobs that were last so before
 * the bar, while it reports no problem; and a problem that is not there. While nobody can read the
 * set it says nothing; from its next word on it has the bar again. Knows no clock.
 */
final class Truth {
  /** What a set says. */
  record Said(boolean well, List<String> problems, int assigned, int running) {}

  /**
   * What is so.
   *
   * @param jobs all there were
   */
  record Facts(List<Job> jobs) {
    /** When the job that waits for the longest time was queued. */
    Optional<Instant> oldestWaiting() {
      return jobs.stream()
          .filter(j -> j.started() == null && j.ended() == null)
          .map(Job::queued)
          .filter(Objects::nonNull)
          .min(Instant::compareTo);
    }

    /** When the numbers of jobs were last so; empty if they never were, up to that moment. */
    Optional<Instant> lastSo(int assigned, int running, Instant now) {
      var changes = new TreeMap<Instant, int[]>();
      for (var job : jobs) {
        change(changes, job.assigned(), 1, 0);
        change(changes, job.started(), 0, 1);
        change(
            changes, job.ended(), job.assigned() == null ? 0 : -1, job.started() == null ? 0 : -1);
      }
      int a = 0;
      int r = 0;
      Instant last = null;
      for (var each : changes.entrySet()) {
        last = a == assigned && r == running ? each.getKey() : last;
        a += each.getValue()[0];
        r += each.getValue()[1];
      }
      return a == assigned && r == running ? Optional.of(now) : Optional.ofNullable(last);
    }

    private static void change(
        Map<Instant, int[]> changes, @Nullable Instant at, int assigned, int running) {
      if (at != null) {
        var sum = changes.computeIfAbsent(at, t -> new int[2]);
        sum[0] += assigned;
        sum[1] += running;
      }
    }
  }

  /** When what happened to a job; null where it did not. */
  record Job(
      @Nullable Instant queued,
      @Nullable Instant assigned,
      @Nullable Instant started,
      @Nullable Instant ended) {}

  private record Numbers(int assigned, int running) {}

  /** A message may tell of a moment within a change; a later one follows. */
  private static final Duration STANDS = Duration.ofSeconds(10);

  private Duration bar = ChaosFault.BAR;
  private Pattern may = Pattern.compile("(?!)");
  private Instant mayUntil = Instant.MAX;
  private @Nullable Instant readableSince;
  private @Nullable Instant unreadableSince;
  private @Nullable Instant wellSince;
  private Numbers reported = new Numbers(0, 0);
  private Instant reportedSince = Instant.EPOCH;
  private Duration oldest = Duration.ZERO;
  private Duration longestWait = Duration.ZERO;
  private Duration unreadable = Duration.ZERO;
  private final Map<String, String> untrueByForm = new TreeMap<>();

  /** From now on those problems are true that match; what was found before is forgotten. */
  void expect(Pattern problems, Duration within) {
    may = problems;
    mayUntil = Instant.MAX;
    bar = within;
    oldest = Duration.ZERO;
    longestWait = Duration.ZERO;
    unreadable = Duration.ZERO;
    untrueByForm.clear();
  }

  /** Those problems are true until then. */
  void endAt(Instant at) {
    mayUntil = at;
  }

  /** Looks once; {@code said} is empty if nobody could read the set. */
  void observe(Instant at, Optional<Said> said, Facts facts) {
    if (said.isEmpty()) {
      readableSince = null;
      wellSince = null;
      unreadableSince = unreadableSince == null ? at : unreadableSince;
      unreadable = longer(unreadable, Duration.between(unreadableSince, at));
      return;
    }
    unreadableSince = null;
    readableSince = readableSince == null ? at : readableSince;
    judge(at, readableSince, said.get(), facts);
  }

  private void judge(Instant at, Instant readable, Said said, Facts facts) {
    wellSince = !said.well() ? null : wellSince == null ? at : wellSince;
    if (wellSince != null && facts.oldestWaiting().isPresent()) {
      var waits = Duration.between(Times.later(facts.oldestWaiting().get(), wellSince), at);
      longestWait = longer(longestWait, waits);
      if (waits.compareTo(bar) > 0) {
        note("it says that it is well while a job waits for longer than " + bar.toSeconds() + " s");
      }
    }
    var age = age(at, readable, new Numbers(said.assigned(), said.running()), facts);
    if (said.problems().isEmpty()) {
      oldest = longer(oldest, age);
      if (age.compareTo(bar) > 0) {
        note("it says numbers of jobs that are older than " + bar.toSeconds() + " s");
      }
    }
    for (var problem : said.problems()) {
      if (!may.matcher(problem).find() || at.isAfter(mayUntil)) {
        note("it tells of what is not there: " + problem);
      }
    }
  }

  /** What differs in names and numbers alone is noted once. */
  private void note(String words) {
    untrueByForm.putIfAbsent(words.replaceAll("\\S*\\d\\S*", "#"), words);
  }

  /** How long ago these numbers were last so; zero while they have not stood for long. */
  private Duration age(Instant at, Instant readable, Numbers numbers, Facts facts) {
    if (!numbers.equals(reported)) {
      reported = numbers;
      reportedSince = at;
    }
    if (at.isBefore(reportedSince.plus(STANDS))) {
      return Duration.ZERO;
    }
    var last = facts.lastSo(numbers.assigned(), numbers.running(), at).orElse(reportedSince);
    return Duration.between(Times.later(last, readable), at);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** What it said that was not true, since the expectation last changed. */
  List<String> untrue() {
    return List.copyOf(untrueByForm.values());
  }

  /** How old the numbers were at most. */
  Duration oldestNumbers() {
    return oldest;
  }

  /** How long a job waited at most while the set said that it was well. */
  Duration longestWait() {
    return longestWait;
  }

  /** For how long nobody could read it at most. */
  Duration unreadable() {
    return unreadable;
  }
}
