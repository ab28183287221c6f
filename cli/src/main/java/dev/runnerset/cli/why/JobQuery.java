package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Event;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which job is meant.
 *
 * @param run the id of its workflow run; null if a name is meant
 * @param name the name or the id of the job; empty if a run is meant
 */
@Pure
public record JobQuery(@Nullable Long run, String name) {
  private static final Pattern RUN =
      Pattern.compile("(?:.*/actions/runs/)?(\\d{1,18})(?:[/?#].*)?");

  /** As people write it: the URL of the run, its id, or the name of the job. */
  public static JobQuery of(String text) {
    var run = RUN.matcher(text.strip());
    return run.matches()
        ? new JobQuery(Long.valueOf(run.group(1)), "")
        : new JobQuery(null, text.strip());
  }

  /** Whether that runner has or had the job. */
  boolean matches(EphemeralRunner runner) {
    var status = runner.statusOrNone();
    var job = status.job();
    if (run != null) {
      return job != null && run.equals(job.workflowRunId());
    }
    return name.equals(status.jobId()) || (job != null && name.equals(job.displayName()));
  }

  /** Whether a lost job of that run is meant. */
  boolean matches(long lostRun) {
    return run != null && run == lostRun;
  }

  /** Whether an event names it. */
  boolean matches(Event event) {
    var message = Objects.requireNonNullElse(event.getMessage(), "");
    return run != null
        ? Pattern.compile("/actions/runs/" + run + "\\b").matcher(message).find()
        : !name.isEmpty()
            && Pattern.compile("\\b\\Q" + name + "\\E(?!\\w)").matcher(message).find();
  }

  /** For a sentence. */
  public String words() {
    return run != null ? "job of the workflow run " + run : "job '" + name + "'";
  }
}
