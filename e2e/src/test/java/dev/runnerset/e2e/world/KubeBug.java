package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;

/** Passes everything on; a bug differs in one of these. */
class KubeBug extends KubeApi {
  final KubeApi real;

  KubeBug(KubeApi real) {
    super(null);
    this.real = real;
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return real.create(object);
  }

  @Override
  public <T extends HasMetadata> void dryRunCreate(T object) {
    real.dryRunCreate(object);
  }

  @Override
  public <T extends HasMetadata> void strictDryRunCreate(T object) {
    real.strictDryRunCreate(object);
  }

  @Override
  public <T extends HasMetadata> T mergeStatus(Class<T> kind, Resource at, JsonNode status) {
    return real.mergeStatus(kind, at, status);
  }

  @Override
  public <T extends HasMetadata> T mergeStatusBody(Class<T> kind, Resource at, JsonNode body) {
    return real.mergeStatusBody(kind, at, body);
  }

  @Override
  public <T extends HasMetadata> T jsonPatchStatus(Class<T> kind, Resource at, JsonNode ops) {
    return real.jsonPatchStatus(kind, at, ops);
  }

  @Override
  public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
    return real.merge(kind, at, body);
  }

  @Override
  public <T extends HasMetadata> T get(Class<T> kind, Resource at) {
    return real.get(kind, at);
  }

  @Override
  public <T extends HasMetadata> List<T> list(
      Class<T> kind, String namespace, Map<String, String> labels) {
    return real.list(kind, namespace, labels);
  }

  @Override
  public JsonNode getWhole(Resource at) {
    return real.getWhole(at);
  }

  @Override
  public String logEnd(Resource pod, String container) {
    return real.logEnd(pod, container);
  }

  @Override
  public boolean delete(Resource at, Preconditions preconditions) {
    return real.delete(at, preconditions);
  }
}
