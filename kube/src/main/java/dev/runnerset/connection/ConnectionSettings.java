package dev.runnerset.connection;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.http.Route;

/** What a connection is made from, all references read. Secret: never printed. */
public record ConnectionSettings(ConfigUrl url, Credentials credentials, Route route) {
  /** Without proxy and certificate. */
  public static ConnectionSettings direct(ConfigUrl url, Credentials credentials) {
    return new ConnectionSettings(url, credentials, Route.DIRECT);
  }

  @Override
  public String toString() {
    return "ConnectionSettings[" + url + ", hidden]";
  }
}
