package dev.runnerset.images;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files below the Java run-time: the C library and what goes with it, the user, and the files
 * in which scanners find the packages. Java brings its own certificates and time zones.
 */
final class SystemFiles {
  /** The user that both programs run as; many base images give this number to "not root". */
  static final int USER = 65532;

  /** The libraries that the Java run-time names, by package; the loader comes beside them. */
  private static final List<Library> LIBRARIES =
      List.of(
          new Library("libc6", "libc.so.6"),
          new Library("libc6", "libm.so.6"),
          new Library("libgcc-s1", "libgcc_s.so.1"),
          new Library("libstdc++6", "libstdc++.so.6"),
          new Library("zlib1g", "libz.so.1"));

  private record Library(String fromPackage, String name) {}

  private final Architecture architecture;
  private final Path packages;
  private final Path made;
  private final SortedMap<String, Path> sourceByTarget = new TreeMap<>();

  private SystemFiles(Architecture architecture, Path packages, Path made) {
    this.architecture = architecture;
    this.packages = packages;
    this.made = made;
  }

  /**
   * The source of each file by its path in the image.
   *
   * @param packages a folder with a folder for each unpacked package
   * @param made a folder for the few files that come from no package
   */
  static SortedMap<String, Path> collect(Architecture architecture, Path packages, Path made)
      throws IOException {
    var files = new SystemFiles(architecture, packages, made);
    files.libraries();
    files.user();
    files.notices();
    return files.sourceByTarget;
  }

  private void libraries() throws IOException {
    var folder = "usr/lib/" + architecture.libraries() + "/";
    for (var library : LIBRARIES) {
      put(
          "/lib/" + architecture.libraries() + "/" + library.name(),
          packages.resolve(library.fromPackage()).resolve(folder + library.name()));
    }
    var loader = Path.of(architecture.loader()).getFileName();
    put("/" + architecture.loader(), packages.resolve("libc6").resolve(folder + loader));
  }

  private void user() throws IOException {
    make(
        "/etc/passwd",
        "root:x:0:0:root:/root:/sbin/nologin\nrunnerset:x:%1$d:%1$d::/:/sbin/nologin\n"
            .formatted(USER));
    make("/etc/group", "root:x:0:\nrunnerset:x:%d:\n".formatted(USER));
    make("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
  }

  private void notices() throws IOException {
    put("/etc/os-release", packages.resolve("base-files/usr/lib/os-release"));
    try (var folders = Files.list(packages)) {
      for (var folder : folders.filter(Files::isDirectory).sorted().toList()) {
        var name = folder.getFileName().toString();
        // scanners look for packages here where there is no package manager
        put("/var/lib/dpkg/status.d/" + name, folder.resolve("DEBIAN/control"));
        var copyright = folder.resolve("usr/share/doc").resolve(name).resolve("copyright");
        if (Files.isRegularFile(
            copyright)) { // else another package here has it, or /opt/java/legal
          put("/usr/share/doc/" + name + "/copyright", copyright);
        }
      }
    }
  }

  private void make(String target, String text) throws IOException {
    var source = made.resolve(target.substring(1));
    Files.createDirectories(source.getParent());
    put(target, Files.writeString(source, text));
  }

  private void put(String target, Path source) {
    try {
      sourceByTarget.put(target, source.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException("the packages have no file for " + target, e);
    }
  }
}
