package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The certificate of the server, in resources and in values. */
final class Certificates {
  private Certificates() {}

  /**
   * Puts where the certificate is.
   *
   * @throws BadInput if it is incomplete
   */
  static void put(Fields fields, ObjectNode output) {
    var from = fields.fields("certificateFrom");
    var reference = from == null ? null : from.fields("configMapKeyRef");
    if (from == null || reference == null) {
      throw new BadInput(
          fields.path("certificateFrom.configMapKeyRef")
              + " is missing: add it, or leave githubServerTLS out");
    }
    output
        .putObject("certificateFrom")
        .putObject("configMapKeyRef")
        .put("name", SetConversion.needed(reference, "name"))
        .put("key", SetConversion.needed(reference, "key"));
    reference.drop("optional", "was left out: the certificate is needed here");
    reference.tellRest();
    from.tellRest();
  }
}
