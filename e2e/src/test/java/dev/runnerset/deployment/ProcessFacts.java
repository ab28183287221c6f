package dev.runnerset.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel knows of a process. */
public final class ProcessFacts {
  private static final double KIB = 1024;

  private final Path folder;

  public ProcessFacts(long pid) {
    folder = Path.of("/proc", Long.toString(pid));
  }

  static ProcessFacts ofThisJvm() {
    return new ProcessFacts(ProcessHandle.current().pid());
  }

  /** The values of a line of its status. */
  List<String> status(String name) throws IOException {
    return Files.readAllLines(folder.resolve("status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .flatMap(line -> List.of(line.substring(name.length() + 1).strip().split("\\s+")).stream())
        .toList();
  }

  /** A size in its status, such as {@code VmRSS}, in MiB. */
  public double mebibytes(String name) throws IOException {
    return Long.parseLong(status(name).getFirst()) / KIB;
  }

  /** Type and options of what it sees mounted there. */
  String mount(String target) throws IOException {
    return Files.readAllLines(folder.resolve("mounts")).stream()
        .map(line -> line.split(" "))
        .filter(words -> words[1].equals(target))
        .map(words -> words[2] + " " + words[3])
        .reduce((first, last) -> last)
        .orElse("");
  }

  /** The name of its network. */
  String network() throws IOException {
    return Files.readSymbolicLink(folder.resolve("ns/net")).toString();
  }
}
