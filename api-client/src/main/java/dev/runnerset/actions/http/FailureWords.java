package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError.Obstacle;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What a failure of the network means for a user, who need not know the names of Java. */
final class FailureWords {
  private FailureWords() {}

  /**
   * What stands in the way.
   *
   * @param beforeProxy whether the request was to go to a proxy and was not sent
   */
  static Obstacle obstacle(IOException cause, boolean beforeProxy) {
    if (find(cause, HostRules.HttpsNeededException.class) != null) {
      return Obstacle.OTHER_PROTOCOL;
    }
    if (find(cause, HostRules.RefusedException.class) != null) {
      return Obstacle.HOST_NOT_ALLOWED;
    }
    if (find(cause, CertificateExpiredException.class, CertificateNotYetValidException.class)
        != null) {
      return Obstacle.CERTIFICATE_EXPIRED;
    }
    if (find(cause, SSLPeerUnverifiedException.class) != null) {
      return Obstacle.CERTIFICATE_OF_OTHER_HOST;
    }
    if (find(cause, CertificateException.class) != null) {
      return Obstacle.CERTIFICATE_UNTRUSTED;
    }
    if (beforeProxy) {
      return Obstacle.PROXY; // nothing of the service was reached
    }
    if (find(cause, UnknownHostException.class) != null) {
      return Obstacle.HOST_UNKNOWN;
    }
    if (find(cause, ConnectException.class, NoRouteToHostException.class) != null) {
      return Obstacle.CONNECTION_REFUSED;
    }
    // a connection that is reset during TLS says nothing of the protocol
    return find(cause, ProtocolException.class, SSLException.class) != null
            && find(cause, SocketException.class) == null
        ? Obstacle.OTHER_PROTOCOL
        : Obstacle.UNKNOWN;
  }

  /** The failure itself in a few words. */
  static String of(IOException cause, Obstacle obstacle) {
    return switch (obstacle) {
      case CERTIFICATE_EXPIRED -> times(cause);
      case CERTIFICATE_OF_OTHER_HOST -> "the certificate names another host";
      case CERTIFICATE_UNTRUSTED -> "no authority that is trusted has signed the certificate";
      default ->
          switch (cause) {
            case HostRules.RefusedException refused -> words(refused);
            case ProtocolException _ -> "an answer that is not of HTTP"; // it quotes that answer
            case SSLException _ -> "an answer that is not of TLS, or of no version that is known";
            case UnknownHostException _ -> "the host has no address";
            case NoRouteToHostException _ -> "there is no way to the host";
            case ConnectException _ -> "no connection: " + words(cause);
            case InterruptedIOException _ -> "not in time: " + words(cause);
            case EOFException _ -> "the connection was closed early";
            default -> "the connection failed: " + words(cause);
          };
    };
  }

  private static String times(IOException cause) {
    var early = find(cause, CertificateNotYetValidException.class);
    var late = find(cause, CertificateExpiredException.class);
    return early != null
        ? "the certificate is not yet valid (" + words(early) + ")"
        : "the certificate has expired"
            + (late == null || late.getMessage() == null ? "" : " (" + words(late) + ")");
  }

  /** A message without the names of Java's exceptions. */
  private static String words(Throwable failure) {
    return Objects.requireNonNullElse(failure.getMessage(), "")
        .replaceAll("\\b[\\w.$]*(Exception|Error)\\b(: *)?", "");
  }

  private static @Nullable Throwable find(Throwable failure, Class<?>... types) {
    for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
      var found = at;
      if (Stream.of(types).anyMatch(type -> type.isInstance(found))) {
        return found;
      }
    }
    return null;
  }
}
