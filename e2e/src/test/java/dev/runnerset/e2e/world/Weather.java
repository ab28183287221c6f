package dev.runnerset.e2e.world;

/** What changes the room of a crowded world: quotas, nodes, and the pods of others. */
final class Weather {
  private final World world;
  private boolean calm;

  Weather(World world) {
    this.world = world;
  }

  /** Draws what happens until then. */
  void plan(int millis) {
    int count = 2 + world.chance.random.nextInt(12);
    for (int i = 0; i < count; i++) {
      world.time.in(world.chance.random.nextInt(millis), this::changes);
    }
  }

  private void changes() {
    if (calm) {
      return;
    }
    var random = world.chance.random;
    var namespace = world.chance.oneOf(world.room.namespaces());
    var pool = world.chance.oneOf(world.room.pools());
    switch (random.nextInt(8)) {
      case 0, 1 -> world.room.limit(namespace, random.nextInt(12), null);
      case 2 ->
          world.room.limit(
              namespace,
              world.chance.oneIn(2) ? null : random.nextInt(12),
              world.chance.oneIn(3) ? null : random.nextInt(16));
      case 3 -> flaps(namespace, random.nextInt(4), 4 + random.nextInt(8), 6);
      case 4, 5 ->
          world.room.othersCome(
              namespace, pool, 1 + random.nextInt(8), world.chance.millis(5_000, 120_000));
      case 6 -> world.room.machineComes(pool, 1 + random.nextInt(5));
      default -> world.room.machineGoes(pool);
    }
  }

  private void flaps(String namespace, int low, int high, int times) {
    world.room.limit(namespace, times % 2 == 0 ? low : high, null);
    if (times > 0 && !calm) {
      world.time.in(world.chance.millis(500, 6_000), () -> flaps(namespace, low, high, times - 1));
    }
  }

  /** Nothing changes from now on, and there is room for all. */
  void clears() {
    calm = true;
    world.room.heals();
  }
}
