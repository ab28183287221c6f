package dev.runnerset.connection;

import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * What an object names to be connected by. The secrets and the config map stand in {@code
 * namespace}.
 */
public record ConnectionKey(
    String namespace,
    String githubConfigUrl,
    String secretName,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls serverTls) {}
