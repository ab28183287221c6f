package dev.runnerset.testcluster;

import java.io.IOException;

/** Three loopback ports that were free a moment ago; somebody may still be faster. */
record Ports(int etcdClients, int etcdPeers, int apiServer) {
  static Ports free() throws IOException {
    return new Ports(FreePort.find(), FreePort.find(), FreePort.find());
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
