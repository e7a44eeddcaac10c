/** Says whether contract/gen is what `npm run gen` would write now. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateContract } from './generate-contract.ts'
import { digestOf, readPassed, writePassed } from './passed-before.ts'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function readFolder(folder: string): ReadonlyMap<string, string> {
  return new Map(globSync('**/*.ts', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

function findStale(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'signet-check-generated-'))
  try {
    const fresh = join(folder, 'gen')
    generateContract(fresh)
    const [wanted, found] = [readFolder(fresh), readFolder(join(root, 'contract/gen'))]
    const names = [...new Set([...wanted.keys(), ...found.keys()])].sort()
    return names.filter((file) => wanted.get(file) !== found.get(file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const files = globSync(
  [
    'contract/{proto,gen}/**/*.*',
    'buf*.yaml',
    'package-lock.json',
    'tools/package-lock.json',
    'tools/generate-contract.ts',
  ],
  {
    cwd: root,
  },
).sort()
const digest = digestOf(files)
const stale = readPassed('generated').has(digest) ? [] : findStale()

export const problems = stale.map((file) => `contract/gen/${file} is stale: run npm run gen`)

if (problems.length === 0) writePassed('generated', [digest])
if (import.meta.main) reportProblems(problems)
