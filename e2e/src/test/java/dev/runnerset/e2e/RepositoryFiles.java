package dev.runnerset.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of this repository, without what a build makes. */
public final class RepositoryFiles {
  /** The repository: a module's tests run in the folder of the module. */
  public static final Path ROOT = Checkout.ROOT;

  private RepositoryFiles() {}

  /** All files of that kind; at least one. */
  public static List<Path> files(Predicate<Path> which) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      var found =
          all.filter(Files::isRegularFile)
              .filter(path -> !path.toString().contains("/target/"))
              .filter(path -> !ROOT.relativize(path).toString().startsWith(".git/"))
              .filter(which)
              .toList();
      assertThat(found).as("files that are read").isNotEmpty();
      return found;
    }
  }

  /** The folder of that chart. */
  public static Path chart(String name) {
    return ROOT.resolve("charts").resolve(name);
  }

  /** The text of a table of this module's tests, named from their root package. */
  public static String resource(String file) {
    return read("e2e/src/test/resources/dev/runnerset/" + file);
  }

  /** The text of one file, named from the root. */
  public static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
