package dev.runnerset.images;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the archive of one image out of its files; the same files give the same archive. */
final class ImageBuilder {
  /** Where the Java run-time lies in the image. */
  static final String JAVA = "/opt/java";

  /** Where the program lies in the image. */
  static final String APP = "/app";

  private static final FilePermissions FILE = FilePermissions.fromOctalString("644");
  private static final FilePermissions PROGRAM = FilePermissions.fromOctalString("755");
  private static final FilePermissions FOR_ALL = FilePermissions.fromOctalString("777");

  private final Instant created;
  private final Path work;

  /**
   * A builder.
   *
   * @param created the time of the image and of its files
   * @param work a folder for layers that are not finished
   */
  ImageBuilder(Instant created, Path work) {
    this.created = created;
    this.work = work;
  }

  /**
   * What an image is made of.
   *
   * @param base source by path in the image
   * @param java the folder of the Java run-time
   * @param jars the class path, in order
   * @param documents further files by path in the image
   * @param labels of the image
   */
  record Content(
      SortedMap<String, Path> base,
      Path java,
      List<Path> jars,
      SortedMap<String, Path> documents,
      Map<String, String> labels) {}

  /** Writes an archive that {@code docker load} and {@code ctr image import} take. */
  void write(Program program, Architecture architecture, String name, Content content, Path archive)
      throws IOException {
    var image =
        Jib.fromScratch()
            .setFormat(ImageFormat.Docker)
            .setPlatforms(Set.of(new Platform(architecture.toString(), "linux")))
            .setCreationTime(created)
            .setUser(SystemFiles.USER + ":" + SystemFiles.USER)
            .setWorkingDirectory(AbsoluteUnixPath.get("/"))
            .setEnvironment(Map.of("PATH", JAVA + "/bin", "LANG", "C.UTF-8"))
            .addExposedPort(Port.tcp(program.port()))
            .setLabels(content.labels())
            .setEntrypoint(List.of(JAVA + "/bin/java", "@" + APP + "/options", program.mainClass()))
            .addFileEntriesLayer(layer("base", content.base(), true))
            .addFileEntriesLayer(layer("java", below(content.java(), JAVA), false))
            .addFileEntriesLayer(layer("libraries", jars(content.jars(), false), false))
            .addFileEntriesLayer(layer("program", program(program, content), false));
    try {
      image.containerize(
          Containerizer.to(TarImage.at(archive).named(name))
              .setOfflineMode(true)
              .setBaseImageLayersCache(work.resolve("layers"))
              .setApplicationLayersCache(work.resolve("layers"))
              .setToolName("runnerset"));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the image of the " + program + " could not be made", e);
    }
  }

  private SortedMap<String, Path> program(Program program, Content content) throws IOException {
    var files = new TreeMap<>(content.documents());
    files.putAll(jars(content.jars(), true));
    var classPath = content.jars().stream().map(jar -> APP + "/lib/" + jar.getFileName()).toList();
    var options = work.resolve(program + ".options");
    Files.writeString(options, program.jvmOptions() + "-cp\n" + String.join(":", classPath) + "\n");
    files.put(APP + "/options", options);
    return files;
  }

  private static SortedMap<String, Path> jars(List<Path> jars, boolean ours) {
    var files = new TreeMap<String, Path>();
    for (var jar : jars) {
      var name = jar.getFileName().toString();
      if (name.startsWith("runnerset-") == ours && files.put(APP + "/lib/" + name, jar) != null) {
        throw new IllegalStateException("two jars have the name " + name);
      }
    }
    return files;
  }

  private static SortedMap<String, Path> below(Path folder, String target) throws IOException {
    var files = new TreeMap<String, Path>();
    try (var all = Files.walk(folder)) {
      all.filter(Files::isRegularFile)
          .forEach(file -> files.put(target + "/" + folder.relativize(file), file));
    }
    return files;
  }

  private FileEntriesLayer layer(String name, SortedMap<String, Path> files, boolean withTmp) {
    var layer = FileEntriesLayer.builder().setName(name);
    files.forEach((target, source) ->
        layer.addEntry(source, AbsoluteUnixPath.get(target), permissions(target), created));
    if (withTmp) {
      layer.addEntry(work, AbsoluteUnixPath.get("/tmp"), FOR_ALL, created);
    }
    return layer.build();
  }

  private static FilePermissions permissions(String target) {
    var isProgram =
        target.startsWith(JAVA + "/bin/")
            || target.endsWith("/jspawnhelper")
            || target.contains("/ld-linux-");
    return isProgram ? PROGRAM : FILE;
  }
}
