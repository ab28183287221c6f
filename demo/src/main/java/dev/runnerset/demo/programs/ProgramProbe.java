package dev.runnerset.demo.programs;

import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a program tells on its health port. */
public final class ProgramProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int port;

  private ProgramProbe(int port) {
    this.port = port;
  }

  /** On a port that was free just now. */
  public static ProgramProbe onFreePort() {
    try {
      return new ProgramProbe(FreePort.find());
    } catch (IOException e) {
      throw new DemoException("no free port for a program: " + e.getMessage());
    }
  }

  int port() {
    return port;
  }

  /** The page at that path. */
  public String page(String path) {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(PATIENCE)
              .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new DemoException("the program does not tell " + path + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException("interrupted");
    }
  }

  /**
   * Whether the program has started and answers. The readiness probe would say more, but in process
   * the API server opens a watch with its first event only, which may be a minute later.
   */
  boolean hasStarted() {
    try {
      var url = URI.create("http://127.0.0.1:" + port + "/metrics").toURL();
      var answer = (HttpURLConnection) url.openConnection();
      answer.setConnectTimeout((int) PATIENCE.toMillis());
      answer.setReadTimeout((int) PATIENCE.toMillis());
      int code = answer.getResponseCode();
      answer.disconnect();
      return code == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }

  /** The value of the series of a metric that bears that label; -1 when it is not there. */
  public long value(String metric, String label) {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith(metric + "{") && line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  /** The sum of all series of a metric. */
  public double sum(String metric) {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith(metric))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
