package dev.runnerset.crds;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.runnerset.base.FieldProblem;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A pod template as the user wrote it. A user may write a value of a wrong type where the schema
 * does not refuse it, so the template is read as a pod template only when one is needed, and not
 * when its object is read. It is held as packed bytes, once for all objects that have it; what was
 * read of it is kept while there is memory. Two templates are equal if they differ at most in the
 * order of keys. Immutable, thread-safe.
 */
@JsonSerialize(using = StoredTemplate.Writer.class)
@JsonDeserialize(using = StoredTemplate.Reader.class)
public final class StoredTemplate {
  /** More than any pod template needs, and little enough for recursion. */
  private static final int DEEPEST = 100;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads the types of the library as the client does. */
  private static final ObjectMapper TYPES = new ObjectMapper();

  private static final KubernetesSerialization CONFIGURED =
      new KubernetesSerialization(TYPES, false); // that loads no class of a kind

  // guarded by itself
  private static final Map<StoredTemplate, WeakReference<StoredTemplate>> KNOWN =
      new WeakHashMap<>();

  private final byte[] packed;
  private final int hash;
  private volatile SoftReference<Content> content = new SoftReference<>(null);

  /** What a template says. */
  public sealed interface Content {
    /** A pod template; not to be changed, since others have it, too. */
    record Readable(PodTemplateSpec template) implements Content {}

    /** The first value that a pod template cannot have. */
    record Unreadable(FieldProblem problem) implements Content {}
  }

  private StoredTemplate(byte[] packed) {
    this.packed = packed;
    this.hash = Arrays.hashCode(packed);
  }

  /** The template with that content. */
  public static StoredTemplate of(PodTemplateSpec template) {
    return of(CONFIGURED.convertValue(template, JsonNode.class));
  }

  /**
   * The template with that content, of any form.
   *
   * @throws IllegalArgumentException if it is nested too deeply
   */
  public static StoredTemplate of(JsonNode tree) {
    var template = new StoredTemplate(pack(CanonicalJson.of(tree, DEEPEST)));
    synchronized (KNOWN) {
      var reference = KNOWN.get(template);
      var known = reference == null ? null : reference.get();
      if (known != null) {
        return known;
      }
      KNOWN.put(template, new WeakReference<>(template));
      return template;
    }
  }

  /** What it says. */
  public Content content() {
    var read = content.get();
    if (read == null) {
      read = read();
      content = new SoftReference<>(read);
    }
    return read;
  }

  private Content read() {
    var tree = tree();
    try {
      var template = TYPES.treeToValue(tree, PodTemplateSpec.class);
      return new Content.Readable(template == null ? new PodTemplateSpec() : template);
    } catch (JsonProcessingException e) {
      return new Content.Unreadable(FieldProblem.of(e, tree));
    }
  }

  /** The pod template, or null if it is none. */
  public @Nullable PodTemplateSpec podTemplate() {
    return content() instanceof Content.Readable(var template) ? template : null;
  }

  /** Its fields as they were written, in the order of their names. */
  public JsonNode tree() {
    try {
      return JSON.readTree(unpacked());
    } catch (IOException e) {
      throw new UncheckedIOException("what was packed here is JSON", e);
    }
  }

  private static byte[] pack(JsonNode tree) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(bytes)) {
      out.write(tree.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private byte[] unpacked() throws IOException {
    try (var in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof StoredTemplate template
            && hash == template.hash
            && Arrays.equals(packed, template.packed));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** No content: it may hold values of environments. */
  @Override
  public String toString() {
    return "StoredTemplate[" + Integer.toHexString(hash) + "]";
  }

  static final class Reader extends JsonDeserializer<StoredTemplate> {
    @Override
    public StoredTemplate deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      JsonNode tree = in.readValueAsTree();
      try {
        return of(tree);
      } catch (IllegalArgumentException tooDeep) {
        return context.reportInputMismatch(
            StoredTemplate.class, "no pod template is nested deeper than %d levels", DEEPEST);
      }
    }
  }

  static final class Writer extends JsonSerializer<StoredTemplate> {
    @Override
    public void serialize(
        StoredTemplate template, JsonGenerator out, SerializerProvider serializers)
        throws IOException {
      out.writeTree(template.tree());
    }

    @Override
    public boolean isEmpty(SerializerProvider serializers, @Nullable StoredTemplate template) {
      return template == null;
    }
  }
}
