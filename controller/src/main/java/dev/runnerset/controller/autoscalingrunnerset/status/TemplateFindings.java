package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.crds.RunnerCounts;
import org.jspecify.annotations.Nullable;

/**
 * What the API server has against a pod of the template.
 *
 * @param refused why no runner of the template is made; null if runners are made
 * @param warning which fields of the template the server drops; null for none
 * @param quota the words of a quota that leaves no room for another pod; null while there is room
 */
public record TemplateFindings(
    @Nullable Finding refused, @Nullable Finding warning, @Nullable String quota) {
  /** The server takes the pod as it is. */
  public static final TemplateFindings NONE = new TemplateFindings(null, null, null);

  /** No runner of the template is made. */
  public static TemplateFindings refused(Finding finding) {
    return new TemplateFindings(finding, null, null);
  }

  /** These findings, with the fields that the server drops. */
  public TemplateFindings with(@Nullable Finding dropped) {
    return new TemplateFindings(refused, dropped, quota);
  }

  /**
   * What of it matters to a set with so many runners: one whose places are all taken needs no room.
   *
   * @param counts null while no runner is known
   * @param places how many runners the set may have
   */
  public TemplateFindings of(@Nullable RunnerCounts counts, int places) {
    return counts != null && counts.live() >= places
        ? new TemplateFindings(refused, warning, null)
        : this;
  }
}
