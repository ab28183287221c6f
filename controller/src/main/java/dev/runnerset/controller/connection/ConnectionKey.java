package dev.runnerset.controller.connection;

import dev.runnerset.crd.ProxySettings;
import dev.runnerset.crd.ServerTls;
import org.jspecify.annotations.Nullable;

/** What a connection is made from; the secret and the config map stand in {@code namespace}. */
public record ConnectionKey(
    String namespace,
    String githubConfigUrl,
    String secretName,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls serverTls) {}
