package dev.runnerset.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The archives that the build made: what an engine checks when it loads one, and what is in it. */
final class ImageArchiveIT {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final Map<Architecture, Integer> ELF_MACHINE =
      Map.of(Architecture.AMD64, 0x3e, Architecture.ARM64, 0xb7);

  static Stream<Arguments> images() {
    return Stream.of(Program.values())
        .flatMap(
            program -> Stream.of(Architecture.values()).map(each -> Arguments.of(program, each)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("images")
  void anEngineCanLoadIt(Program program, Architecture architecture) throws IOException {
    var image = ImageArchive.read(archive(program, architecture));
    assertThat(image.faults()).isEmpty();
    assertThat(image.architecture()).isEqualTo(architecture.toString());
    assertThat(image.names()).singleElement().asString().startsWith("runnerset/" + program + ":");
    assertThat(image.config().path("User").asText()).isEqualTo("65532:65532");
    assertThat(image.environment()).contains("LANG=C.UTF-8");
    assertThat(image.compressedBytes()).isLessThan(60_000_000);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("images")
  void everyProgramInItIsOfItsArchitecture(
      Program program, Architecture architecture, @TempDir Path folder) throws IOException {
    ImageArchive.read(archive(program, architecture)).unpack(folder);
    var programs = new ArrayList<String>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var head = head(file);
        if (java.util.Arrays.equals(head, 0, ELF.length, ELF, 0, ELF.length)) {
          programs.add(folder.relativize(file).toString());
          assertThat(head[18] & 0xff).as(file.toString()).isEqualTo(ELF_MACHINE.get(architecture));
        }
      }
    }
    assertThat(programs).contains("opt/java/bin/java", architecture.loader());
    assertThat(programs).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  void itRunsFromItsFileSystem(Program program, @TempDir Path folder) throws Exception {
    ContainerCommand.unavailableReason().ifPresent(Assumptions::abort);
    var image = ImageArchive.read(archive(program, Architecture.here()));
    image.unpack(folder);
    var command = new ArrayList<>(image.entryPoint());
    command.add("--version");
    assertThat(run(ContainerCommand.of(folder, Map.of(), command)))
        .startsWith("runnerset " + program + " ");
  }

  @Test
  void aLayerThatIsNotTheOneOfTheConfigurationIsAFault(@TempDir Path folder) throws IOException {
    var bytes = Files.readAllBytes(archive(Program.LISTENER, Architecture.here()));
    var text = new String(bytes, StandardCharsets.ISO_8859_1);
    int digest = text.indexOf("\"diff_ids\":[\"sha256:") + "\"diff_ids\":[\"sha256:".length();
    assertThat(digest).isGreaterThan(100);
    bytes[digest] = (byte) (bytes[digest] == '0' ? '1' : '0');
    var spoilt = Files.write(folder.resolve("spoilt.tar"), bytes);
    assertThat(ImageArchive.read(spoilt).faults()).singleElement().asString().contains("layer");
  }

  private static Path archive(Program program, Architecture architecture) throws IOException {
    return BuiltImages.archive(program, architecture)
        .orElseGet(() -> Assumptions.abort(BuiltImages.NONE));
  }

  private static byte[] head(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return java.util.Arrays.copyOf(in.readNBytes(20), 20);
    }
  }

  private static String run(List<String> command) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(List.of("PATH"));
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
