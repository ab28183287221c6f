package dev.runnerset.testcluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import okhttp3.tls.Certificates;
import okhttp3.tls.HandshakeCertificates;

/**
 * Asks the API server whether it is ready, as nobody in particular: the answer is 403 until the
 * default roles exist, so 200 says that RBAC works too.
 */
final class ReadyProbe implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final HttpClient client;
  private final HttpRequest request;

  ReadyProbe(String server, String authority) {
    client = HttpClient.newBuilder().sslContext(trusting(authority)).connectTimeout(LIMIT).build();
    request = HttpRequest.newBuilder(URI.create(server + "/readyz")).timeout(LIMIT).build();
  }

  boolean isReady() {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private static SSLContext trusting(String authority) {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(Certificates.decodeCertificatePem(authority))
        .build()
        .sslContext();
  }
}
