/** `signet licenses`: the licenses of the software that the package or the executable contains. */
import { readFileSync } from 'node:fs'

/** The text that was made with the build; undefined in a checkout, where each package has its own file. */
export function readLicenses(): string | undefined {
  try {
    return readFileSync(new URL('../../THIRD-PARTY-LICENSES.txt', import.meta.url), 'utf8')
  } catch {
    return undefined
  }
}
