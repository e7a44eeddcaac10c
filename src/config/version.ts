/** The version of this server, as package.json says it, and the commit that it was made from. */
import { readFileSync } from 'node:fs'
import { readCommit } from './commit.ts'

const file = new URL('../../package.json', import.meta.url)

export const version: string = (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version

/** The version with the first digits of the commit, where it is known: `0.1.0 (1a2b3c4d5e6f)`. */
export function describeVersion(): string {
  const commit = readCommit()
  return commit === undefined ? version : `${version} (${commit.slice(0, 12)})`
}
