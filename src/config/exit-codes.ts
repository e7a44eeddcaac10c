/** With which code a command ends, beside 0 for success. */

/** Something failed. */
export const FAILED = 1
/** A setting is wrong. */
export const WRONG_SETTINGS = 2
/** The program is too old for the database: start the newer version. */
export const OUTDATED = 3
