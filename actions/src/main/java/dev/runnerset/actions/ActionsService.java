package dev.runnerset.actions;

import java.util.Optional;

/**
 * The Actions service for one config URL and one set of credentials. Every call blocks, at most for
 * its timeout and its retries; safe for concurrent use; interruptible. What is not an answer is a
 * {@link ServiceException}. The admin connection behind it is made on first use and renewed by
 * itself, once for all waiting callers (protocol 1.6, protocol 3.14).
 */
public interface ActionsService extends AutoCloseable {
  /** The runner group of that name, or empty if there is none (protocol 3.1). */
  Optional<RunnerGroupId> runnerGroup(String name);

  /** The scale set of that name in the group (protocol 3.2). */
  Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name);

  /** The scale set with its statistics, or empty if it is gone (protocol 3.3). */
  Optional<ScaleSet> scaleSet(ScaleSetId id);

  /** Makes a scale set (protocol 3.4). */
  CreateScaleSetResult createScaleSet(NewScaleSet wanted);

  /**
   * Gives a scale set this name, this group and these labels; the same values change nothing
   * (protocol 3.5). The answer is what the service has now: some servers keep the labels as they
   * were.
   */
  ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted);

  /** Deletes a scale set; one that is gone is no error (protocol 3.6). */
  void deleteScaleSet(ScaleSetId id);

  /**
   * Registers a runner (protocol 3.8). Retried on a lost answer, so that {@code NameTaken} can mean
   * our own first attempt.
   *
   * @param workFolder empty for the runner's default
   */
  JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder);

  /** The registration, or empty (protocol 3.9). */
  Optional<RunnerReference> runner(RunnerId id);

  /** The registration of that name, of whatever scale set, or empty (protocol 3.9). */
  Optional<RunnerReference> runnerNamed(String name);

  /** Removes a registration that has no job. Never throws {@link ServiceException}. */
  RemoveRunnerResult removeRunner(RunnerId id);

  /**
   * Opens the one message session of a scale set.
   *
   * @param owner who holds it, for people
   */
  OpenSessionResult openSession(ScaleSetId id, String owner);

  /** Ends a session that this process may not hold; one that is gone is no error. */
  void deleteSession(ScaleSetId id, SessionId session);

  /** Frees connections. Does not end sessions. */
  @Override
  void close();
}
