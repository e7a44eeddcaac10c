/**
 * Builds the server as JavaScript into a folder that needs nothing else of the checkout: for the single executable file,
 * and for `npm start`.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'rolldown'
import { readCommit } from '../src/config/commit.ts'
import { collectLicenses, LICENSES_FILE } from './licenses.ts'

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Scripts of threads. Each becomes one file, because a thread of the executable cannot load a second one. */
const THREADS = ['src/store/sqlite/write-thread', 'src/store/sqlite/scan-thread', 'src/crypto/passwords/thread']

/** Files that the server reads at run time, besides the builds of the console and the documentation. */
const DATA = [
  'src/web/assets/*',
  'src/crypto/passwords/common-passwords*.txt',
  'packages/create/frameworks/*/files/**/*.*',
]

export interface ServerBuild {
  /** Where to write it; the folder is emptied first. */
  readonly folder: string
  /** Scripts at the top of the folder, by name. */
  readonly entries: Readonly<Record<string, string>>
  /** Whether the dependencies in package.json become part of the files; otherwise they stay imports. */
  readonly includesPackages: boolean
  /** Packages that stay imports in any case. */
  readonly imports?: readonly string[]
  /** Where the checkout is, seen from the folder, if it stays there: it tells the commit. */
  readonly checkout?: string
  readonly plugins?: readonly Plugin[]
}

/**
 * Keeps addresses relative to a source file valid: the output has the same tree, and all code is at its top. Scripts of
 * threads end in `.js` there. Packages that are loaded with `require` on demand stay so, if they are there at run time.
 */
function keepAddresses(hasPackages: boolean): Plugin {
  return {
    name: 'keep-addresses',
    transform: {
      filter: { id: /\/(src|tools|packages)\/.*\.[jt]s$/, code: 'import.meta.url' },
      handler(code, id) {
        const address = `new URL(${JSON.stringify(`./${relative(root, id)}`)}, import.meta.url).href`
        // The bundler includes what is loaded with `require`, if it is the function that it knows by this name.
        const bundled = hasPackages ? code : code.replace('const require = createRequire(import.meta.url)\n', '')
        return bundled
          .replaceAll(/new URL\('(\.[\w./-]+)\.ts', import\.meta\.url\)/g, "new URL('$1.js', import.meta.url)")
          .replaceAll('import.meta.url', address)
      },
    },
  }
}

const HTTP = 'virtual:node-http'

/**
 * An import of `node:http` reads all its exports, and those for WebSocket load the whole client of `fetch`: 45 ms and 15 MB
 * (measured) at each start. This module has the exports that are plain values.
 */
function loadLessOfHttp(): Plugin {
  return {
    name: 'load-less-of-http',
    resolveId: { order: 'pre', filter: { id: /^node:http$/ }, handler: () => HTTP },
    load: {
      filter: { id: new RegExp(`^${HTTP}$`) },
      handler() {
        const exported = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(
          ([, { get }]) => get === undefined,
        )
        const names = exported.map(([name]) => name).join(', ')
        return `const http = process.getBuiltinModule('node:http')\nexport const { ${names} } = http\nexport default http\n`
      },
    },
  }
}

async function bundle(options: ServerBuild): Promise<void> {
  const { folder, entries, includesPackages, imports = [], checkout, plugins = [] } = options
  const imported = includesPackages ? imports : Object.keys(manifest.dependencies)
  const shared: BuildOptions = {
    cwd: root,
    platform: 'node',
    external: imported.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [...plugins, loadLessOfHttp(), keepAddresses(!includesPackages || checkout !== undefined)],
    // One package that Koa needs wraps deprecated functions with it.
    checks: { eval: false },
  }
  // V8 keeps the text of all loaded files, and needs two bytes for each character if one is beyond Latin-1.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } } as const
  const output = { dir: folder, format: 'esm', entryFileNames: '[name].js', minify, comments: false } as const
  await build({
    ...shared,
    input: { ...entries },
    output: { ...output, chunkFileNames: '[name]-[hash].js' },
  })
  for (const thread of THREADS) {
    await build({ ...shared, input: { [thread]: `${thread}.ts` }, output: { ...output, codeSplitting: false } })
    const file = join(folder, `${thread}.js`)
    if (/\bimport\.meta\b/.test(readFileSync(file, 'utf8'))) throw new Error(`${file} must not depend on its address.`)
  }
}

function copyData(folder: string): void {
  for (const file of globSync(DATA, { cwd: root })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  for (const name of ['console', 'docs'])
    cpSync(join(root, name, 'dist'), join(folder, name, 'dist'), { recursive: true })
}

/** Builds the console and the documentation, unless there is a build that names its packages. */
function buildWeb(): void {
  for (const name of ['console', 'docs']) {
    if (existsSync(join(root, name, 'dist/packages.json'))) continue
    const { status } = spawnSync(process.execPath, [`tools/build-web.js`, name], { cwd: root, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${name} was not built.`)
  }
}

/** Writes the complete server, with the console, the documentation and the licenses of everything in it. */
export async function buildServer(options: ServerBuild): Promise<void> {
  const { folder } = options
  buildWeb()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundle(options)
  copyData(folder)
  writeFileSync(join(folder, LICENSES_FILE), collectLicenses(root))
  const { name, version } = manifest
  const { checkout } = options
  const origin = checkout === undefined ? { commit: readCommit() } : { checkout }
  const built = { name, version, type: 'module', ...origin }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(built, null, 2)}\n`)
}
