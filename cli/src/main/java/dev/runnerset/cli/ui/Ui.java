package dev.runnerset.cli.ui;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.cluster.Selection;
import java.io.IOException;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;

/** The page with what it needs: the server, and what follows the cluster. */
public final class Ui implements AutoCloseable {
  private static final Duration FIRST = Duration.ofSeconds(60);

  private final FleetWatch watch;
  private final UiServer server;

  private Ui(FleetWatch watch, UiServer server) {
    this.watch = watch;
    this.server = server;
  }

  /**
   * Follows the cluster and serves the page from now on.
   *
   * @param port on loopback; 0 for a free one
   * @param stage what the page may do; {@link Stage#NONE} if it only shows
   * @throws ClusterException with one sentence, if the cluster cannot be used or the port is taken
   */
  public static Ui start(Cluster cluster, Selection selection, int port, Stage stage, Clock clock)
      throws InterruptedException {
    var model = new FleetModel();
    UiServer server;
    try {
      server = new UiServer(port, stage != Stage.NONE, cluster, model, stage, clock);
    } catch (BindException e) {
      throw new ClusterException(
          "The port %d is taken: name another one with --port, or 0 for any free one"
              .formatted(port));
    } catch (IOException e) {
      throw new ClusterException("No server can be started on loopback: " + e.getMessage());
    }
    var watch = new FleetWatch(cluster, selection, model, clock);
    try {
      watch.awaitFirst(FIRST);
    } catch (ClusterException | InterruptedException e) {
      watch.close();
      server.close();
      throw e;
    }
    return new Ui(watch, server);
  }

  /** The URL for the first visit, which works once. */
  public String entryUrl() {
    return server.entryUrl();
  }

  /** Waits until a browser shows the page, or so long; whether one does. */
  public boolean awaitVisitor(Duration atMost) throws InterruptedException {
    return server.awaitVisitor(atMost);
  }

  @Override
  public void close() {
    watch.close();
    server.close();
  }
}
