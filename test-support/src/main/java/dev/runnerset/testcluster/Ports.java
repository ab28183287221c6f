package dev.runnerset.testcluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Three loopback ports that were free a moment ago; somebody may still be faster. */
record Ports(int etcdClients, int etcdPeers, int apiServer) {
  static Ports free() throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ServerSocket a = new ServerSocket(0, 1, loopback);
        ServerSocket b = new ServerSocket(0, 1, loopback);
        ServerSocket c = new ServerSocket(0, 1, loopback)) {
      return new Ports(a.getLocalPort(), b.getLocalPort(), c.getLocalPort());
    }
  }

  String etcdUrl() {
    return "http://127.0.0.1:" + etcdClients;
  }

  String etcdPeerUrl() {
    return "http://127.0.0.1:" + etcdPeers;
  }

  String apiServerUrl() {
    return "https://127.0.0.1:" + apiServer;
  }
}
