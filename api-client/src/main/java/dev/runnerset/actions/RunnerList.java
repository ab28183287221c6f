package dev.runnerset.actions;

import java.util.List;

/**
 * The registrations of an enterprise, an organization or a repository, of all its scale sets and of
 * runners without one (protocol 3.15).
 *
 * @param total how many there are by what the list says; more than {@code runners} if it was cut
 */
public record RunnerList(List<Listed> runners, int total) {
  /** Copies the runners. */
  public RunnerList {
    runners = List.copyOf(runners);
  }

  /** One registration. The list does not tell its scale set. */
  public record Listed(RunnerId id, String name, boolean busy) {}
}
