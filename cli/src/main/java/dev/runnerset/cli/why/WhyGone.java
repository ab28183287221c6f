package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.LostJob;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What became of runners and jobs without an object in the cluster. */
@Pure
public final class WhyGone {
  private static final String KEEP =
      "To keep failed runners with their black box for longer: spec.retention of the set"
          + " (docs/operate/retention.md)";

  private WhyGone() {}

  /**
   * What events and sets still say of a runner that is gone.
   *
   * @param events of its namespace
   * @return empty if nothing is left of it
   */
  public static Optional<Explanation> ofRunner(
      String namespace, String name, List<AutoScalingRunnerSet> sets, Collection<Event> events) {
    var about = events.stream().filter(event -> isAbout(event, name)).toList();
    var lost =
        sets.stream()
            .flatMap(set -> Stream.ofNullable(set.statusOrNone().lostJobs().get(name)))
            .findFirst();
    if (about.isEmpty() && lost.isEmpty()) {
      return Optional.empty();
    }
    var facts = new ArrayList<>(Facts.ofEvents(about).toList());
    lost.ifPresent(job -> facts.add(fact(job)));
    var last =
        about.stream()
            .filter(event -> EventReason.JOB_LOST.word().equals(event.getReason()))
            .findFirst()
            .map(event -> Texts.line(event.getMessage()))
            .or(() -> lost.map(WhyGone::words))
            .orElseGet(() -> facts.stream().max(Fact.BY_TIME).map(Fact::text).orElse(""));
    return Optional.of(
        Explanation.of(
            "runner " + namespace + "/" + name,
            "%s/%s is gone: %s".formatted(namespace, name, last),
            facts,
            List.of(KEEP)));
  }

  private static boolean isAbout(Event event, String name) {
    var about = event.getInvolvedObject();
    return (about != null && name.equals(about.getName()))
        || Objects.requireNonNullElse(event.getMessage(), "")
            .matches("(?s).*\\b\\Q" + name + "\\E(?![\\w-]).*");
  }

  /** Jobs that were lost according to their set, with a runner that is gone. */
  static Stream<Explanation> ofLostJobs(
      AutoScalingRunnerSet set, JobQuery query, Collection<String> kept) {
    return set.statusOrNone().lostJobs().entrySet().stream()
        .filter(entry -> query.matches(entry.getValue().workflowRunId()))
        .filter(entry -> !kept.contains(entry.getKey()))
        .map(entry ->
            Explanation.of(
                "job of the run " + entry.getValue().workflowRunId(),
                "%s with the runner %s/%s, which is gone."
                    .formatted(
                        words(entry.getValue()),
                        SetName.of(set).namespace(),
                        Texts.line(entry.getKey())),
                List.of(fact(entry.getValue())),
                List.of(KEEP)));
  }

  /** What events say of a job; empty if none names it. */
  static Optional<Explanation> ofEvents(JobQuery query, Collection<Event> events) {
    var about = events.stream().filter(query::matches).toList();
    var facts = Facts.ofEvents(about).distinct().toList();
    return facts.stream()
        .max(Fact.BY_TIME)
        .map(last ->
            Explanation.of(
                query.words(),
                "No runner of the "
                    + query.words()
                    + " is left; the last event about it says: "
                    + last.text(),
                facts,
                List.of(KEEP)));
  }

  private static Fact fact(LostJob job) {
    return new Fact(job.lostAt(), "lost job", words(job));
  }

  private static String words(LostJob job) {
    var again =
        job.rerunAttempt() == null
            ? ""
            : ", and attempt " + job.rerunAttempt() + " of it is asked for";
    return "A job of the run %d of %s was lost (%s)%s"
        .formatted(
            job.workflowRunId(), Texts.line(job.repository()), Texts.line(job.cause()), again);
  }
}
