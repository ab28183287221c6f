package dev.runnerset.listener.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The repositories whose jobs are counted under their own name. Entries are {@code owner/name},
 * {@code owner/*} and {@code *}; case does not matter, as at GitHub.
 *
 * @param entries in small letters; empty for no such series at all
 */
public record UsageRepositories(Set<String> entries) {
  /** No series by repository. */
  public static final UsageRepositories NONE = new UsageRepositories(Set.of());

  private static final String ALL = "*";
  private static final Pattern ENTRY = Pattern.compile("\\*|[A-Za-z0-9._-]+/(\\*|[A-Za-z0-9._-]+)");

  /** Copies the entries. */
  public UsageRepositories {
    entries =
        entries.stream()
            .map(entry -> entry.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The entries of a flag.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  public static UsageRepositories read(String flag, List<String> entries) {
    for (var entry : entries) {
      if (!ENTRY.matcher(entry.strip()).matches()) {
        throw new IllegalArgumentException(
            "%s: '%s' names no repository: write my-org/my-repo, my-org/* or *"
                .formatted(flag, entry));
      }
    }
    return new UsageRepositories(entries.stream().map(String::strip).collect(Collectors.toSet()));
  }

  /** Whether there are series by repository. */
  public boolean isOn() {
    return !entries.isEmpty();
  }

  /**
   * Whether an entry names the repository.
   *
   * @param repository {@code owner/name}; another text, as an empty one, is in no list
   */
  public boolean list(String repository) {
    var name = repository.toLowerCase(Locale.ROOT);
    int slash = name.indexOf('/');
    return slash > 0
        && (entries.contains(ALL)
            || entries.contains(name)
            || entries.contains(name.substring(0, slash + 1) + ALL));
  }
}
