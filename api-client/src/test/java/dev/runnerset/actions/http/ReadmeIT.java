package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README compiles, and does at a simulated service what it says. */
final class ReadmeIT {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final AllowedHosts LOOPBACK = AllowedHosts.of("127.0.0.1", "localhost");

  @Test
  void theExampleRuns(@TempDir Path classes) throws Exception {
    try (var server = ActionsServiceServer.start(Options.accepting("pat"), Clock.systemUTC())) {
      var url = server.configUrl("my-org").toString();
      var settings = ServiceSettings.of(ConfigUrl.parse(url), new Credentials.Token("pat"));
      try (var service = settings.withAllowedHosts(LOOPBACK).connect()) {
        var wanted = new NewScaleSet("my-set", RunnerGroupId.DEFAULT, List.of());
        assertThat(service.createScaleSet(wanted)).isInstanceOf(CreateScaleSetResult.Created.class);
      }
      var unused = server.control().submit(JobRequest.of(1, "my-set", Duration.ofSeconds(5)));

      run(adapted(url), classes);
      assertThat(server.control().counters())
          .containsEntry("createSession", 1L)
          .containsEntry("deleteMessage", 1L)
          .containsEntry("deleteSession", 1L);
    }
  }

  /** For a service on this machine, with its token, and without a word on the console. */
  private static String adapted(String url) throws Exception {
    var block = EXAMPLE.matcher(Files.readString(Path.of("README.md")));
    assertThat(block.find()).isTrue();
    var example = block.group(1);
    for (var part :
        List.of(
            List.of("https://github.com/my-org", url),
            List.of("System.getenv(\"GITHUB_TOKEN\")", "\"pat\""),
            List.of(
                ".connect()",
                ".withAllowedHosts(AllowedHosts.of(\"127.0.0.1\", \"localhost\")).connect()"),
            List.of("System.out.println", "String.valueOf"))) {
      assertThat(example).contains(part.getFirst());
      example = example.replace(part.getFirst(), part.getLast());
    }
    return """
    import dev.runnerset.actions.*;
    import dev.runnerset.actions.http.*;
    public final class Example {
      public static void run() {
        %s
      }
    }
    """
        .formatted(example);
  }

  private static void run(String source, Path classes) throws Exception {
    var messages = new StringWriter();
    var file =
        new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    var options =
        List.of(
            "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
    var compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(messages, null, null, options, null, List.of(file))
            .call();
    assertThat(compiled).as("%s", messages).isTrue();
    try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      loader.loadClass("Example").getMethod("run").invoke(null);
    }
  }
}
