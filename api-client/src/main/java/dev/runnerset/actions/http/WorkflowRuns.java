package dev.runnerset.actions.http;

import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Calls about workflow runs (protocol 3.17). A run that was read before is asked for by its ETag:
 * GitHub counts no answer that says that nothing changed. Thread-safe.
 */
final class WorkflowRuns {
  /** Jobs have their steps with them, so that a page of them is long. */
  static final int PAGE = 50;

  private static final int KNOWN = 500;

  private final GitHubApi api;

  /** The last answer for each URL, the one that was asked for last at the end. */
  private final Map<HttpUrl, Known> lastByUrl = // guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<HttpUrl, Known> eldest) {
          return size() > KNOWN;
        }
      };

  private record Known(String etag, WorkflowRun run) {}

  WorkflowRuns(GitHubApi api) {
    this.api = api;
  }

  /** A run; empty if the token sees none. */
  Optional<WorkflowRun> run(String bearer, RepositoryName repository, long run) {
    var url = api.at(Endpoint.RUN.path(repository, run));
    var last = last(url);
    var answer = api.send(Endpoint.RUN, url, bearer, last == null ? null : last.etag());
    return last != null && answer.is(304)
        ? Optional.of(last.run())
        : answer.unlessGone().map(found -> remembered(url, found, repository));
  }

  private @Nullable Known last(HttpUrl url) {
    synchronized (lastByUrl) {
      return lastByUrl.get(url);
    }
  }

  private WorkflowRun remembered(HttpUrl url, Answer answer, RepositoryName asked) {
    var run = answer.content(Wire.Run.class).toRun(asked);
    if (answer.etag() != null) {
      synchronized (lastByUrl) {
        lastByUrl.put(url, new Known(answer.etag(), run));
      }
    }
    return run;
  }

  /** All executions of its jobs; empty if they are on more pages. */
  Optional<List<WorkflowJob>> jobs(
      String bearer, RepositoryName repository, long run, int mostPages) {
    var jobs = new ArrayList<WorkflowJob>();
    for (int number = 1; number <= mostPages; number++) {
      var url =
          api.at(Endpoint.RUN_JOBS.path(repository, run))
              .newBuilder()
              .addQueryParameter("filter", "all")
              .addQueryParameter("per_page", Integer.toString(PAGE))
              .addQueryParameter("page", Integer.toString(number))
              .build();
      var page = api.send(Endpoint.RUN_JOBS, url, bearer, null).page(Wire.Job.class);
      var read = page.value() == null ? List.<Wire.Job>of() : page.value();
      read.forEach(job -> jobs.add(job.toJob()));
      if (read.size() < PAGE || jobs.size() >= page.count()) {
        return Optional.of(jobs);
      }
    }
    return Optional.empty();
  }

  /** A new attempt with all jobs that failed. */
  void rerunFailedJobs(String bearer, RepositoryName repository, long run) {
    change(Endpoint.RERUN_FAILED_JOBS, bearer, repository, run);
  }

  /** A new attempt with one job. */
  void rerunJob(String bearer, RepositoryName repository, long job) {
    change(Endpoint.RERUN_JOB, bearer, repository, job);
  }

  private void change(Endpoint endpoint, String bearer, RepositoryName repository, long id) {
    var _ = api.send(endpoint, api.at(endpoint.path(repository, id)), bearer, null).success();
  }
}
