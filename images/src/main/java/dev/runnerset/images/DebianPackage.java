package dev.runnerset.images;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** A file of the packaging system of Debian: an ar archive of two tar archives. */
final class DebianPackage {
  private DebianPackage() {}

  /** Unpacks the files of a package into a folder, and its description as {@code control}. */
  static void unpack(Path file, Path folder, Path control) throws IOException {
    try (var in = new BufferedInputStream(Files.newInputStream(file));
        var members = new ArArchiveInputStream(in)) {
      for (var member = members.getNextEntry(); member != null; member = members.getNextEntry()) {
        switch (member.getName()) {
          case "control.tar.xz" -> description(new XZCompressorInputStream(members), control);
          case "data.tar.xz" -> files(new XZCompressorInputStream(members), folder);
          default -> {} // the version of the format
        }
      }
    }
    if (!Files.exists(control)) {
      throw new IOException(file + " has no control.tar.xz: this form of packages is not known");
    }
  }

  private static void description(InputStream in, Path control) throws IOException {
    var tar = new TarArchiveInputStream(in);
    for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      if (entry.getName().equals("./control")) {
        Files.createDirectories(control.getParent());
        Files.copy(tar, control);
      }
    }
  }

  private static void files(InputStream in, Path folder) throws IOException {
    var tar = new TarArchiveInputStream(in);
    for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      write(tar, entry, folder);
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    var target = TarPaths.below(folder, entry.getName());
    if (entry.isDirectory()) {
      Files.createDirectories(target);
    } else if (entry.isSymbolicLink()) {
      Files.createDirectories(target.getParent());
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else if (entry.isFile()) {
      Files.createDirectories(target.getParent());
      Files.copy(tar, target);
    }
  }
}
