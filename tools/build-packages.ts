/**
 * `npm run build:packages`: writes what `packages` is published as to `dist/packages/<name>`: one JavaScript file for Node 20
 * and later, its types, and a package.json.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { NAMES, PLATFORMS, platformPackageOf } from './release/names.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface PackageDeclaration {
  readonly description: string
  /** In `packages/<folder>`. */
  readonly main: string
  /** With the versions of our own package.json. */
  readonly dependencies: readonly string[]
  /** The name of a command that the main file is. */
  readonly command?: string
  /** What it reads beside its code. */
  readonly files?: readonly string[]
  /** Needs the package of the platform that it is installed on, and no other. */
  readonly perPlatform?: boolean
}

function read<Value>(file: string): Value {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Value
}

const declarations = read<Readonly<Record<string, PackageDeclaration>>>('packages/packages.json')

/** By the folder in `packages`. */
export const PACKAGES = Object.fromEntries(
  Object.entries(declarations).map(([folder, declared]) => {
    const name = NAMES.npm.packages[folder]
    if (name === undefined) throw new Error(`packages/names.json has no name for ${folder}`)
    return [folder, { ...declared, name }]
  }),
)

function writeTypes(folder: string, main: string, into: string): void {
  const words = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--incremental', 'false']
  const project = join(into, 'tsconfig.json')
  const options = {
    rootDir: join(root, 'packages', folder),
    outDir: into,
    rewriteRelativeImportExtensions: true,
    // Seen from the folder it is written to, which may be anywhere.
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const content = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: [], files: [main] }
  writeFileSync(project, JSON.stringify(content))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', project, ...words])
  rmSync(project)
}

/** Builds one of them; answers the folder that npm can install or publish. */
export async function buildPackage(folder: string, into = join(root, 'dist/packages', folder)): Promise<string> {
  const declared = PACKAGES[folder]
  if (declared === undefined) throw new Error(`packages/packages.json has no ${folder}`)
  const { name, description, main, dependencies, command, files = [], perPlatform = false } = declared
  const {
    version,
    license,
    dependencies: versions,
  } = read<{
    readonly version: string
    readonly license: string
    readonly dependencies: Readonly<Record<string, string>>
  }>('package.json')
  const input = join(root, 'packages', folder, main)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/, ...dependencies] })
  const banner = command === undefined ? '' : '#!/usr/bin/env node'
  await bundle.write({ file: join(into, 'index.js'), format: 'esm', banner, codeSplitting: false })
  await bundle.close()
  if (command === undefined) writeTypes(folder, input, into)
  for (const file of files) cpSync(join(root, 'packages', folder, file), join(into, file), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'))
  const readme = join(root, 'packages', folder, 'README.md')
  if (existsSync(readme)) cpSync(readme, join(into, 'README.md'))
  const content = {
    name,
    version,
    description,
    license,
    // npm compares it with where a package with provenance was built.
    repository: { type: 'git', url: `git+${NAMES.repository}.git`, directory: `packages/${folder}` },
    type: 'module',
    ...(command === undefined
      ? { exports: { types: `./${main.replace(/\.ts$/, '.d.ts')}`, default: './index.js' } }
      : { bin: { [command]: 'index.js' } }),
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(dependencies.map((one) => [one, `^${versions[one]}`])),
    ...(perPlatform && {
      optionalDependencies: Object.fromEntries(PLATFORMS.map((one) => [platformPackageOf(one), version])),
    }),
  }
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`)
  return into
}

if (import.meta.main) for (const folder of Object.keys(PACKAGES)) console.log(await buildPackage(folder))
