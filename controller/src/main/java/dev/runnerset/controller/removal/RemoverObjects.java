package dev.runnerset.controller.removal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalLong;

/** What the remover reads and writes of Kubernetes objects. Every call is one request. */
interface RemoverObjects {
  /** The runner id in the runner's secret, read live; empty when there is no secret or no id. */
  OptionalLong runnerIdInSecret(EphemeralRunner runner);

  /** Writes {@code status.removal}, and nothing else. */
  void writeRemoval(EphemeralRunner runner, RunnerRemoval removal);

  /** Deletes the resource, whatever its state; false when it was gone. */
  boolean delete(EphemeralRunner runner);

  /** Deletes the resource unless it has changed; false when it was gone or had. */
  boolean deleteUnchanged(EphemeralRunner runner);

  /** The objects at the API server. */
  final class AtApiServer implements RemoverObjects {
    private final KubeApi kube;

    AtApiServer(KubeApi kube) {
      this.kube = kube;
    }

    @Override
    public OptionalLong runnerIdInSecret(EphemeralRunner runner) {
      var meta = runner.getMetadata();
      var at = Resource.of(Secret.class, meta.getNamespace(), meta.getName());
      var secret = kube.get(Secret.class, at);
      if (secret == null || secret.getData() == null || !isOwnedBy(secret, meta.getUid())) {
        return OptionalLong.empty();
      }
      var encoded = secret.getData().get("runnerId");
      return encoded == null ? OptionalLong.empty() : id(encoded);
    }

    private static boolean isOwnedBy(Secret secret, String uid) {
      return secret.getMetadata().getOwnerReferences().stream()
          .anyMatch(o -> uid.equals(o.getUid()));
    }

    private static OptionalLong id(String encoded) {
      try {
        var text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        return OptionalLong.of(Long.parseLong(text.strip()));
      } catch (IllegalArgumentException e) {
        return OptionalLong.empty(); // somebody wrote it by hand: the name tells as well
      }
    }

    @Override
    public void writeRemoval(EphemeralRunner runner, RunnerRemoval removal) {
      var status = JsonNodeFactory.instance.objectNode();
      status
          .putObject("removal")
          .put("busySuspectUntil", String.valueOf(removal.busySuspectUntil()))
          .put("refusals", removal.refusals());
      kube.mergeStatus(EphemeralRunner.class, Resource.of(runner), status);
    }

    @Override
    public boolean delete(EphemeralRunner runner) {
      return kube.delete(Resource.of(runner), Preconditions.uid(runner));
    }

    @Override
    public boolean deleteUnchanged(EphemeralRunner runner) {
      return kube.delete(Resource.of(runner), Preconditions.unchanged(runner));
    }
  }
}
