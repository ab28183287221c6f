package dev.runnerset.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The list of parts of an image in the form of CycloneDX: jars, and packages of Debian. */
final class PartsList {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PartsList() {}

  /**
   * Adds the packages to the list that Maven wrote of the program's jars.
   *
   * @param ofJars written by the CycloneDX plugin in the program's module
   * @param created stands in it as its time, so that equal parts give an equal list
   */
  static void write(Path ofJars, List<PackageLock.Package> packages, Instant created, Path target)
      throws IOException {
    if (!(JSON.readTree(ofJars.toFile()) instanceof ObjectNode list)) {
      throw new IOException(ofJars + " is no list of parts");
    }
    list.withObject("/metadata").put("timestamp", created.toString());
    var components = list.withArray("components");
    for (var each : packages) {
      var purl =
          "pkg:deb/debian/%s@%s?arch=%s&distro=debian-13"
              .formatted(encoded(each.name()), encoded(each.version()), each.architecture());
      components
          .addObject()
          .put("type", "library")
          .put("bom-ref", purl)
          .put("name", each.name())
          .put("version", each.version())
          .put("purl", purl);
    }
    JSON.writerWithDefaultPrettyPrinter().writeValue(target.toFile(), list);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
