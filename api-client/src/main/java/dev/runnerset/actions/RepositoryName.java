package dev.runnerset.actions;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A repository, as {@code owner/name}. Nothing else is taken from what a message or an answer says,
 * since it becomes part of a URL (protocol 3.17).
 */
public record RepositoryName(String owner, String name) {
  private static final Pattern PART = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}");

  /**
   * A repository.
   *
   * @throws IllegalArgumentException if a part has other characters than GitHub allows
   */
  public RepositoryName {
    if (!PART.matcher(owner).matches() || !PART.matcher(name).matches()) {
      throw new IllegalArgumentException("a repository is called owner/name");
    }
  }

  /** Reads {@code owner/name}. Empty if the text is of another form. */
  public static Optional<RepositoryName> parse(@Nullable String text) {
    var parts = text == null ? new String[0] : text.strip().split("/", -1);
    return parts.length == 2 && PART.matcher(parts[0]).matches() && PART.matcher(parts[1]).matches()
        ? Optional.of(new RepositoryName(parts[0], parts[1]))
        : Optional.empty();
  }

  /**
   * Whether a set at that URL can have jobs of the repository. Neither GitHub nor this compares the
   * case of names. Which organizations an enterprise has is not known, so that any owner is taken
   * there.
   */
  public boolean isWithin(ConfigUrl url) {
    return switch (url.scope()) {
      case ConfigUrl.Scope.Enterprise _ -> true;
      case ConfigUrl.Scope.Organization(var organization) -> owner.equalsIgnoreCase(organization);
      case ConfigUrl.Scope.Repository(var ofUrl, var nameInUrl) ->
          owner.equalsIgnoreCase(ofUrl) && name.equalsIgnoreCase(nameInUrl);
    };
  }

  @Override
  public String toString() {
    return owner + "/" + name;
  }
}
