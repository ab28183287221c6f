package dev.runnerset.kube.wire;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserSequence;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the object of a watch event once, as it comes, if its kind is registered. The library reads
 * it as a tree, and then as an object. What is read has no managedFields: nothing here needs them,
 * and they are 40 % of a runner. Thread-safe.
 */
public final class ReadResources extends KubernetesSerialization {
  /** The kinds of the library that we watch. The classes of all its kinds would take 6 MiB. */
  private static final List<Class<? extends KubernetesResource>> WATCHED =
      List.of(
          Pod.class,
          Node.class,
          Lease.class,
          Role.class,
          RoleBinding.class,
          PodDisruptionBudget.class,
          Status.class); // of an event that ends a watch

  private final ObjectMapper mapper;

  /** A serialization that knows the kinds of the library that we watch. */
  public ReadResources() {
    this(new ObjectMapper().addMixIn(ObjectMeta.class, WithoutManagedFields.class));
  }

  private ReadResources(ObjectMapper mapper) {
    super(mapper, false);
    this.mapper = mapper;
    WATCHED.forEach(this::registerKubernetesResource);
  }

  @JsonIgnoreProperties("managedFields")
  private interface WithoutManagedFields {}

  @Override
  public <T> T unmarshal(String text, Class<T> kind) {
    return kind == WatchEvent.class ? kind.cast(event(text)) : super.unmarshal(text, kind);
  }

  private WatchEvent event(String text) {
    var event = new WatchEvent();
    try (var in = mapper.createParser(text)) {
      in.nextToken();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        var name = in.currentName();
        in.nextToken();
        if (name.equals("type")) {
          event.setType(in.getText());
        } else if (name.equals("object") && in.isExpectedStartObjectToken()) {
          event.setObject(object(in));
        } else {
          in.skipChildren();
        }
      }
      return event;
    } catch (IOException e) {
      throw new KubernetesClientException("a watch event cannot be read", e);
    }
  }

  /** The API server writes apiVersion and kind before all others. */
  private KubernetesResource object(JsonParser in) throws IOException {
    String apiVersion = null;
    String kind = null;
    try (var begin = new TokenBuffer(in)) {
      begin.copyCurrentEvent(in);
      while ((apiVersion == null || kind == null) && in.nextToken() == JsonToken.FIELD_NAME) {
        var name = in.currentName();
        begin.copyCurrentEvent(in);
        in.nextToken();
        begin.copyCurrentStructure(in);
        if (name.equals("kind")) {
          kind = in.getText();
        } else if (name.equals("apiVersion")) {
          apiVersion = in.getText();
        }
      }
      if (in.hasToken(JsonToken.END_OBJECT)) {
        begin.copyCurrentEvent(in);
      }
      in.clearCurrentToken();
      var all = JsonParserSequence.createFlattened(false, begin.asParser(in), in);
      return mapper.readValue(all, kindOf(apiVersion, kind));
    }
  }

  private Class<? extends KubernetesResource> kindOf(
      @Nullable String apiVersion, @Nullable String kind) {
    var known =
        apiVersion == null || kind == null
            ? null
            : getRegisteredKubernetesResource(apiVersion, kind);
    return known == null ? GenericKubernetesResource.class : known;
  }
}
