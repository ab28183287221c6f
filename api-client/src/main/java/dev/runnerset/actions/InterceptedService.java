package dev.runnerset.actions;

import dev.runnerset.base.Intercepted;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A service of which each call goes through an interceptor; so do the calls of its sessions. */
public final class InterceptedService {
  /** The scale set of calls that name none, such as removals. */
  public static final ScaleSetId NO_SCALE_SET = new ScaleSetId(0);

  private static final Set<String> CALLS_OF_SESSION = Set.of("poll", "acquire", "acknowledge");

  private InterceptedService() {}

  /** What happens around a call: it is counted or measured, waits for its turn, or is not sent. */
  @FunctionalInterface
  public interface Interceptor {
    /**
     * Makes one call, or throws in its place. Runs on the thread of the call.
     *
     * @param method the name of the method of {@link ActionsService}, or {@code poll}, {@code
     *     acquire} or {@code acknowledge} of a session
     * @param scaleSet the one that the call names, or {@link #NO_SCALE_SET}
     * @param call sends the call; throws {@link ServiceException} for each failure, for that of a
     *     removal too
     * @return what the call returned; null for a call without an answer
     */
    @Nullable Object call(String method, ScaleSetId scaleSet, Supplier<@Nullable Object> call);
  }

  /** The same service; to close it closes that one, without the interceptor. */
  public static ActionsService of(ActionsService service, Interceptor interceptor) {
    return Intercepted.of(
        ActionsService.class,
        service,
        (method, arguments, call) ->
            arguments == null
                ? call.get() // it is closed
                : intercepted(
                    interceptor,
                    method,
                    arguments[0] instanceof ScaleSetId id ? id : NO_SCALE_SET,
                    call));
  }

  private static @Nullable Object intercepted(
      Interceptor interceptor,
      Method method,
      ScaleSetId scaleSet,
      Supplier<@Nullable Object> send) {
    try {
      return interceptor.call(
          method.getName(),
          scaleSet,
          () ->
              switch (send.get()) {
                case RemoveRunnerResult.Failed(var error) -> throw new ServiceException(error);
                case OpenSessionResult.Opened(var session) ->
                    new OpenSessionResult.Opened(of(session, scaleSet, interceptor));
                case null -> null;
                case Object answer -> answer;
              });
    } catch (ServiceException e) {
      if (method.getReturnType() == RemoveRunnerResult.class) {
        return new RemoveRunnerResult.Failed(e.error());
      }
      throw e;
    }
  }

  private static MessageSession of(
      MessageSession session, ScaleSetId scaleSet, Interceptor interceptor) {
    return Intercepted.of(
        MessageSession.class,
        session,
        (method, _, call) ->
            CALLS_OF_SESSION.contains(method.getName())
                ? interceptor.call(method.getName(), scaleSet, call)
                : call.get());
  }
}
