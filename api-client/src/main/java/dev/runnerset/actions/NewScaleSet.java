package dev.runnerset.actions;

import java.util.List;

/**
 * A scale set to be made; updates of the runner are always off, since the image decides the
 * version.
 *
 * @param labels all labels of the set, its own name included; none means its name alone
 */
public record NewScaleSet(String name, RunnerGroupId runnerGroupId, List<String> labels) {
  /** Copies the labels. */
  public NewScaleSet {
    labels = List.copyOf(labels);
  }
}
