/**
 * What passed a check before need not be checked again: remembers the digests of what passed, below node_modules. A
 * digest covers everything the verdict depends on, so that a fresh clone and a change come to the same answer.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.cache/signet-check')

function contentOf(file: string): Buffer {
  return readFileSync(join(root, file))
}

/** A digest of files, with their names. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = contentOf(file)
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('base64url')
}

/** The digests that passed the check when it last passed. */
export function readPassed(check: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(join(folder, `${check}.json`), 'utf8')) as readonly string[])
  } catch {
    return new Set()
  }
}

export function writePassed(check: string, digests: Iterable<string>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${check}.json`), JSON.stringify([...digests]))
}
