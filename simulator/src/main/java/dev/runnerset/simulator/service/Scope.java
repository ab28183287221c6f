package dev.runnerset.simulator.service;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a token is good for: an enterprise, an organisation, or a repository (protocol 1.1).
 *
 * @param path {@code org}, {@code owner/repo} or {@code enterprises/slug}, lower case
 */
record Scope(String path) {
  Scope {
    path = path.toLowerCase(Locale.ROOT);
  }

  /** The scope a config URL names; empty if it names none. */
  static Optional<Scope> ofConfigUrl(String url) {
    try {
      var path = Optional.ofNullable(URI.create(url).getPath()).orElse("");
      var segments = Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
      return segments.isEmpty() || segments.size() > 2
          ? Optional.empty()
          : Optional.of(new Scope(String.join("/", segments)));
    } catch (IllegalArgumentException notAUrl) {
      return Optional.empty();
    }
  }

  boolean isEnterprise() {
    return path.startsWith("enterprises/");
  }

  boolean isRepository() {
    return !isEnterprise() && path.contains("/");
  }

  /** Organisation, owner, or enterprise slug. */
  String owner() {
    if (isEnterprise()) {
      return path.substring("enterprises/".length());
    }
    var slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }

  /** The repository of a job that any repository may have, once this scope's runners get it. */
  String someRepository() {
    return isRepository() ? path : owner() + "/app";
  }

  boolean covers(Optional<String> repository) {
    if (repository.isEmpty() || isEnterprise()) {
      return true;
    }
    var wanted = repository.get().toLowerCase(Locale.ROOT);
    return wanted.equals(path) || wanted.startsWith(path + "/");
  }
}
