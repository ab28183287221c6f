package dev.runnerset.actions.http;

import java.util.Arrays;
import java.util.Optional;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Whether the credentials of a connection may rerun jobs, as GitHub says beside other answers
 * (protocol 3.17): an app's token comes with its permissions, and answers to a classic token name
 * its scopes. A fine-grained token says nothing. Thread-safe.
 */
final class GrantedRights {
  private volatile @Nullable Boolean rerun;

  /** The permission <i>Actions</i> of an app's token; empty for none. */
  void ofApp(String actions) {
    rerun = actions.equals("write");
  }

  /** Learns from the headers of any answer. */
  void answered(Headers headers) {
    var scopes = headers.get("X-OAuth-Scopes");
    if (scopes == null) {
      return;
    }
    var all = Arrays.stream(scopes.split(",")).map(String::strip).toList();
    // with public_repo it depends on the repository
    rerun = all.contains("repo") ? Boolean.TRUE : all.contains("public_repo") ? null : false;
  }

  /** Whether jobs may be rerun; empty while it is not known. */
  Optional<Boolean> rerun() {
    return Optional.ofNullable(rerun);
  }
}
