package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * An object of a case, which is gone after the case.
 *
 * @param first as it was created
 */
record Made(Api api, String path, JsonNode first) implements AutoCloseable {

  JsonNode get() throws IOException, InterruptedException {
    return api.get(path).expect(200);
  }

  boolean isGone() throws IOException, InterruptedException {
    return api.get(path).code() == 404;
  }

  /** The object as it was created, to be changed and put. */
  ObjectNode copy() {
    return first.deepCopy();
  }

  Api.Answer merge(String patch) throws IOException, InterruptedException {
    return api.merge(path, patch);
  }

  Api.Answer mergeStatus(String patch) throws IOException, InterruptedException {
    return api.merge(path + "/status", patch);
  }

  Api.Answer delete(String options) throws IOException, InterruptedException {
    return api.delete(path, options);
  }

  /** Ends at once whatever holds it. */
  @Override
  public void close() throws IOException {
    try {
      if (!isGone()) {
        merge("{metadata: {finalizers: null}}");
        delete("{gracePeriodSeconds: 0}");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
