package dev.runnerset.simulator.service;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often something happened, by name. Thread-safe. */
final class Counters {
  private final Map<String, LongAdder> byName = new ConcurrentHashMap<>();

  void count(String name) {
    byName.computeIfAbsent(name, n -> new LongAdder()).increment();
  }

  Map<String, Long> snapshot() {
    var snapshot = new TreeMap<String, Long>();
    byName.forEach((name, count) -> snapshot.put(name, count.sum()));
    return snapshot;
  }
}
