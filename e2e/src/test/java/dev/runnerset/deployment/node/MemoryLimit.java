package dev.runnerset.deployment.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The control group that holds a container to its memory limit, where there is one. */
final class MemoryLimit implements AutoCloseable {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private final Optional<Path> folder;

  private MemoryLimit(Optional<Path> folder) {
    this.folder = folder;
  }

  /**
   * Makes the group, where the system lets us.
   *
   * @param bytes the most that its processes may use
   */
  static MemoryLimit of(String name, long bytes) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      var parts = line.split(":", 3);
      if (parts[1].equals("memory")) {
        var own = GROUPS.resolve("memory" + parts[2]);
        return make(own, name, "memory.limit_in_bytes", bytes);
      }
      if (parts[0].equals("0") && Files.exists(GROUPS.resolve("cgroup.controllers"))) {
        return make(GROUPS.resolve("." + parts[2]).normalize(), name, "memory.max", bytes);
      }
    }
    return none();
  }

  private static MemoryLimit make(Path own, String name, String limit, long bytes)
      throws IOException {
    if (!Files.isWritable(own)) {
      return none();
    }
    var folder = Files.createDirectories(own.resolve("runnerset-" + name));
    if (!Files.exists(folder.resolve(limit))) {
      Files.delete(folder);
      return none();
    }
    Files.writeString(folder.resolve(limit), Long.toString(bytes));
    return new MemoryLimit(Optional.of(folder));
  }

  /** No limit. */
  static MemoryLimit none() {
    return new MemoryLimit(Optional.empty());
  }

  /** Where a process enters the group; empty without a limit. */
  Optional<Path> folder() {
    return folder;
  }

  /** Deletes the group, whose processes have ended. */
  @Override
  public void close() throws IOException {
    if (folder.isPresent()) {
      Files.deleteIfExists(folder.get());
    }
  }
}
