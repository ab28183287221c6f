package dev.runnerset.controller.features.rerun;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.LostJob;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The lost jobs of a set, by their run. */
@Pure
final class LostRuns {
  /** A set keeps lost jobs of so many runs. */
  static final int MOST = 100;

  private LostRuns() {}

  /**
   * A workflow run.
   *
   * @param repository as the message about the job named it
   */
  record Run(String repository, long id) {
    static Run of(LostJob loss) {
      return new Run(loss.repository(), loss.workflowRunId());
    }
  }

  /** Of each run, its lost jobs by the name of their runner. */
  static Map<Run, Map<String, LostJob>> of(Map<String, LostJob> losses) {
    return losses.entrySet().stream()
        .collect(
            Collectors.groupingBy(
                loss -> Run.of(loss.getValue()),
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a, TreeMap::new)));
  }

  /** Whether there is a place for one more. */
  static boolean hasRoom(Map<String, LostJob> losses, LostJob another) {
    var runs = of(losses).keySet();
    return runs.size() < MOST || runs.contains(Run.of(another));
  }
}
