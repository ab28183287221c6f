package dev.runnerset.images;

import java.io.IOException;
import java.nio.file.Path;

/** Where the entries of an archive may be written. */
final class TarPaths {
  private TarPaths() {}

  /**
   * The place of an entry below a folder.
   *
   * @throws IOException if the name leads out of the folder
   */
  static Path below(Path folder, String name) throws IOException {
    var target = folder.resolve(name.replaceFirst("^/+", "")).normalize();
    if (!target.startsWith(folder.normalize())) {
      throw new IOException("an archive names a file outside of its folder: " + name);
    }
    return target;
  }
}
