package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLPeerUnverifiedException;

/** How one sending of a request ended. */
sealed interface Attempt {
  /** With an answer, whatever its status. */
  record Answered(Answer answer) implements Attempt {}

  /**
   * Without a whole answer.
   *
   * @param sent whether the service may have seen the request
   * @param cancelled by our side: nobody waits for it any more
   */
  record Failed(IOException cause, boolean sent, boolean cancelled) implements Attempt {
    /** Whether the other side's certificate was refused; asking again cannot help. */
    boolean isUntrusted() {
      return isCausedBy(CertificateException.class) || isCausedBy(SSLPeerUnverifiedException.class);
    }

    /** Whether the host may not be asked; asking again cannot help. */
    boolean isNotAllowed() {
      return isCausedBy(HostRules.RefusedException.class);
    }

    /**
     * What stood in the way.
     *
     * @param proxied whether the call goes by way of a proxy
     */
    ServiceError.Obstacle obstacle(boolean proxied) {
      if (isNotAllowed()) {
        return ServiceError.Obstacle.HOST_NOT_ALLOWED;
      }
      if (isUntrusted()) {
        return ServiceError.Obstacle.CERTIFICATE_UNTRUSTED;
      }
      boolean hostUnknown = isCausedBy(UnknownHostException.class);
      boolean refused =
          isCausedBy(ConnectException.class) || isCausedBy(NoRouteToHostException.class);
      if (proxied && !sent) {
        return ServiceError.Obstacle.PROXY; // nothing of the service was reached
      }
      if (hostUnknown) {
        return ServiceError.Obstacle.HOST_UNKNOWN;
      }
      return refused ? ServiceError.Obstacle.CONNECTION_REFUSED : ServiceError.Obstacle.UNKNOWN;
    }

    private boolean isCausedBy(Class<? extends Throwable> type) {
      for (Throwable t = cause; t != null; t = t.getCause()) {
        if (type.isInstance(t)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Not at all: the host asked this connection to send nothing for so long. */
  record Held(Duration left) implements Attempt {}

  /** Not at all: the connection's owner may not change anything now. */
  record Barred() implements Attempt {}

  /** Whether the service may have done what was asked without saying so. */
  default boolean mayBeCarriedOut() {
    return switch (this) {
      case Answered(var answer) -> answer.status() >= 500;
      case Failed failed -> failed.sent();
      case Held _, Barred _ -> false;
    };
  }

  /** 0 without an answer. */
  default int status() {
    return switch (this) {
      case Answered(var answer) -> answer.status();
      case Failed _, Held _, Barred _ -> 0;
    };
  }
}
