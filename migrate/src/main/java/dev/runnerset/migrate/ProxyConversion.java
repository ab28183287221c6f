package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/** The proxies of a set: the fields are the same, the forms of URLs and secrets are not. */
final class ProxyConversion {
  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*://)?(?<user>.*@)?(?<host>[^/]*)(?<path>/.*)?",
          Pattern.DOTALL); // a password may have any character, also @ and /

  private ProxyConversion() {}

  /**
   * Puts our form of the field {@code proxy}, if it is there.
   *
   * @param secretsAreObjects as in resources; in values a secret is a name
   */
  static void put(Fields owner, ObjectNode output, boolean secretsAreObjects) {
    owner.with(
        "proxy",
        fields -> {
          var proxy = output.putObject("proxy");
          for (var scheme : new String[] {"http", "https"}) {
            fields.with(scheme, given -> endpoint(scheme, given, proxy, secretsAreObjects));
          }
          noProxy(fields, proxy);
        });
    if (output.path("proxy").isEmpty()) {
      output.remove("proxy");
    }
  }

  /** A list; a text with commas, as programs have it in their environment, is made one. */
  private static void noProxy(Fields fields, ObjectNode proxy) {
    var given = fields.take("noProxy");
    if (given != null && given.isTextual()) {
      var hosts = proxy.putArray("noProxy");
      for (var host : given.asText().strip().split("[,\\s]+")) {
        hosts.add(host);
      }
      fields.note("noProxy", "was a text; it is a list now");
    } else if (given != null) {
      proxy.set("noProxy", given);
    }
  }

  private static void endpoint(
      String scheme, Fields fields, ObjectNode proxy, boolean secretsAreObjects) {
    if (fields.isBlank()) {
      return; // the comments of ARC's values show it so
    }
    var endpoint = proxy.putObject(scheme);
    var url = fields.text("url");
    if (url == null) {
      throw new BadInput(fields.path("url") + " is missing: add it, or leave this proxy out");
    }
    var plain = plain(url, fields);
    endpoint.put("url", plain);
    OwnHosts.tellProxy(fields, plain);
    var secret = fields.text("credentialSecretRef");
    if (secret != null) {
      if (secretsAreObjects) {
        endpoint.putObject("credentialSecretRef").put("name", secret);
      } else {
        endpoint.put("credentialSecretRef", secret);
      }
      fields.note(
          "credentialSecretRef",
          "the runner gets user and password in the URL as they are in the secret:"
              + " percent-encode them there");
    }
    fields.drop(
        "tls", "was left out: certificates of a client towards the proxy have no counterpart");
  }

  /** The URL without what ours may not have; the text of the credentials is never reported. */
  private static String plain(String url, Fields fields) {
    var parts = URL.matcher(url);
    if (!parts.matches()) {
      return url;
    }
    var scheme = parts.group("scheme");
    if (parts.group("user") != null) {
      fields.note(
          "url",
          "user and password were left out: put them into a secret with the keys username and"
              + " password, and name it in credentialSecretRef");
    }
    if (parts.group("path") != null && parts.group("path").length() > 1) {
      fields.note("url", "the path was left out: a proxy is named by its host and port");
    }
    if (scheme == null) {
      fields.note("url", "http:// was added: a proxy without a scheme is reached by http");
    }
    return (scheme == null ? "http://" : scheme) + parts.group("host");
  }
}
