package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;

/** A runner by its place, which is also the place of its pod. */
@Pure
record RunnerKey(String namespace, String name) {}
