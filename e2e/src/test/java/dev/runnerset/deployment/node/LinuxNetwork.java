package dev.runnerset.deployment.node;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The calls of the C library that give the calling thread a network of its own. A thread that has
 * one cannot go back: it must be a platform thread that does nothing else.
 */
final class LinuxNetwork {
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final long SIOCSIFFLAGS = 0x8914;
  private static final long SIOCSIFADDR = 0x8916;
  private static final short IFF_UP = 1;

  /** The C structure {@code ifreq}: 16 bytes of name, then what the call is about. */
  private static final int REQUEST_BYTES = 40;

  private static final int NAME_BYTES = 16;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout ERROR = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERROR.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle UNSHARE =
      call("unshare", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle SOCKET =
      call(
          "socket",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT));
  private static final MethodHandle IOCTL =
      call(
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private LinuxNetwork() {}

  /**
   * Moves the calling thread into a new network with a loopback interface, which has this address
   * beside 127.0.0.1. Processes that the thread starts begin in that network.
   *
   * @throws IOException if the system refuses: it takes CAP_SYS_ADMIN
   */
  static void leaveFor(byte[] address) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var error = arena.allocate(ERROR);
      check("unshare", (int) UNSHARE.invokeExact(error, CLONE_NEWNET), error);
      int socket = check("socket", (int) SOCKET.invokeExact(error, AF_INET, SOCK_DGRAM, 0), error);
      try {
        var up = request(arena, "lo");
        up.set(ValueLayout.JAVA_SHORT, NAME_BYTES, IFF_UP);
        check("ioctl up", (int) IOCTL.invokeExact(error, socket, SIOCSIFFLAGS, up), error);
        var own = request(arena, "lo:0");
        own.set(ValueLayout.JAVA_SHORT, NAME_BYTES, (short) AF_INET);
        MemorySegment.copy(address, 0, own, ValueLayout.JAVA_BYTE, NAME_BYTES + 4, address.length);
        check("ioctl address", (int) IOCTL.invokeExact(error, socket, SIOCSIFADDR, own), error);
      } finally {
        int _ = (int) CLOSE.invokeExact(error, socket);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted") // the C library is what this class is for
  private static MethodHandle call(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    var all = new Linker.Option[options.length + 1];
    all[0] = Linker.Option.captureCallState("errno");
    System.arraycopy(options, 0, all, 1, options.length);
    var address = LINKER.defaultLookup().find(name).orElseThrow();
    return LINKER.downcallHandle(address, shape, all);
  }

  private static MemorySegment request(Arena arena, String network) {
    var request = arena.allocate(REQUEST_BYTES, 8);
    MemorySegment.copy(
        network.getBytes(StandardCharsets.US_ASCII),
        0,
        request,
        ValueLayout.JAVA_BYTE,
        0,
        network.length());
    return request;
  }

  private static int check(String what, int answer, MemorySegment error) throws IOException {
    if (answer < 0) {
      throw new IOException(what + " was refused, errno " + (int) ERRNO.get(error, 0L));
    }
    return answer;
  }
}
