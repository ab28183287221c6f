/** What a person may change with the program: each action is one merge patch on one object. */
@NullMarked
package dev.runnerset.cli.act;

import org.jspecify.annotations.NullMarked;
