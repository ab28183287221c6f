package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunner;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The job of a runner.
 *
 * @param name as GitHub shows it; the job's id where the service sent no name
 * @param repository owner/name; empty if unknown
 * @param runUrl the page of its workflow run; empty if unknown
 * @param startedAt when the runner got it; null if unknown
 * @param result how it ended; empty while it runs
 * @param lostBy what ended its runner while it ran, as {@code node_down}; empty if it was not lost
 */
@Pure
public record JobView(
    String name,
    String repository,
    String runUrl,
    @Nullable Instant startedAt,
    String result,
    String lostBy) {
  /** The job that a runner has or had. */
  public static Optional<JobView> of(EphemeralRunner runner) {
    var status = runner.statusOrNone();
    if (!status.isBusy()) {
      return Optional.empty();
    }
    var job = status.job();
    var failure = status.failure();
    var lostBy = failure == null ? "" : Texts.line(failure.jobLostBy());
    var id = status.jobId() == null ? String.valueOf(status.requestId()) : status.jobId();
    if (job == null) {
      return Optional.of(
          new JobView(Texts.line(id), "", "", null, Texts.line(status.jobResult()), lostBy));
    }
    var repository = Texts.line(job.repository());
    return Optional.of(
        new JobView(
            Texts.line(job.displayName() == null ? id : job.displayName()),
            repository,
            runUrl(runner.getSpec().githubConfigUrl(), repository, job.workflowRunId()),
            job.startedAt(),
            Texts.line(status.jobResult()),
            lostBy));
  }

  /**
   * The page of a workflow run; empty if the repository or the run is unknown, or the URL of the
   * runner is none.
   */
  public static String runUrl(String configUrl, String repository, @Nullable Long run) {
    if (repository.isEmpty() || run == null || run <= 0) {
      return "";
    }
    try {
      var url = URI.create(configUrl.strip());
      var scheme = "http".equalsIgnoreCase(url.getScheme()) ? "http" : "https";
      return url.getRawAuthority() == null || !repository.matches("[\\w.-]+/[\\w.-]+")
          ? ""
          : scheme + "://" + host(url) + "/" + repository + "/actions/runs/" + run;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** Without a user and a password that somebody wrote into the URL. */
  private static String host(URI url) {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }
}
