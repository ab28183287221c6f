package dev.runnerset.connection;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.ConfigUrl.Scope;
import dev.runnerset.base.Pure;

/** What credentials need to register runners at a URL (docs/start/credentials.md). */
@Pure
public final class NeededRights {
  private NeededRights() {}

  /** One phrase about tokens and Apps, for an enterprise, an organization or a repository. */
  public static String at(String githubConfigUrl) {
    try {
      return of(ConfigUrl.parse(githubConfigUrl).scope()) + "; see docs/start/credentials.md";
    } catch (IllegalArgumentException e) {
      return "see docs/start/credentials.md";
    }
  }

  private static String of(Scope scope) {
    return switch (scope) {
      case Scope.Enterprise _ ->
          "an enterprise needs a classic token with the scope manage_runners:enterprise, and takes"
              + " neither a GitHub App nor a fine-grained token";
      case Scope.Organization _ ->
          "an organization needs a GitHub App or a fine-grained token with the organization"
              + " permission Self-hosted runners: read and write, or a classic token with the scope"
              + " admin:org";
      case Scope.Repository _ ->
          "a repository needs a GitHub App or a fine-grained token with the repository permission"
              + " Administration: read and write, or a classic token with the scope repo";
    };
  }
}
