import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Checks, or writes, the layout of all Java files with google-java-format. Maven starts it on the
 * JDK of the toolchain, since the formatter can only parse what its own JVM can: Maven itself may
 * run on an older one.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean write = args[0].equals("write");
    var root = Path.of(args[1]);
    var arguments = new ArrayList<String>();
    arguments.add("--skip-reflowing-long-strings");
    arguments.addAll(write ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    try (var files = Files.walk(root)) {
      files
          .map(Path::toString)
          .filter(file -> file.endsWith(".java") && !file.contains("/target/"))
          .forEach(arguments::add);
    }
    int result =
        ToolProvider.findFirst("google-java-format")
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    if (result != 0 && !write) {
      System.err.println("The files above are not formatted. Run: mvn -N verify -Pformat");
    }
    System.exit(result);
  }
}
