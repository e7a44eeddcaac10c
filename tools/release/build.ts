/**
 * `release.ts build`: the archive with the executable of this platform, and all that follows from the archives that are
 * there: packages for npm, the chart, the formula, the script that installs, the Dockerfile, and the sums of everything.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildExecutable } from '../build-exe.ts'
import { buildPackage, PACKAGES } from '../build-packages.ts'
import { root } from '../build-server.ts'
import { type Entry, pack, unpack } from './archive.ts'
import { archiveOf, isPlatform, NAMES, PLATFORMS, type Platform, platformPackageOf } from './names.ts'
import { sbomOf } from './sbom.ts'
import { fillTexts } from './texts.ts'

export const SUMS = 'SHA256SUMS'

export const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly license: string
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The name of a file with a package, as `npm pack` has it. */
export function tarballOf(name: string): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

function entriesOf(folder: string, prefix: string, isExecutable: (name: string) => boolean = () => false): Entry[] {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => file.slice(folder.length + 1).replaceAll('\\', '/'))
    .map((name) => ({
      name: `${prefix}/${name}`,
      content: readFileSync(join(folder, name)),
      isExecutable: isExecutable(name),
    }))
}

async function buildArchive(into: string): Promise<void> {
  const platform = `${process.platform}-${process.arch}`
  if (!isPlatform(platform)) throw new Error(`Releases are not made for ${platform}.`)
  const folder = mkdtempSync(join(tmpdir(), 'signet-release-'))
  try {
    const file = join(folder, 'signet')
    await buildExecutable(file, join(folder, 'files'))
    const entries = [
      { name: 'signet', content: readFileSync(file), isExecutable: true },
      { name: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
    ]
    writeFileSync(join(into, archiveOf(version, platform)), pack(entries))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The package with the executable of one platform, which npm installs there and nowhere else. */
function platformPackage(platform: Platform, archive: Uint8Array): Buffer {
  const [os = '', cpu = ''] = platform.split('-')
  const content = {
    name: platformPackageOf(platform),
    version,
    description: `The executable of ${PACKAGES.cli?.name} for ${platform}`,
    license,
    repository: { type: 'git', url: `git+${NAMES.repository}.git` },
    os: [os],
    cpu: [cpu],
    // The executable is linked with the library of C that most distributions have; Alpine has another one.
    ...(os === 'linux' && { libc: ['glibc'] }),
  }
  const manifest = { name: 'package.json', content: Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`) }
  const entries = [...unpack(archive), manifest]
  return pack(entries.map((entry) => ({ ...entry, name: `package/${entry.name}` })))
}

async function buildNpmPackages(into: string, archives: ReadonlyMap<Platform, Uint8Array>): Promise<void> {
  for (const [platform, archive] of archives)
    writeFileSync(join(into, tarballOf(platformPackageOf(platform))), platformPackage(platform, archive))
  const folder = mkdtempSync(join(tmpdir(), 'signet-package-'))
  try {
    for (const [name, declared] of Object.entries(PACKAGES)) {
      const built = await buildPackage(name, join(folder, name))
      const isCommand = (file: string) => declared.command !== undefined && file === 'index.js'
      writeFileSync(join(into, tarballOf(declared.name)), pack(entriesOf(built, 'package', isCommand)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The archives of a folder, by platform. */
export function archivesIn(folder: string): ReadonlyMap<Platform, Uint8Array> {
  const there = new Set(globSync('*.tar.gz', { cwd: folder }))
  const found = PLATFORMS.filter((platform) => there.has(archiveOf(version, platform)))
  return new Map(found.map((platform) => [platform, readFileSync(join(folder, archiveOf(version, platform)))]))
}

/** Writes a release into a folder. With `gathered`, the archives are there already: each was built on its platform. */
export async function buildRelease(into: string, { gathered = false } = {}): Promise<void> {
  mkdirSync(into, { recursive: true })
  for (const file of globSync('*', { cwd: into }))
    if (!gathered || !file.endsWith('.tar.gz')) rmSync(join(into, file), { recursive: true })
  if (!gathered) await buildArchive(into)
  const archives = archivesIn(into)
  if (archives.size === 0) throw new Error(`${into} has no archive of version ${version}.`)
  await buildNpmPackages(into, archives)
  writeFileSync(join(into, `signet-chart-${version}.tgz`), pack(entriesOf(join(root, 'deploy/helm'), 'signet')))
  writeFileSync(join(into, `signet-${version}.cdx.json`), sbomOf(root, version))
  const hashes = new Map([...archives].map(([platform, bytes]) => [platform, hashOf(bytes)]))
  for (const [file, text] of fillTexts(version, hashes)) writeFileSync(join(into, file), text)
  copyFileSync(join(root, 'LICENSE'), join(into, 'LICENSE'))
  const files = globSync('*', { cwd: into }).toSorted()
  const sums = files.map((file) => `${hashOf(readFileSync(join(into, file)))}  ${file}\n`)
  writeFileSync(join(into, SUMS), sums.join(''))
}
