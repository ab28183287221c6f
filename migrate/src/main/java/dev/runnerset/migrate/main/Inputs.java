package dev.runnerset.migrate.main;

import dev.runnerset.migrate.BadInput;
import dev.runnerset.migrate.Conversion;
import dev.runnerset.migrate.Migration;
import dev.runnerset.migrate.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads what the command line names: files, folders, standard input. */
final class Inputs {
  private final InputStream in;
  private final Options options;

  Inputs(InputStream in, Options options) {
    this.in = in;
    this.options = options;
  }

  /** The outcomes of a file, of all YAML in a folder, or of standard input. */
  List<Conversion> of(String name) throws IOException {
    if (name.equals("-")) {
      return Migration.of("standard input", text("standard input", in.readAllBytes()), options);
    }
    var path = Path.of(name);
    if (Files.isDirectory(path)) {
      return folder(path);
    }
    if (!Files.isReadable(path)) {
      throw new BadInput(name + ": no file that can be read: check its name");
    }
    return Migration.of(name, text(name, Files.readAllBytes(path)), options);
  }

  /** All faults are reported together, so that a folder is corrected once. */
  private List<Conversion> folder(Path folder) throws IOException {
    var files = files(folder);
    if (files.isEmpty()) {
      throw new BadInput(folder + ": no file with the ending .yaml, .yml or .json is in it");
    }
    var outcomes = new ArrayList<Conversion>();
    var faults = new ArrayList<String>();
    for (var file : files) {
      var name = file.toString();
      try {
        outcomes.addAll(Migration.ofAFolder(name, text(name, Files.readAllBytes(file)), options));
      } catch (BadInput e) {
        faults.add(e.getMessage());
      }
    }
    if (!faults.isEmpty()) {
      throw new BadInput(String.join("; ", faults));
    }
    return outcomes;
  }

  /** Those of hidden folders, as .git, are left out. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().matches(".*\\.(ya?ml|json)"))
          .filter(file -> !folder.relativize(file).toString().matches("(.*/)?\\.[^/]+/.*"))
          .sorted()
          .toList();
    }
  }

  private static String text(String name, byte[] bytes) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new BadInput(name + ": it is no text in UTF-8: save it as UTF-8");
    }
  }
}
