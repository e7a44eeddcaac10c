/**
 * `npm run build:exe`: one executable file for this platform, with the server, the console and Node inside. It is a single
 * executable application of Node, with the files that the server reads embedded as a file system.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Plugin } from 'rolldown'
import { buildServer, root } from './build-server.ts'

/** What the executable has in place of modules that expect real files. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '@node-rs/bcrypt': join(root, 'tools/executable/bcrypt.ts'),
  'node:worker_threads': join(root, 'tools/executable/worker-threads.ts'),
}

function substitute(): Plugin {
  return {
    name: 'substitute',
    resolveId: {
      order: 'pre',
      filter: { id: /^(@node-rs\/bcrypt|node:worker_threads)$/ },
      handler: (id, importer) => (importer?.startsWith(join(root, 'src')) ? SUBSTITUTES[id] : undefined),
    },
  }
}

/** The file of the native library that `@node-rs/bcrypt` loads on this platform. */
function findBcryptLibrary(): string {
  const require = createRequire(import.meta.url)
  const before = new Set(Object.keys(require.cache))
  require('@node-rs/bcrypt')
  const file = Object.keys(require.cache).find((name) => name.endsWith('.node') && !before.has(name))
  if (file === undefined) throw new Error('@node-rs/bcrypt has no native library for this platform.')
  return file
}

function run(words: readonly string[], cwd: string): void {
  const { status } = spawnSync(process.execPath, words, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed.`)
}

/** Writes the executable to `output`; `folder` is for the files on the way and is removed. */
export async function buildExecutable(output: string, folder: string): Promise<void> {
  await buildServer({ folder, entries: { main: 'src/cli/main.js' }, includesPackages: true, plugins: [substitute()] })
  copyFileSync(findBcryptLibrary(), join(folder, 'bcrypt.node'))
  const files = globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const settings = {
    // As it is seen from the folder: the executable contains this name, and the same sources give the same bytes.
    main: 'main.js',
    mainFormat: 'module',
    output,
    disableExperimentalSEAWarning: true,
    useVfs: true,
    execArgv: ['--experimental-vfs'],
    assets: Object.fromEntries(files.filter((file) => file !== 'main.js').map((file) => [file, join(folder, file)])),
  }
  const settingsFile = join(folder, 'executable.json')
  writeFileSync(settingsFile, JSON.stringify(settings))
  run(['--build-sea', settingsFile], folder)
  rmSync(folder, { recursive: true })
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { output: { type: 'string', default: 'dist/signet' } } })
  const output = resolve(root, values.output)
  await buildExecutable(output, `${output}.files`)
  console.log(`${output}: ${(statSync(output).size / 1e6).toFixed(0)} MB`)
}
