package dev.runnerset.testcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A folder that holds the programs of a control plane under their own names. */
record Programs(Path folder) {
  Path etcd() {
    return folder.resolve("etcd");
  }

  Path apiServer() {
    return folder.resolve("kube-apiserver");
  }

  Path controllers() {
    return folder.resolve("kube-controller-manager");
  }

  /** Optional, as only the tests of placement need it. */
  Optional<Path> scheduler() {
    return optional("kube-scheduler");
  }

  /** Optional, as nothing but a test of its output needs it. */
  Optional<Path> kubectl() {
    return optional("kubectl");
  }

  /** Optional, as only the tests of the charts need it. */
  Optional<Path> helm() {
    return optional("helm");
  }

  private Optional<Path> optional(String program) {
    return Optional.of(folder.resolve(program)).filter(Files::isExecutable);
  }
}
