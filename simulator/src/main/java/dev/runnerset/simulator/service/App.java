package dev.runnerset.simulator.service;

import java.security.PublicKey;

/**
 * A GitHub App that may use the service.
 *
 * @param issuer its client id, or its number as text (protocol 1.5)
 * @param installation the number of its one installation
 * @param key what its JWTs are verified with
 */
public record App(String issuer, long installation, PublicKey key) {}
