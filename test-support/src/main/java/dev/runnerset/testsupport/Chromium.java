package dev.runnerset.testsupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A headless Chromium by its chromedriver, in the words of the W3C protocol: a dozen requests, for
 * which the client of the JDK is enough (docs/adr/0126).
 */
public final class Chromium implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String root;
  private final String session;

  /** The program that is missing, and how to install it; empty if both are there. */
  public static Optional<String> missing() {
    return Stream.of("chromium", "chromedriver")
        .filter(name -> find(name).isEmpty())
        .findFirst()
        .map(name -> name + " is not there: apt-get install -y chromium chromium-driver");
  }

  private static Optional<Path> find(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one, with an empty window.
   *
   * @param width of the window in pixels; below 500 a phone is played
   * @param isDark whether the person prefers dark pages
   */
  public Chromium(int width, int height, boolean isDark) throws IOException, InterruptedException {
    int port = FreePort.find();
    driver =
        new ProcessBuilder(find("chromedriver").orElseThrow().toString(), "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    root = "http://127.0.0.1:" + port;
    await("the driver", this::isReady);
    var arguments =
        List.of(
            "--headless=new",
            "--no-sandbox", // tests may run as root
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            "--blink-settings=preferredColorScheme=" + (isDark ? 0 : 1),
            "--window-size=" + width + "," + height);
    var options = Map.of("goog:chromeOptions", Map.of("args", arguments));
    var made = send("POST", "/session", Map.of("capabilities", Map.of("alwaysMatch", options)));
    session = "/session/" + made.path("sessionId").asText();
    // the least width of a window is 500: a phone is played
    var metrics =
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500);
    devTools("Emulation.setDeviceMetricsOverride", metrics);
  }

  private boolean isReady() {
    try {
      return send("GET", "/status", null).path("ready").asBoolean();
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Goes to an address. */
  public void open(String url) throws IOException, InterruptedException {
    send("POST", session + "/url", Map.of("url", url));
  }

  /** What a script returns. */
  public @Nullable Object run(String script) {
    try {
      return value(
          send("POST", session + "/execute/sync", Map.of("script", script, "args", List.of())));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What a script passes to the function that it gets last. */
  public @Nullable Object runAsync(String script) throws IOException, InterruptedException {
    return value(
        send("POST", session + "/execute/async", Map.of("script", script, "args", List.of())));
  }

  /** Whether the text of the page has those words. */
  public boolean shows(String words) {
    return String.valueOf(run("return document.body.innerText")).contains(words);
  }

  /** Waits until the page has those words. */
  public void awaitText(String words) throws InterruptedException {
    await(words + " on the page " + run("return document.body.innerText"), () -> shows(words));
  }

  /** Presses keys as a person does. */
  public void type(String keys) throws IOException, InterruptedException {
    for (var key : keys.codePoints().mapToObj(Character::toString).toList()) {
      var actions =
          List.of(Map.of("type", "keyDown", "value", key), Map.of("type", "keyUp", "value", key));
      send(
          "POST",
          session + "/actions",
          Map.of("actions", List.of(Map.of("type", "key", "id", "keys", "actions", actions))));
    }
  }

  /** Writes a picture of the window. */
  public void picture(Path file) throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    var png = send("GET", session + "/screenshot", null).asText();
    Files.write(file, Base64.getDecoder().decode(png));
  }

  /** What the browser reported of the page: errors of scripts and of the policy. */
  public List<?> log() throws IOException, InterruptedException {
    var found = send("POST", session + "/se/log", Map.of("type", "browser"));
    return JSON.convertValue(found, List.class);
  }

  private void devTools(String command, Map<String, ?> parameters)
      throws IOException, InterruptedException {
    send("POST", session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
  }

  private static @Nullable Object value(JsonNode found) {
    return JSON.convertValue(found, Object.class);
  }

  private JsonNode send(String method, String path, @Nullable Object body)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(root + path)).timeout(PATIENCE.multipliedBy(4));
    var publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
    var answer =
        http.send(
            request.method(method, publisher).header("Content-Type", "application/json").build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(path + " is answered with " + answer.body());
    }
    return JSON.readTree(answer.body()).path("value");
  }

  /** Waits until that is so; fails with what there is not after 30 s. */
  public static void await(String what, BooleanSupplier done) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("there is no " + what);
      }
      Thread.sleep(50);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      send("DELETE", session, null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      driver.destroy();
    }
  }
}
