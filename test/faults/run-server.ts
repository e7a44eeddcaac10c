/** Starts Signet as a process that ends with the tests of the file. */
import { after } from 'node:test'
import { type Entry, killServers, type Running, startServerProcess } from '../support/server-process.ts'

export type { Running } from '../support/server-process.ts'

// A test that failed half-way leaves its server behind.
after(killServers)

/** As `startServerProcess`. */
export function runServer(
  entry: Entry,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return startServerProcess(entry, args, settings)
}
