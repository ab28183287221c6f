package dev.runnerset.kube.wire;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes the HTTP clients of Kubernetes clients: such that notice when nobody answers any more. */
public final class WakefulHttpClients extends JdkHttpClientFactory {
  private final Duration timeout;
  private final Pings pings;

  /**
   * Clients for the API server.
   *
   * @param timeout of requests that have none of their own
   */
  public WakefulHttpClients(Duration timeout) {
    this(timeout, Pings.DEFAULT);
  }

  WakefulHttpClients(Duration timeout, Pings pings) {
    this.timeout = timeout;
    this.pings = pings;
  }

  /** The builder of the JDK, which can build more than once, but for what it builds. */
  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    var each = super.createNewHttpClientBuilder();
    InvocationHandler calls =
        (proxy, method, arguments) -> {
          if (method.getName().equals("build")) {
            return new RenewedHttpClient(each::build, timeout, pings);
          }
          var answer = invoke(each, method, arguments);
          return answer == each ? proxy : answer;
        };
    return (HttpClient.Builder)
        Proxy.newProxyInstance(
            HttpClient.Builder.class.getClassLoader(),
            new Class<?>[] {HttpClient.Builder.class},
            calls);
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
