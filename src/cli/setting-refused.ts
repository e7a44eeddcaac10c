/** A setting or option that cannot be used now: a port that is taken, a file that is not there. */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused'

  constructor(setting: `SIGNET_${string}` | `OTEL_${string}` | `--${string}`, problem: string) {
    super(`${setting}: ${problem}`)
  }
}

/** What the codes of the system mean, for a sentence that continues after the path or address. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'is not readable by this user',
  EADDRINUSE: 'is in use by another process',
  EADDRNOTAVAIL: 'is not an address of this machine',
  EISDIR: 'is a folder',
  ENOENT: 'does not exist',
  ENOTFOUND: 'cannot be resolved',
}

/** What is wrong with a path or an address, by the error of the system. */
export function meaningOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return (code !== undefined && MEANINGS[code]) || `cannot be used (${code ?? 'unknown error'})`
}
