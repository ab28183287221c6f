package dev.runnerset.cli.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The files of the page: ours, and the two libraries; all are read once, from the class path. */
final class PageFiles {
  private static final String JARS = "/META-INF/resources/webjars/";

  private static final Map<String, String> PLACES =
      Map.of(
          "/", "index.html",
          "/app.js", "app.js",
          "/fleet.js", "fleet.js",
          "/set.js", "set.js",
          "/runner.js", "runner.js",
          "/parts.js", "parts.js",
          "/style.css", "style.css",
          "/lib/preact.js", JARS + "preact/10.28.0/dist/preact.module.js",
          "/lib/uplot.js", JARS + "uplot/1.6.30/dist/uPlot.esm.js",
          "/lib/uplot.css", JARS + "uplot/1.6.30/dist/uPlot.min.css");

  private final Map<String, File> files =
      PLACES.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, each -> read(each.getValue())));

  /** A file with its media type. */
  record File(String type, byte[] content) {}

  /** The file at that path of a URL. */
  Optional<File> at(String path) {
    return Optional.ofNullable(files.get(path));
  }

  private static File read(String place) {
    try (InputStream in = PageFiles.class.getResourceAsStream(place)) {
      var content = Objects.requireNonNull(in, place).readAllBytes();
      return new File(type(place), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String place) {
    var ending = place.substring(place.lastIndexOf('.') + 1);
    return switch (ending) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      default -> "text/javascript; charset=utf-8";
    };
  }
}
