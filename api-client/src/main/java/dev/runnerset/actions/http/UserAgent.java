package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Who calls, as the service's operators see it (protocol 2.2).
 *
 * @param system the name of the program
 * @param subsystem the part of it that calls, as {@code controller} or {@code listener}
 * @param scaleSetId 0 while there is none
 */
public record UserAgent(String system, String version, String subsystem, int scaleSetId) {
  /** Of a program that does not name itself. */
  static final UserAgent LIBRARY = new UserAgent("runnerset-api-client", "", "", 0);

  /** The product's own, without a scale set. */
  public static UserAgent of(String version, String subsystem) {
    return new UserAgent("runnerset", version, subsystem, 0);
  }

  /** A copy for calls about one scale set. */
  public UserAgent withScaleSetId(int id) {
    return new UserAgent(system, version, subsystem, id);
  }

  /** The header's value: one JSON object in ASCII, its keys in the protocol's order. */
  String header() {
    return Json.text(
        JsonNodeFactory.instance
            .objectNode()
            .put("system", system)
            .put("version", version)
            .put("commit_sha", "")
            .put("scale_set_id", scaleSetId)
            .put("subsystem", subsystem)
            .put("build_version", version)
            .put("build_commit_sha", "")
            .put("kind", "scaleset"));
  }
}
