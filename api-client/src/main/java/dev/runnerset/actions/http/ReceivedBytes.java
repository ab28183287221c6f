package dev.runnerset.actions.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What comes in on one connection of HTTP/1.1, counted for the call whose thread reads it. The HTTP
 * library bounds neither the lines between the chunks of a body nor what it keeps of them, so they
 * are bounded here, where all bytes come by.
 */
final class ReceivedBytes extends FilterInputStream {
  ReceivedBytes(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    count(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    count(Math.max(0, read));
    return read;
  }

  private static void count(int bytes) throws IOException {
    // what TLS reads to close a connection is of no call, and is dropped at once
    if (LargeAnswers.OF_CALL.isBound()) {
      LargeAnswers.OF_CALL.get().receive(bytes);
    }
  }
}
