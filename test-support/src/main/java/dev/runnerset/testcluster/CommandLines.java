package dev.runnerset.testcluster;

import java.nio.file.Path;
import java.util.List;

/** How the programs are called. */
final class CommandLines {
  private final Programs programs;
  private final Workspace workspace;
  private final Ports ports;

  CommandLines(Programs programs, Workspace workspace, Ports ports) {
    this.programs = programs;
    this.workspace = workspace;
    this.ports = ports;
  }

  /** Without fsync: the data need not outlive the process. */
  List<String> etcd() {
    return List.of(
        programs.etcd().toString(),
        "--name=test",
        "--data-dir=" + path("etcd"),
        "--unsafe-no-fsync",
        "--log-level=warn",
        "--listen-client-urls=" + ports.etcdUrl(),
        "--advertise-client-urls=" + ports.etcdUrl(),
        "--listen-peer-urls=" + ports.etcdPeerUrl(),
        "--initial-advertise-peer-urls=" + ports.etcdPeerUrl(),
        "--initial-cluster=test=" + ports.etcdPeerUrl());
  }

  /**
   * The limits of requests in flight are some times the defaults (400, 200): a burst of a test
   * shall meet the speed of the machine, not a 429. The audit log never rotates: its reader counts.
   */
  List<String> apiServer(boolean controllers) {
    return List.of(
        programs.apiServer().toString(),
        "--etcd-servers=" + ports.etcdUrl(),
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--secure-port=" + ports.apiServer(),
        "--endpoint-reconciler-type=none",
        "--cert-dir=" + path("certs"),
        "--tls-cert-file=" + path("server.crt"),
        "--tls-private-key-file=" + path("server.key"),
        "--client-ca-file=" + path("ca.crt"),
        "--token-auth-file=" + path("users.csv"),
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + path("tokens.crt"),
        "--service-account-signing-key-file=" + path("tokens.key"),
        "--service-cluster-ip-range=10.96.0.0/16",
        "--authorization-mode=Node,RBAC",
        "--allow-privileged=true",
        // Nobody makes the service accounts "default" that this plugin asks of every pod.
        controllers
            ? "--enable-admission-plugins=ServiceAccount"
            : "--disable-admission-plugins=ServiceAccount",
        "--audit-policy-file=" + path("audit-policy.yaml"),
        "--audit-log-path=" + workspace.auditLog(),
        "--audit-log-maxsize=100000",
        "--max-requests-inflight=3000",
        "--max-mutating-requests-inflight=1500");
  }

  /** The default of 20 requests a second is slow for tests. */
  List<String> controllers() {
    return List.of(
        programs.controllers().toString(),
        "--kubeconfig=" + path("controllers.kubeconfig"),
        "--secure-port=0",
        "--leader-elect=false",
        "--use-service-account-credentials=true",
        "--controllers=*",
        "--service-account-private-key-file=" + path("tokens.key"),
        "--root-ca-file=" + path("ca.crt"),
        "--cluster-signing-cert-file=" + path("ca.crt"),
        "--cluster-signing-key-file=" + path("ca.key"),
        "--kube-api-qps=500",
        "--kube-api-burst=1000");
  }

  List<String> scheduler(Path program) {
    return List.of(
        program.toString(),
        "--kubeconfig=" + path("scheduler.kubeconfig"),
        "--secure-port=0",
        "--leader-elect=false");
  }

  private String path(String name) {
    return workspace.file(name).toString();
  }
}
