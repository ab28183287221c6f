package dev.runnerset.simulator.service;

import java.util.List;
import java.util.stream.Stream;

/**
 * The page of a list that a request of the REST API asks for.
 *
 * @param size how many elements a page has
 * @param number counted from 1
 */
record Paging(int size, int number) {
  private static final int USUAL = 30;
  private static final int MAX = 100;

  static Paging of(Request request) {
    return new Paging(
        Math.clamp(number(request, "per_page", USUAL), 1, MAX),
        Math.max(1, number(request, "page", 1)));
  }

  <T> Stream<T> of(List<T> all) {
    return all.stream().skip((number - 1L) * size).limit(size);
  }

  /** How many pages there are. */
  int pages(int elements) {
    return Math.max(1, (elements + size - 1) / size);
  }

  private static int number(Request request, String name, int otherwise) {
    return request.parameter(name).flatMap(Numbers::parse).orElse(otherwise);
  }
}
