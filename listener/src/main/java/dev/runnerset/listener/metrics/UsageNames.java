package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.base.ShortText;
import dev.runnerset.listener.config.UsageRepositories;
import java.util.HashSet;
import java.util.Set;

/**
 * Under which names the jobs of one set are counted. The names come from outside, so they are cut,
 * and their number is bounded: a job that has no place counts as {@link #OTHER}, so that the sum
 * over all series is each job of the set. Safe for concurrent use.
 */
final class UsageNames {
  /** The name of all jobs whose repository is not in the list, or came too late. */
  static final String OTHER = "other";

  /** How many series by repository a set has at most. */
  static final int MOST_SERIES = 500;

  /** The longest name, in characters. */
  static final int LONGEST = 100;

  /** A name has jobs by four results, seconds of runners and seconds of queue. */
  private static final int SERIES_OF_A_NAME =
      ListenerMeter.USAGE_JOBS.definition().labels().getLast().values().size() + 2;

  private static final Name REST = new Name(OTHER, OTHER);

  private final UsageRepositories wanted;
  private final Set<Name> names = new HashSet<>(Set.of(REST)); // guarded by this

  /**
   * Whose series are counted.
   *
   * @param workflow the name of its file
   */
  record Name(String repository, String workflow) {}

  UsageNames(UsageRepositories wanted) {
    this.wanted = wanted;
  }

  /**
   * The name of the job; the first jobs of a set get names of their own, as long as there are any.
   */
  synchronized Name of(JobDescription job) {
    var repository = job.repository();
    var workflow = workflow(job.workflowRef());
    if (!wanted.list(repository) || workflow.isEmpty()) {
      return REST;
    }
    var name = new Name(ShortText.of(repository, LONGEST), ShortText.of(workflow, LONGEST));
    boolean fits = (names.size() + 1) * SERIES_OF_A_NAME <= MOST_SERIES;
    return names.contains(name) || (fits && names.add(name)) ? name : REST;
  }

  /**
   * The name of the file, as {@code ci.yml} of {@code
   * o/r/.github/workflows/ci.yml@refs/heads/main}: each branch would be a series of its own.
   */
  static String workflow(String ref) {
    int git = ref.indexOf("@refs/");
    int end = git < 0 ? ref.lastIndexOf('@') : git;
    var path = end < 0 ? ref : ref.substring(0, end);
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
