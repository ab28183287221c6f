package dev.runnerset.actions;

import java.util.List;
import java.util.Optional;

/**
 * The Actions service for one config URL and one set of credentials. Every call blocks, at most for
 * its timeout and its retries; safe for concurrent use; interruptible. A call without a result
 * throws {@link ServiceException}, and never one of another library. The connection registers on
 * first use, and renews its admin token once for all waiting callers (protocol 1.6, protocol 3.14).
 */
public interface ActionsService extends AutoCloseable {
  /** The runner group of that name, or empty if there is none (protocol 3.1). */
  Optional<RunnerGroupId> runnerGroup(String name);

  /** The scale set of that name in the group (protocol 3.2). */
  Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name);

  /** The scale set with its statistics, or empty if it is gone (protocol 3.3). */
  Optional<ScaleSet> scaleSet(ScaleSetId id);

  /** Creates a scale set (protocol 3.4). */
  CreateScaleSetResult createScaleSet(NewScaleSet wanted);

  /**
   * Gives a scale set this name, this group and these labels; the same values change nothing
   * (protocol 3.5). The answer is the scale set as the service has it now: some servers keep the
   * former labels.
   */
  ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted);

  /** Deletes a scale set; it is no error if the scale set is gone (protocol 3.6). */
  void deleteScaleSet(ScaleSetId id);

  /**
   * Registers a runner (protocol 3.8). A lost answer is followed by a second attempt, so {@code
   * NameTaken} may mean our own first one.
   *
   * @param workFolder empty for the runner's default
   */
  JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder);

  /** The registration with that id, or empty (protocol 3.9). */
  Optional<RunnerReference> runner(RunnerId id);

  /** The registration with that name in any scale set, or empty (protocol 3.9). */
  Optional<RunnerReference> runnerNamed(String name);

  /**
   * The registrations at the config URL, whoever made them: GitHub's public list of runners, in
   * pages of 100 (protocol 3.15). It costs a request of the REST API for each page, and one for the
   * token of an app; each of them may last as long as another call.
   *
   * @param mostPages so many pages are read at most
   */
  RunnerList runners(int mostPages);

  /**
   * The version of one runner by GitHub's public API (protocol 3.16). Empty if there is no such
   * runner, or if it never reported a version. The call can wait (protocol 5.3).
   */
  Optional<RunnerVersion> listedVersion(RunnerId id);

  /**
   * The dates until when github.com serves that version (protocol 3.16). Empty if the version was
   * never released, for example an own build. The call can wait (protocol 5.3).
   */
  Optional<VersionDates> versionDates(RunnerVersion version);

  /**
   * A workflow run (protocol 3.17). Empty if there is none that the credentials can see. A
   * repository that moved is followed. The call can wait (protocol 5.3), and costs nothing of
   * GitHub's limit while the run stays as it is.
   */
  Optional<WorkflowRun> workflowRun(RepositoryName repository, long run);

  /**
   * All executions of the jobs of a run, of all its attempts (protocol 3.17). The call can wait,
   * and sends a request for each page of 50.
   *
   * @param mostPages so many pages are read at most
   * @return empty if the run has more
   */
  Optional<List<WorkflowJob>> workflowJobs(RepositoryName repository, long run, int mostPages);

  /**
   * Begins a new attempt of a run with all jobs that failed or were cancelled (protocol 3.17). The
   * call can wait. It is sent once: after a failure only {@link #workflowRun} says whether there is
   * a new attempt.
   */
  void rerunFailedJobs(RepositoryName repository, long run);

  /** Like rerunFailedJobs(), with one job and the jobs that need it. */
  void rerunJob(RepositoryName repository, long job);

  /**
   * Whether the credentials may rerun jobs, as far as GitHub's answers have said it (protocol
   * 3.17). Empty while that is not known; never blocks.
   */
  Optional<Boolean> mayRerun();

  /**
   * Removes a registration, unless its runner has a job. Never throws {@link ServiceException}: a
   * failure is a result.
   */
  RemoveRunnerResult removeRunner(RunnerId id);

  /**
   * Opens the one message session of a scale set.
   *
   * @param owner the name of the holder, for people
   */
  OpenSessionResult openSession(ScaleSetId id, String owner);

  /**
   * The jobs that are offered to the set and that nobody has acquired (protocol 3.12); empty if the
   * service assigns jobs by itself. Messages carry new offers; this lists all that are open.
   */
  List<JobDescription> acquirableJobs(ScaleSetId id);

  /** Ends a session, whoever opened it; it is no error if the session is gone. */
  void deleteSession(ScaleSetId id, SessionId session);

  /** Frees network connections. Sessions stay open. */
  @Override
  void close();
}
