/** Says whether contract/gen is what `npm run gen` would write now. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from './generate.ts'

const committed = fileURLToPath(new URL('../contract/gen', import.meta.url))

function readFolder(folder: string): ReadonlyMap<string, string> {
  return new Map(globSync('**/*.ts', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

const folder = mkdtempSync(join(tmpdir(), 'signet-check-generated-'))
try {
  const fresh = join(folder, 'gen')
  generate(fresh)
  const [wanted, found] = [readFolder(fresh), readFolder(committed)]
  const stale = [...new Set([...wanted.keys(), ...found.keys()])].filter((file) => wanted.get(file) !== found.get(file))
  for (const file of stale.sort()) console.error(`contract/gen/${file} is stale: run npm run gen`)
  if (stale.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
