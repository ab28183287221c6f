package dev.runnerset.e2e.upgrade;

/**
 * One change of an upgrade.
 *
 * @param goes the part that is replaced
 * @param pair the programs that work together afterwards
 * @param reads which program reads what which other one wrote; empty if none does
 */
record Stage(String goes, String pair, String reads) {}
