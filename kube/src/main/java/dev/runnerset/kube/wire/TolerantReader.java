package dev.runnerset.kube.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import dev.runnerset.kube.Unreadable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a resource as its class; only if that fails, or if it is large, the same text once more by
 * {@link PartialReader}. Where the text is not at hand a failure is a failure.
 */
final class TolerantReader extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;

  /** Of our kinds only our own annotations are held: those of others may be large. */
  private static final String OUR_ANNOTATIONS = "runnerset.dev/";

  private final transient ObjectMapper mapper;

  TolerantReader(JsonDeserializer<?> delegate, ObjectMapper mapper) {
    super(delegate);
    this.mapper = mapper;
  }

  /**
   * A text that is being read, of which a part can be read again.
   *
   * @param in the whole of it from its beginning, not marked elsewhere
   */
  record Text(ByteArrayInputStream in, int length) {
    static Text of(ByteArrayInputStream in) {
      return new Text(in, in.available());
    }

    /** The bytes; the position of the stream does not change. */
    byte[] part(long from, long to) throws IOException {
      int position = length - in.available();
      in.reset();
      in.skipNBytes(from);
      var part = in.readNBytes((int) (to - from));
      in.reset();
      in.skipNBytes(position);
      return part;
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> delegate) {
    return new TolerantReader(delegate, mapper);
  }

  @Override
  public @Nullable Object deserialize(JsonParser in, DeserializationContext context)
      throws IOException {
    if (!(context.getAttribute(Text.class) instanceof Text text)
        || !in.hasToken(JsonToken.START_OBJECT)) {
      return trimmed(super.deserialize(in, context));
    }
    long from = in.currentTokenLocation().getByteOffset();
    int depth = in.getParsingContext().getNestingDepth();
    Object whole = null;
    try {
      whole = super.deserialize(in, context);
    } catch (JsonProcessingException e) {
      while (!in.hasToken(JsonToken.END_OBJECT)
          || in.getParsingContext().getNestingDepth() >= depth) {
        if (in.nextToken() == null) {
          throw e;
        }
      }
    }
    long to = in.currentLocation().getByteOffset();
    if (whole != null && to - from <= Unreadable.LARGEST) {
      return trimmed(whole);
    }
    var kind = handledType().asSubclass(HasMetadata.class);
    return trimmed(new PartialReader(mapper).read(text.part(from, to), kind));
  }

  private static @Nullable Object trimmed(@Nullable Object object) {
    if (object instanceof CustomResource<?, ?> resource && resource.getMetadata() != null) {
      var annotations = resource.getMetadata().getAnnotations();
      if (annotations != null && !annotations.isEmpty()) {
        annotations.keySet().removeIf(key -> !key.startsWith(OUR_ANNOTATIONS));
      }
    }
    return object;
  }
}
