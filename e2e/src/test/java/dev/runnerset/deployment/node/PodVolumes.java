package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.KeyToPath;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folders behind the volumes of a pod, written once, at its start: empty folders, config maps,
 * secrets, the downward API, and service account tokens that are bound to the pod.
 */
final class PodVolumes {
  private final KubernetesClient client;
  private final Pod pod;
  private final ContainerEnvironment fields;
  private final ContainerEnvironment.Values values;
  private final Owner owner;
  private final Map<String, Path> folders = new HashMap<>();

  /** Whose the files are: the container's user, and the pod's {@code fsGroup}. */
  record Owner(int user, Optional<Long> group) {}

  /** A folder or file of this machine, and where the container sees it. */
  record Mount(Path source, String target, boolean readOnly) {}

  PodVolumes(
      KubernetesClient client,
      Pod pod,
      ContainerEnvironment fields,
      ContainerEnvironment.Values values,
      Owner owner) {
    this.client = client;
    this.pod = pod;
    this.fields = fields;
    this.values = values;
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
    } else if (volume.getConfigMap() != null) {
      var map = volume.getConfigMap();
      write(values.configMap(map.getName()), map.getItems(), map.getOptional(), folder);
    } else if (volume.getSecret() != null) {
      var secret = volume.getSecret();
      write(values.secret(secret.getSecretName()), secret.getItems(), secret.getOptional(), folder);
    } else {
      throw new UnplayableException("this node cannot mount the volume " + volume.getName());
    }
  }

  private void project(VolumeProjection source, Path folder) throws IOException {
    if (source.getServiceAccountToken() != null) {
      var token = source.getServiceAccountToken();
      file(
          folder.resolve(token.getPath()),
          token(token),
          owner.group().isEmpty() ? "rw-------" : "rw-r-----");
    } else if (source.getConfigMap() != null) {
      var map = source.getConfigMap();
      write(values.configMap(map.getName()), map.getItems(), map.getOptional(), folder);
    } else if (source.getSecret() != null) {
      var secret = source.getSecret();
      write(values.secret(secret.getName()), secret.getItems(), secret.getOptional(), folder);
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

  private void write(
      Optional<Map<String, String>> data,
      List<KeyToPath> items,
      @Nullable Boolean optional,
      Path folder)
      throws IOException {
    if (data.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new UnplayableException("what volume " + folder.getFileName() + " names is not there");
    }
    var known = data.orElse(Map.of());
    if (items.isEmpty()) {
      for (var entry : known.entrySet()) {
        file(folder.resolve(entry.getKey()), entry.getValue(), "rw-r--r--");
      }
    }
    for (var item : items) {
      var value = known.get(item.getKey());
      if (value == null) {
        throw new UnplayableException("references non-existent config key: " + item.getKey());
      }
      file(folder.resolve(item.getPath()), value, "rw-r--r--");
    }
  }

  private void file(Path file, String text, String mode) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    own(Files.writeString(file, text), mode);
  }

  private void own(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    Files.setAttribute(path, "unix:uid", owner.user());
    if (owner.group().isPresent()) {
      Files.setAttribute(path, "unix:gid", Math.toIntExact(owner.group().get()));
    }
  }

  /** What the container sees of them. */
  List<Mount> of(Container container) {
    var mounts = new ArrayList<Mount>();
    for (var mount : container.getVolumeMounts()) {
      var folder = Objects.requireNonNull(folders.get(mount.getName()), mount.getName());
      var source = mount.getSubPath() == null ? folder : folder.resolve(mount.getSubPath());
      var readOnly = Boolean.TRUE.equals(mount.getReadOnly());
      mounts.add(new Mount(source, mount.getMountPath(), readOnly));
    }
    return List.copyOf(mounts);
  }
}
