package dev.runnerset.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Debian packages of a build, as {@code images/packages} writes them down.
 *
 * @param pinned whether these are the versions of the repository's lock; else the newest ones
 */
record PackageLock(List<Package> packages, boolean pinned) {
  private static final int WORDS = 5;

  PackageLock {
    packages = List.copyOf(packages);
  }

  /**
   * One package.
   *
   * @param file its name in the folder of packages
   */
  record Package(String architecture, String name, String version, String file) {}

  /** Reads a lock file. */
  static PackageLock read(Path lock) throws IOException {
    return parse(Files.readAllLines(lock));
  }

  static PackageLock parse(List<String> lines) {
    var packages = new ArrayList<Package>();
    boolean pinned = true;
    for (var line : lines) {
      if (line.startsWith("#")) {
        pinned &= !line.startsWith("# not pinned");
        continue;
      }
      var words = line.split(" ", -1);
      if (words.length != WORDS) {
        throw new IllegalArgumentException("not a line of a lock of packages: " + line);
      }
      var file = words[4].substring(words[4].lastIndexOf('/') + 1);
      packages.add(new Package(words[1], words[2], words[3], file));
    }
    return new PackageLock(packages, pinned);
  }

  List<Package> of(Architecture architecture) {
    return packages.stream().filter(p -> p.architecture().equals(architecture.toString())).toList();
  }
}
