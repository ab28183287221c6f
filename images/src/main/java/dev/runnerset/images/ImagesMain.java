package dev.runnerset.images;

import dev.runnerset.base.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Run by the build: makes the images of both programs. */
@Command(
    name = "runnerset images",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes the images of controller and listener, as archives for docker load.")
public final class ImagesMain implements Callable<Integer> {
  @Option(names = "--packages", required = true, description = "folder of images/packages fetch")
  private Path packages = Path.of("");

  @Option(names = "--project-version", required = true, description = "version of the images")
  private String version = "";

  @Option(names = "--created", required = true, description = "time of the images and their files")
  private String created = "";

  @Option(names = "--revision", description = "commit, for a label; default: no label")
  private String revision = "";

  @Option(names = "--source", description = "URL of the repository, for a label; default: none")
  private String source = "";

  @Option(names = "--architectures", split = ",", description = "default: ${DEFAULT-VALUE}")
  private List<String> architectures = List.of("amd64", "arm64");

  @Option(names = "--target", required = true, description = "folder to write; emptied before")
  private Path target = Path.of("");

  /** Exit 0 once all images are written. */
  public static void main(String[] args) {
    System.exit(CommandLines.of(new ImagesMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    var _ = Tool.run("rm", "-rf", target.toString());
    var lock = PackageLock.read(packages.resolve("used.lock"));
    for (var name : architectures) {
      build(Architecture.valueOf(name.toUpperCase(Locale.ROOT)), lock);
    }
    var _ = Tool.run("rm", "-rf", target.resolve("work").toString());
    return ExitCode.OK;
  }

  private void build(Architecture architecture, PackageLock lock) throws IOException {
    var work = target.resolve("work").resolve(architecture.toString());
    var unpacked = work.resolve("packages");
    Files.createDirectories(unpacked);
    for (var each : lock.of(architecture)) {
      var folder = unpacked.resolve(each.name()).toString();
      var _ = Tool.run("dpkg-deb", "-R", packages.resolve(each.file()).toString(), folder);
    }
    var base = SystemFiles.collect(architecture, unpacked, work.resolve("made"));
    var java = work.resolve("java");
    JavaRuntime.link(modules(unpacked), java);
    var builder = new ImageBuilder(Instant.parse(created), work);
    for (var program : Program.values()) {
      var file = "runnerset-%s-%s-%s".formatted(program, version, architecture);
      var archive = target.resolve(file + ".tar");
      var parts = target.resolve(file + ".cdx.json");
      PartsList.write(
          classPathFile(program).resolveSibling("bom.json"),
          lock.of(architecture),
          Instant.parse(created),
          parts);
      var documents = new TreeMap<>(Map.of("/usr/share/sbom/runnerset.cdx.json", parts));
      var content =
          new ImageBuilder.Content(
              base, java, classPath(program), documents, labels(program, lock));
      var name = "runnerset/" + program + ":" + version;
      builder.write(program, architecture, name, content, archive);
      report(program, architecture, archive);
    }
  }

  private void report(Program program, Architecture architecture, Path archive) throws IOException {
    var image = ImageArchive.read(archive);
    System.out.printf(
        "%s: id %s, %d bytes%n", archive.getFileName(), image.id(), Files.size(archive));
    if (architecture == Architecture.here()) {
      image.unpack(target.resolve("rootfs").resolve(program.toString()));
    }
  }

  private static Path modules(Path unpacked) throws IOException {
    try (var files = Files.walk(unpacked)) {
      return files
          .filter(file -> file.endsWith("jmods/java.base.jmod"))
          .findFirst()
          .map(Path::getParent)
          .orElseThrow(() -> new IOException("no package has the modules of Java"));
    }
  }

  private Map<String, String> labels(Program program, PackageLock lock) {
    var image = "org.opencontainers.image.";
    var labels = new TreeMap<String, String>();
    labels.put(image + "title", "runnerset " + program);
    labels.put(image + "version", version);
    labels.put(image + "licenses", "Apache-2.0");
    labels.put("dev.runnerset.packages", lock.pinned() ? "pinned" : "newest");
    if (!revision.isEmpty()) {
      labels.put(image + "revision", revision);
    }
    if (!source.isEmpty()) {
      labels.put(image + "source", source);
    }
    return labels;
  }

  /** Written by the program's own module. */
  private static Path classPathFile(Program program) {
    return program.folder().resolve("target/runtime.classpath");
  }

  /** The program's own jar, which lies beside the file, then the dependencies in their order. */
  private List<Path> classPath(Program program) throws IOException {
    var file = classPathFile(program);
    var jars = new ArrayList<Path>();
    jars.add(file.resolveSibling("runnerset-" + program + "-" + version + ".jar"));
    Arrays.stream(Files.readString(file).strip().split(":", -1)).map(Path::of).forEach(jars::add);
    return jars;
  }
}
