package dev.runnerset.kube.wire;

import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Builds web sockets that are pinged. */
final class PingedWebSocketBuilder implements WebSocket.Builder {
  private final WebSocket.Builder builder;
  private final Pings pings;
  private final Consumer<String> silent;

  /**
   * A builder of web sockets.
   *
   * @param silent gets the path of a socket that said nothing for too long
   */
  PingedWebSocketBuilder(WebSocket.Builder builder, Pings pings, Consumer<String> silent) {
    this.builder = builder;
    this.pings = pings;
    this.silent = silent;
  }

  @Override
  public WebSocket.Builder header(String name, String value) {
    builder.header(name, value);
    return this;
  }

  @Override
  public WebSocket.Builder connectTimeout(Duration timeout) {
    builder.connectTimeout(timeout);
    return this;
  }

  @Override
  public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
    builder.subprotocols(mostPreferred, lesserPreferred);
    return this;
  }

  @Override
  public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
    return builder.buildAsync(
        uri, pings.around(listener, why -> silent.accept(uri.getPath() + " " + why)));
  }
}
