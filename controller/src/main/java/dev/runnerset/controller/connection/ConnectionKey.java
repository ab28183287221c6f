package dev.runnerset.controller.connection;

import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.ServerTls;
import org.jspecify.annotations.Nullable;

/** What a connection is made from; the secret and the config map stand in {@code namespace}. */
public record ConnectionKey(
    String namespace,
    String githubConfigUrl,
    String secretName,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls serverTls) {}
