package dev.runnerset.migrate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** URLs of a set: addresses that can be no configuration are corrected or refused. */
final class ConfigUrls {
  private static final String FIELD = "githubConfigUrl";
  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>https?)://(?<host>[^/?#:\\s]+)(:(?<port>\\d*))?(?<path>(/[^?#\\s]*)?)(?<query>\\?[^#\\s]*)?",
          Pattern.CASE_INSENSITIVE);

  /** Pages of an organization: their second part is its name. */
  private static final Set<String> ORGANIZATIONS = Set.of("orgs", "organizations");

  /** First parts of paths that are no owner of repositories. */
  private static final Set<String> PAGES = Set.of("api", "apps", "login", "settings", "users");

  private static final String FORMS =
      ": write the URL of an organization, a repository or an enterprise, as"
          + " https://github.com/my-org, https://github.com/my-org/my-repo or"
          + " https://github.com/enterprises/my-enterprise";

  private ConfigUrls() {}

  /**
   * The URL as the set gets it.
   *
   * @throws BadInput if it can be no configuration
   */
  static String usable(Fields fields, String given) {
    var url = given.strip();
    if (url.contains("@")) {
      throw new BadInput(
          fields.path(FIELD)
              + " has a user or a password, or is the address of a clone by SSH (it is not shown"
              + " here)"
              + FORMS);
    }
    var match = FORM.matcher(url);
    if (!match.matches()) {
      throw bad(fields, url, "it must begin with https:// and a host, without # and space");
    }
    var port = match.group("port");
    if (port != null
        && !port.matches(
            "0*([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])")) {
      throw bad(fields, url, "a port is a number from 1 to 65535");
    }
    var host = match.group("host").toLowerCase(Locale.ROOT);
    if (host.matches("api\\.github\\.com|api\\..*\\.ghe\\.com|.*\\.githubusercontent\\.com")) {
      throw bad(fields, url, host + " is not the host of organizations and repositories");
    }
    var parts =
        Arrays.stream(match.group("path").split("/")).filter(part -> !part.isEmpty()).toList();
    var path = String.join("/", owner(fields, url, parts));
    if (path.equals(String.join("/", parts))) {
      return url;
    }
    var corrected = url.substring(0, match.start("path")) + "/" + path;
    fields.note(
        FIELD, "was '" + url + "', which is no configuration; it is '" + corrected + "' now");
    return corrected;
  }

  /** The parts of the path of an owner or repository. */
  private static List<String> owner(Fields fields, String url, List<String> parts) {
    if (parts.isEmpty()) {
      throw bad(fields, url, "its path names nobody");
    }
    var first = parts.getFirst().toLowerCase(Locale.ROOT);
    if (ORGANIZATIONS.contains(first) && parts.size() > 1) {
      return List.of(parts.get(1));
    }
    boolean enterprise = first.equals("enterprises");
    if (PAGES.contains(first) || ORGANIZATIONS.contains(first) || enterprise && parts.size() == 1) {
      throw bad(fields, url, "it is another page");
    }
    if (parts.size() > 2) {
      throw bad(fields, url, "its path has more parts than an owner and a repository");
    }
    var last = parts.getLast();
    if (!last.endsWith(".git")) {
      return parts;
    }
    if (parts.size() == 1 || enterprise || last.equals(".git")) {
      throw bad(fields, url, "no organization has a name with .git");
    }
    return List.of(parts.getFirst(), last.substring(0, last.length() - ".git".length()));
  }

  private static BadInput bad(Fields fields, String url, String why) {
    return new BadInput(
        fields.path(FIELD) + " is '" + url + "', which is no configuration, as " + why + FORMS);
  }
}
