package dev.runnerset.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What the controller tells on its health port. */
final class ControllerProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final int port;

  private ControllerProbe(int port) {
    this.port = port;
  }

  /** On a port that was free just now. */
  static ControllerProbe onFreePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new ControllerProbe(socket.getLocalPort());
    } catch (IOException e) {
      throw new DemoException("no free port for the controller: " + e.getMessage());
    }
  }

  int port() {
    return port;
  }

  /** The page at that path. */
  String page(String path) {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(PATIENCE)
              .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new DemoException("the controller does not tell " + path + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException("interrupted");
    }
  }

  /** The value of the series of a metric that bears that label; -1 when it is not there. */
  long value(String metric, String label) {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith(metric + "{") && line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }
}
