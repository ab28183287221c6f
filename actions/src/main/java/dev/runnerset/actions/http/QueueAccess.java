package dev.runnerset.actions.http;

import dev.runnerset.actions.SessionId;
import okhttp3.HttpUrl;

/** What an open session gives: the queue and the right to read it. The token is never printed. */
record QueueAccess(SessionId session, HttpUrl queue, String token) {
  @Override
  public String toString() {
    return "QueueAccess[" + session + ", hidden]";
  }
}
