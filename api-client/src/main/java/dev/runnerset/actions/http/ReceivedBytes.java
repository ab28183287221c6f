package dev.runnerset.actions.http;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;

/**
 * What came in on one connection since the last request. The HTTP library bounds neither the lines
 * between the chunks of a body nor what it keeps of them, so they are bounded here, where all bytes
 * come by: one answer has at most {@link #MOST}, and those that have many are under way together as
 * {@link LargeAnswers} lets them.
 */
final class ReceivedBytes implements AutoCloseable {
  /** The longest body, and as much as the library takes of headers, in bytes. */
  static final int MOST = Endpoint.LONGEST_LIST + 256 * 1024;

  /** A request is longer; what TLS sends by itself while an answer comes in is shorter. */
  private static final int REQUEST = 64;

  private final LargeAnswers.Place place;
  private int received; // by the thread of the call that has the connection

  /** Nothing yet. */
  ReceivedBytes(Socket socket) {
    place = LargeAnswers.OF_PROCESS.begin(() -> closed(socket), socket::isClosed);
  }

  private static void closed(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  InputStream counting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int read = in.read();
        add(read < 0 ? 0 : 1);
        return read;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        add(Math.max(0, read));
        return read;
      }
    };
  }

  private void add(int bytes) throws IOException {
    int before = received / LargeAnswers.STEP;
    received += bytes;
    if (received > MOST) {
      throw new SocketException("more than " + MOST + " bytes came as one answer");
    }
    for (int step = before; step < received / LargeAnswers.STEP; step++) {
      place.grow(LargeAnswers.STEP);
    }
  }

  OutputStream resetBy(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        if (length >= REQUEST) {
          received = 0;
          place.close();
        }
        out.write(from, offset, length);
      }
    };
  }

  /** The connection has ended. */
  @Override
  public void close() {
    place.close();
  }
}
