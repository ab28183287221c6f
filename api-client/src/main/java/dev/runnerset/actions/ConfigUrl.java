package dev.runnerset.actions;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The URL a user names: whose jobs the runners serve (protocol 1.1 to protocol 1.3). Hosts are
 * compared without regard to case, the suffix {@code .ghe.com} included (protocol 1.2). The
 * environment variable GITHUB_ACTIONS_FORCE_GHES of other clients is ignored: a URL means the same
 * in every process, and an enterprise server has a host name of its own.
 *
 * @param uri as given, without slashes at its ends and without the port that its scheme implies
 */
public record ConfigUrl(URI uri, Scope scope) {

  /** Whose jobs the runners serve. */
  public sealed interface Scope {
    /** An enterprise. */
    record Enterprise(String slug) implements Scope {}

    /** An organization. */
    record Organization(String name) implements Scope {}

    /** One repository. */
    record Repository(String owner, String name) implements Scope {}
  }

  private static final List<String> HOSTED =
      List.of("github.com", "www.github.com", "github.localhost");

  /** First parts of the paths of web pages and of the API, which no organization is called. */
  private static final List<String> PAGES =
      List.of("api", "organizations", "orgs", "repos", "settings", "users");

  private static final Pattern PORT = Pattern.compile(":0*([0-9]*)$");

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  public static ConfigUrl parse(String text) {
    var uri = uri(text);
    var path = uri.getPath() == null ? "" : uri.getPath();
    var segments = Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
    if (uri.getHost().toLowerCase(Locale.ROOT).matches("api\\.(github\\.com|.+\\.ghe\\.com)")) {
      throw invalid(text, "its host is that of the API");
    }
    return new ConfigUrl(uri, scope(text, segments));
  }

  /** Whether github.com or ghe.com serves it, and not a server of the user's own. */
  public boolean isHosted() {
    var host = uri.getAuthority().toLowerCase(Locale.ROOT);
    return HOSTED.contains(host) || host.endsWith(".ghe.com");
  }

  /** Where its REST API begins, without a slash at the end. */
  public String apiBase() {
    var host = uri.getAuthority();
    if (!isHosted()) {
      return uri.getScheme() + "://" + host + "/api/v3";
    }
    var bare = host.toLowerCase(Locale.ROOT).startsWith("www.") ? host.substring(4) : host;
    return uri.getScheme() + "://api." + bare;
  }

  /** The path of its runner endpoints below {@link #apiBase()}. */
  public String scopePath() {
    return switch (scope) {
      case Scope.Enterprise(var slug) -> "/enterprises/" + slug;
      case Scope.Organization(var name) -> "/orgs/" + name;
      case Scope.Repository(var owner, var name) -> "/repos/" + owner + "/" + name;
    };
  }

  /** Where a person sees a workflow run of that repository, which is {@code owner/name}. */
  public String pageOf(String repository, long workflowRun) {
    return "%s://%s/%s/actions/runs/%d"
        .formatted(uri.getScheme(), uri.getAuthority(), repository, workflowRun);
  }

  /**
   * The same text for every spelling of the same enterprise, organization or repository: neither
   * case nor scheme, {@code www.}, usual port, spare slashes or query tell two of them apart.
   */
  public String ownerKey() {
    var host = uri.getHost().toLowerCase(Locale.ROOT).replaceFirst("^www\\.", "");
    var port = uri.getPort() == -1 ? "" : ":" + uri.getPort();
    return host + port + scopePath().toLowerCase(Locale.ROOT);
  }

  private static URI uri(String text) {
    try {
      var uri = new URI(text.strip().replaceAll("/+$", ""));
      if (uri.getRawAuthority() != null && !isPossiblePort(uri.getRawAuthority())) {
        throw invalid(text, "its port is not one of 1 to 65535");
      }
      if (uri.getScheme() == null
          || !List.of("http", "https").contains(uri.getScheme().toLowerCase(Locale.ROOT))
          || uri.getHost() == null) {
        throw invalid(text, "it must begin with https:// and a host");
      }
      if (uri.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "the config URL must not carry credentials: put them into the secret");
      }
      return withoutUsualPort(uri);
    } catch (URISyntaxException e) {
      throw invalid(text, "it holds a character that no URL has");
    }
  }

  /** Whether a host and port, as {@code ghes.example:8443}, name a port that exists, or no port. */
  public static boolean isPossiblePort(String authority) {
    var port = PORT.matcher(authority);
    if (!port.find() || authority.endsWith(":")) {
      return true;
    }
    var digits = port.group(1);
    return !digits.isEmpty() && digits.length() <= 5 && Integer.parseInt(digits) <= 65_535;
  }

  /** {@code github.com:443} is github.com, and no server of the user's own. */
  private static URI withoutUsualPort(URI uri) throws URISyntaxException {
    int usual = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    return uri.getPort() == usual
        ? new URI(uri.toString().replaceFirst(":0*" + usual + "(?=[/?#]|$)", ""))
        : uri;
  }

  private static Scope scope(String text, List<String> segments) {
    if (segments.size() == 2 && PAGES.contains(segments.getFirst().toLowerCase(Locale.ROOT))) {
      throw invalid(text, "it is the address of a page or of the API");
    }
    if (!segments.isEmpty() && segments.getLast().toLowerCase(Locale.ROOT).endsWith(".git")) {
      throw invalid(text, "it is the address of a clone, which ends in .git");
    }
    return switch (segments.size()) {
      case 0 -> throw invalid(text, "its path names nobody");
      case 1 -> new Scope.Organization(segments.getFirst());
      case 2 ->
          segments.getFirst().equalsIgnoreCase("enterprises")
              ? new Scope.Enterprise(segments.getLast())
              : new Scope.Repository(segments.getFirst(), segments.getLast());
      default ->
          throw invalid(
              text, "its path has three parts or more, and a server under a path cannot be used");
    };
  }

  private static IllegalArgumentException invalid(String text, String why) {
    return new IllegalArgumentException(
        "'"
            + text.replaceAll("//[^/]*@", "//[hidden]@")
            + "' is not the URL of an enterprise, an organization or a repository: "
            + why
            + "; write https://github.com/my-org, https://github.com/my-org/my-repo or"
            + " https://github.com/enterprises/my-enterprise, or the same with the host of your"
            + " server");
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
