package dev.runnerset.controller.features.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.removal.NodeFate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Why nodes are to be left, and by which runners (SD10). */
final class NodeStateTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  private static final String DISRUPTED = "karpenter.sh/disrupted";
  private static final String TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";

  /**
   * A row of the table.
   *
   * @param seen what is seen of the node: seconds, then {@code cordon} and taints, {@code +}
   *     between
   * @param madeAt when the runner was made, in seconds
   * @param leaveFrom in seconds; null if the runner stays
   */
  private record Row(
      String about,
      List<String> seen,
      int madeAt,
      @Nullable Integer leaveFrom,
      @Nullable String taint,
      boolean candidate) {
    @Override
    public String toString() {
      return about;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("neither", List.of("0"), -60, null, null, false),
        new Row("another taint", List.of("0 nvidia.com/gpu"), -60, null, null, false),
        new Row("cordoned", List.of("0 cordon"), -60, 0, null, false),
        new Row("cordoned, made 29 s later", List.of("0 cordon"), 29, 0, null, false),
        new Row(
            "cordoned, made 30 s later: it tolerates it", of("0 cordon"), 30, null, null, false),
        new Row("seen again", List.of("0 cordon", "60 cordon"), 30, null, null, false),
        new Row("uncordoned", List.of("0 cordon", "60"), -60, null, null, false),
        new Row("cordoned anew", of("0 cordon", "60", "90 cordon"), 60, 90, null, false),
        new Row("tainted", List.of("0 " + DISRUPTED), -60, 3, DISRUPTED, false),
        new Row("tainted, tolerated", List.of("0 " + DISRUPTED), 30, null, DISRUPTED, false),
        new Row("a heartbeat", of("0 " + DISRUPTED, "9 " + DISRUPTED), 0, 3, DISRUPTED, false),
        new Row("taint gone", List.of("0 " + DISRUPTED, "9"), -60, null, null, false),
        new Row(
            "cordoned, tolerated, and tainted later",
            List.of("0 cordon", "300 cordon+" + DISRUPTED),
            60,
            303,
            DISRUPTED,
            false),
        new Row(
            "the taint goes, the cordon stays: its time, too",
            List.of("0 cordon", "300 cordon+" + DISRUPTED, "400 cordon"),
            60,
            null,
            null,
            false),
        new Row(
            "two taints: the first is named",
            List.of("0 " + TO_BE_DELETED, "9 " + DISRUPTED + "+" + TO_BE_DELETED),
            -60,
            3,
            TO_BE_DELETED,
            false),
        new Row("candidate", of("0 " + LeavingTaints.CANDIDATE), -60, null, null, true),
        new Row(
            "candidate and cordoned",
            of("0 cordon+" + LeavingTaints.CANDIDATE),
            -60,
            0,
            null,
            true));
  }

  private static List<String> of(String... seen) {
    return List.of(seen);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void sd10WhatBecomesOfTheNodeOfARunner(Row row) {
    var nodes = new LeavingNodes(LeavingTaints.DEFAULT);
    row.seen().forEach(seen -> see(nodes, seen));
    var fate = nodes.of("a", T0.plusSeconds(row.madeAt()));
    var leaveFrom = row.leaveFrom();
    assertThat(fate.leaveFrom()).isEqualTo(leaveFrom == null ? null : T0.plusSeconds(leaveFrom));
    assertThat(fate.taint()).isEqualTo(row.taint());
    assertThat(fate.endsFrom() == null).isEqualTo(row.taint() == null);
    assertThat(fate.candidate()).isEqualTo(row.candidate());
    assertThat(nodes.of("b", T0)).isEqualTo(NodeFate.STAYS);
    assertThat(nodes.of(null, T0)).isEqualTo(NodeFate.STAYS);
  }

  private static boolean see(LeavingNodes nodes, String seen) {
    var parts = seen.split(" ");
    var words = parts.length == 1 ? List.<String>of() : Arrays.asList(parts[1].split("\\+"));
    return nodes.seen(
        "a",
        words.contains("cordon"),
        words.stream().filter(word -> !word.equals("cordon")).toList(),
        T0.plusSeconds(Long.parseLong(parts[0])));
  }

  /** What makes a pass, and what only another view. */
  @ParameterizedTest
  @CsvSource({
    "0 cordon, 9 cordon, false, false",
    "0, 9, false, false",
    "0 nvidia.com/gpu, 9, false, false",
    "0, 9 cordon, true, true",
    "0 cordon, 9, true, true",
    "0 cordon, 9 cordon+karpenter.sh/disrupted, true, true",
    "0, 9 DeletionCandidateOfClusterAutoscaler, false, true",
    "0 DeletionCandidateOfClusterAutoscaler, 9, false, true",
  })
  void aHeartbeatIsNoNews(String before, String now, boolean isNews, boolean isNewVersion) {
    var nodes = new LeavingNodes(LeavingTaints.DEFAULT);
    see(nodes, before);
    long version = nodes.version();
    assertThat(see(nodes, now)).isEqualTo(isNews);
    assertThat(nodes.version() != version).isEqualTo(isNewVersion);
  }

  @Test
  void aNodeThatIsGoneIsForgotten() {
    var nodes = new LeavingNodes(LeavingTaints.DEFAULT);
    assertThat(nodes.gone("a")).isFalse();
    assertThat(see(nodes, "0 cordon")).isTrue();
    assertThat(nodes.gone("a")).isTrue();
    assertThat(nodes.of("a", T0)).isEqualTo(NodeFate.STAYS);
  }

  /** Each time it comes it counts from later on: never, if it comes and goes each second. */
  @Test
  void sd10ATaintThatComesAndGoesCountsForNothing() {
    var nodes = new LeavingNodes(LeavingTaints.DEFAULT);
    for (int second = 0; second < 60; second += 2) {
      see(nodes, second + " " + DISRUPTED);
      assertThat(nodes.of("a", T0).leaveFrom()).isAfter(T0.plusSeconds(second + 1));
      see(nodes, String.valueOf(second + 1));
      assertThat(nodes.of("a", T0)).isEqualTo(NodeFate.STAYS);
    }
  }

  @Test
  void sd10WithoutTaintsOnlyCordonsCount() {
    var nodes = new LeavingNodes(new LeavingTaints(false, Set.of()));
    assertThat(see(nodes, "0 " + DISRUPTED)).isFalse();
    assertThat(see(nodes, "9 cordon+" + DISRUPTED)).isTrue();
    assertThat(nodes.of("a", T0)).isEqualTo(new NodeFate(T0.plusSeconds(9), null, null, false));
  }
}
