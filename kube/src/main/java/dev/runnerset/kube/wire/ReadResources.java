package dev.runnerset.kube.wire;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.runnerset.kube.Unreadable;
import dev.runnerset.kube.wire.TolerantReader.Text;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the object of a watch event once, as it comes, if its kind is registered. The library reads
 * it as a tree, and then as an object. What is read has no managedFields: nothing here needs them,
 * and they are 40 % of a runner. An object with wrong values is read in part ({@link Unreadable}),
 * so that no object ends a watch or a program. Thread-safe.
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
          Job.class,
          ResourceQuota.class,
          Status.class); // of an event that ends a watch

  /** The API server takes objects of up to 10,000 levels. */
  private static final int DEEPEST = 20_000;

  private final ObjectMapper mapper;

  /** A serialization that knows the kinds of the library that we watch. */
  public ReadResources() {
    this(new ObjectMapper().addMixIn(ObjectMeta.class, WithoutManagedFields.class));
  }

  private ReadResources(ObjectMapper mapper) {
    super(mapper, false);
    this.mapper = mapper;
    mapper
        .getFactory()
        .setStreamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build());
    mapper.registerModule(new SimpleModule().setDeserializerModifier(new Tolerant(mapper)));
    WATCHED.forEach(this::registerKubernetesResource);
  }

  @JsonIgnoreProperties("managedFields")
  private interface WithoutManagedFields {}

  /** Lets no object be lost, whatever it holds. */
  private static final class Tolerant extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1;
    private final transient ObjectMapper mapper;

    Tolerant(ObjectMapper mapper) {
      this.mapper = mapper;
    }

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> reader) {
      return HasMetadata.class.isAssignableFrom(bean.getBeanClass())
          ? new TolerantReader(reader, mapper)
          : reader;
    }
  }

  /**
   * Where there are no web sockets, the library puts NUL characters into a watch event that has a
   * letter beyond ASCII. No JSON text has any.
   */
  @Override
  public <T> T unmarshal(String text, Class<T> kind) {
    return kind == WatchEvent.class
        ? kind.cast(event(text.replace("\0", "").getBytes(StandardCharsets.UTF_8)))
        : super.unmarshal(text, kind);
  }

  /** An answer of the API server, which is JSON; anything else is read as the library does. */
  @Override
  public <T> T unmarshal(InputStream answer, TypeReference<T> type) {
    if (!(answer instanceof ByteArrayInputStream in) || !isJson(in)) {
      return super.unmarshal(answer, type);
    }
    try {
      return mapper.readerFor(type).withAttribute(Text.class, Text.of(in)).readValue(in);
    } catch (IOException e) {
      throw KubernetesClientException.launderThrowable(e);
    }
  }

  /**
   * Of a kind that is not registered the library reads an event as a tree, and then as its kind.
   */
  @Override
  public <T> T convertValue(Object value, Class<T> kind) {
    return HasMetadata.class.isAssignableFrom(kind)
        ? unmarshal(asJson(value), kind)
        : super.convertValue(value, kind);
  }

  private static boolean isJson(ByteArrayInputStream in) {
    int first = in.read();
    in.reset();
    return first == '{';
  }

  private WatchEvent event(byte[] text) {
    var event = new WatchEvent();
    var whole = new ByteArrayInputStream(text);
    try (var in = mapper.createParser(whole)) {
      in.nextToken();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        var name = in.currentName();
        in.nextToken();
        if (name.equals("type")) {
          event.setType(in.getText());
        } else if (name.equals("object") && in.isExpectedStartObjectToken()) {
          int from = (int) in.currentTokenLocation().getByteOffset();
          KubernetesResource object =
              mapper
                  .readerFor(kindIn(text, from))
                  .withAttribute(Text.class, new Text(whole, text.length))
                  .readValue(in);
          event.setObject(object);
        } else {
          in.skipChildren();
        }
      }
      return event;
    } catch (IOException e) {
      throw new KubernetesClientException("a watch event cannot be read", e);
    }
  }

  /** Looks ahead: the API server writes apiVersion and kind before all others. */
  private Class<? extends KubernetesResource> kindIn(byte[] text, int from) throws IOException {
    String apiVersion = null;
    String kind = null;
    try (var in = mapper.createParser(text, from, text.length - from)) {
      in.nextToken();
      while ((apiVersion == null || kind == null) && in.nextToken() == JsonToken.FIELD_NAME) {
        var name = in.currentName();
        in.nextToken();
        if (name.equals("kind")) {
          kind = in.getText();
        } else if (name.equals("apiVersion")) {
          apiVersion = in.getText();
        } else {
          in.skipChildren();
        }
      }
    }
    return kindOf(apiVersion, kind);
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
