package dev.runnerset.deployment.node;

import dev.runnerset.deployment.node.ContainerProcess.Identity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The folders behind the volumes of a pod, written once, at its start: empty folders, and what the
 * API server adds to each pod: a token that is bound to it, the cluster's certificate, the
 * namespace.
 */
final class PodVolumes {
  private final KubernetesClient client;
  private final Pod pod;
  private final ContainerEnvironment fields;
  private final Identity owner;
  private final Map<String, Path> folders = new HashMap<>();

  /** A folder or file of this machine, and where the container sees it. */
  record Mount(Path source, String target, boolean readOnly) {}

  PodVolumes(KubernetesClient client, Pod pod, ContainerEnvironment fields, Identity owner) {
    this.client = client;
    this.pod = pod;
    this.fields = fields;
    this.owner = owner;
  }

  /** Writes all volumes below this folder. */
  void write(Path below) throws IOException {
    for (var volume : pod.getSpec().getVolumes()) {
      var folder = Files.createDirectories(below.resolve(volume.getName()));
      folders.put(volume.getName(), folder);
      write(volume, folder);
    }
  }

  private void write(Volume volume, Path folder) throws IOException {
    if (volume.getEmptyDir() != null) {
      own(folder, "rwxrwxrwx");
    } else if (volume.getProjected() != null) {
      for (var source : volume.getProjected().getSources()) {
        project(source, folder);
      }
    } else {
      throw new UnplayableException("this node cannot mount the volume " + volume.getName());
    }
  }

  private void project(VolumeProjection source, Path folder) throws IOException {
    if (source.getServiceAccountToken() != null) {
      var token = source.getServiceAccountToken();
      file(folder.resolve(token.getPath()), token(token), "rw-r-----");
    } else if (source.getConfigMap() != null) {
      var maps = client.configMaps().inNamespace(pod.getMetadata().getNamespace());
      var data = maps.withName(source.getConfigMap().getName()).require().getData();
      for (var item : source.getConfigMap().getItems()) {
        var value = Objects.requireNonNull(data.get(item.getKey()), item.getKey());
        file(folder.resolve(item.getPath()), value, "rw-r--r--");
      }
    } else if (source.getDownwardAPI() != null) {
      for (var item : source.getDownwardAPI().getItems()) {
        var path = item.getFieldRef().getFieldPath();
        file(folder.resolve(item.getPath()), fields.field(path), "rw-r--r--");
      }
    } else {
      throw new UnplayableException("this node does not know a source of a projected volume");
    }
  }

  private String token(ServiceAccountTokenProjection wanted) {
    var meta = pod.getMetadata();
    var request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(wanted.getExpirationSeconds())
            .withAudiences(wanted.getAudience() == null ? List.of() : List.of(wanted.getAudience()))
            .withNewBoundObjectRef("v1", "Pod", meta.getName(), meta.getUid())
            .endSpec()
            .build();
    return client
        .serviceAccounts()
        .inNamespace(meta.getNamespace())
        .withName(pod.getSpec().getServiceAccountName())
        .tokenRequest(request)
        .getStatus()
        .getToken();
  }

  private void file(Path file, String text, String mode) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    own(Files.writeString(file, text), mode);
  }

  private void own(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    Files.setAttribute(path, "unix:uid", owner.user());
    Files.setAttribute(path, "unix:gid", owner.volumeGroup());
  }

  /** What the container sees of them. */
  List<Mount> of(Container container) {
    var mounts = new ArrayList<Mount>();
    for (var mount : container.getVolumeMounts()) {
      var folder = Objects.requireNonNull(folders.get(mount.getName()), mount.getName());
      var readOnly = Boolean.TRUE.equals(mount.getReadOnly());
      mounts.add(new Mount(folder, mount.getMountPath(), readOnly));
    }
    return List.copyOf(mounts);
  }
}
