/**
 * `npm run check`: format, lint, types, and every rule that a script can prove, at once. Prints what failed and what
 * it said; the exit code is 1 then.
 */
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
function binary(name: string): string {
  return join(root, 'node_modules', '.bin', name)
}

/** Where the code is; prose is formatted by those who write it. */
const code = ['src', 'test', 'bench', 'faults', 'tools', 'examples', 'console', 'package.json'].filter((one) =>
  existsSync(join(root, one)),
)

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

function script(file: string, ...words: readonly string[]): Check {
  return {
    name: basename(file, '.ts'),
    command: [process.execPath, file, ...words],
  }
}

const checks: readonly Check[] = [
  { name: 'biome', command: [binary('biome'), 'ci', '--colors=off', ...code] },
  { name: 'tsc', command: [binary('tsc'), '--project', root, '--pretty', 'false'] },
  { name: 'tsc console', command: [binary('tsc'), '--project', join(root, 'console'), '--pretty', 'false'] },
  ...globSync('tools/check-*.ts', { cwd: root })
    .sort()
    .map((file) => script(file)),
  ...globSync('tools/*-reference.ts', { cwd: root })
    .sort()
    .map((file) => script(file, '--check')),
]

function run({ name, command: [file, ...words] }: Check): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, words, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      console.log(`${error ? '✖' : '✔'} ${name}`)
      if (error) console.log(`${stdout}${stderr}`.trimEnd().replaceAll(/^/gm, '    '))
      resolve(!error)
    })
  })
}

const passed = await Promise.all(checks.map(run))
const failures = passed.filter((one) => !one).length
if (failures > 0) {
  console.log(`${failures} of ${checks.length} checks failed`)
  process.exitCode = 1
}
