/**
 * The licenses of everything that the package and the executable contain beside our own code: the dependencies of the
 * server, the packages in the builds of the console and the documentation, and Node.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly author?: string | { readonly name: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The name of the file beside the built server. */
export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt'

const LICENSE_FILE = /^(licen[sc]e|copying|notice)([.-].*)?$/i
const NODE_PACKAGE = /^node-(bin-)?(linux|darwin|win)-/

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Where Node would find a package from a folder; undefined when it is not installed, as those of other platforms. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) return undefined
  }
}

/** The folders of all packages that a package needs at run time, and Node. */
function dependenciesOf(folder: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = findPackage(name, folder)
    if (next === undefined || found.has(next)) continue
    found.add(next)
    dependenciesOf(next, found)
  }
  return found
}

/** The packages that the builds of the console and of the documentation contain. */
function webPackages(root: string): readonly string[] {
  const lists = ['console', 'docs'].map((name) => readFileSync(join(root, name, 'dist/packages.json'), 'utf8'))
  const folders = [...new Set(lists.flatMap((list) => JSON.parse(list) as readonly string[]))]
  return folders.map((folder) => join(root, folder)).filter((folder) => existsSync(join(folder, 'package.json')))
}

/** Where the texts of licenses are that packages name without including them. */
const TEXTS: Readonly<Record<string, URL>> = {
  'Apache-2.0': new URL('../LICENSE', import.meta.url),
  'BSD-3-Clause': new URL('license-texts/BSD-3-Clause.txt', import.meta.url),
  ISC: new URL('license-texts/ISC.txt', import.meta.url),
  MIT: new URL('license-texts/MIT.txt', import.meta.url),
}

/** The text of a license that a package only names. */
function namedText({ name, license = '', author }: Manifest): string {
  const named = license.match(/[A-Za-z][\w.-]+/g)?.filter((word) => word !== 'AND' && word !== 'OR') ?? []
  if (named.length === 0) throw new Error(`${name} has no license.`)
  const texts = named.map((id) => {
    const file = TEXTS[id]
    if (file === undefined)
      throw new Error(`${name} has no file with its license ${id}: add its text to tools/license-texts.`)
    return readFileSync(file, 'utf8').trim()
  })
  const holder = typeof author === 'object' ? author.name : author
  return [`Copyright ${holder ?? `the authors of ${name}`}`, ...texts].join('\n\n')
}

function licenseText(folder: string, manifest: Manifest): string {
  const files = readdirSync(folder).filter((name) => LICENSE_FILE.test(name))
  if (files.length === 0) return namedText(manifest)
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
}

function titleOf(manifest: Manifest): string {
  const { name, version, license = 'unknown', homepage } = manifest
  const title = NODE_PACKAGE.test(name) ? `Node.js ${version}` : `${name} ${version}`
  return `${title} (${license})${homepage === undefined ? '' : `, ${homepage}`}`
}

function foldersOf(root: string): ReadonlySet<string> {
  return new Set([...dependenciesOf(root), ...webPackages(root)])
}

/** What the package and the executable contain. Node is there once, also where its packages for several platforms are. */
export function packagesIn(root: string) {
  return [...foldersOf(root)].map((folder) => {
    const { name, version, license } = readManifest(folder)
    return { name, version, license, isNode: NODE_PACKAGE.test(name) }
  })
}

/** The text of all licenses. Packages with the same one share it. */
export function collectLicenses(root: string): string {
  const titles = new Map<string, Set<string>>()
  for (const folder of foldersOf(root)) {
    const manifest = readManifest(folder)
    const text = licenseText(folder, manifest)
    titles.set(text, (titles.get(text) ?? new Set()).add(titleOf(manifest)))
  }
  const parts = [...titles].map(([text, of]) => `${[...of].sort().join('\n')}\n\n${text}`).sort()
  const line = '-'.repeat(80)
  return `Signet contains the following software under the licenses below.\n\n${[...parts].join(`\n\n${line}\n`)}\n`
}
