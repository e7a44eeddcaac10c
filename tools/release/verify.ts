/**
 * `release.ts verify`: whether the files of a release are what the sums say, contain nothing that nobody expects, name each
 * other's hashes, and whether the executable of this platform starts and serves, as npm and as the archive have it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGES } from '../build-packages.ts'
import { unpack } from './archive.ts'
import { archivesIn, hashOf, SUMS, tarballOf, version } from './build.ts'
import { archiveOf, isPlatform, NAMES, PLATFORMS, platformPackageOf } from './names.ts'
import { fillTexts } from './texts.ts'

export class NotVerified extends Error {}

/** Every file is in the list with its hash, and nothing else is there. */
function checkSums(folder: string): void {
  const listed = new Map<string, string>()
  for (const line of readFileSync(join(folder, SUMS), 'utf8').split('\n').slice(0, -1)) {
    const [, hash, file] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? []
    if (hash === undefined || file === undefined) throw new NotVerified(`${SUMS} has a line that is none: ${line}`)
    listed.set(file, hash)
  }
  const there = globSync('*', { cwd: folder }).filter((file) => file !== SUMS)
  for (const file of there) if (!listed.has(file)) throw new NotVerified(`${file} is not listed in ${SUMS}`)
  for (const [file, hash] of listed) {
    if (!lstatSync(join(folder, file), { throwIfNoEntry: false })?.isFile())
      throw new NotVerified(`${file} is listed in ${SUMS} and is not there`)
    if (hashOf(readFileSync(join(folder, file))) !== hash)
      throw new NotVerified(`${file} was changed: ${SUMS} has another hash`)
  }
}

function unpackFile(folder: string, file: string) {
  try {
    return unpack(readFileSync(join(folder, file)))
  } catch (error) {
    throw new NotVerified(`${file}: ${(error as Error).message}`)
  }
}

/** The archives have the executable and the licence; the package of a platform has the same executable. */
function checkArchives(folder: string): void {
  for (const [platform, bytes] of archivesIn(folder)) {
    const file = archiveOf(version, platform)
    const entries = unpackFile(folder, file)
    if (entries.map(({ name }) => name).join() !== 'LICENSE,signet') throw new NotVerified(`${file} has other files`)
    const npm = unpackFile(folder, tarballOf(platformPackageOf(platform)))
    const inNpm = npm.find(({ name }) => name === 'package/signet')
    const inArchive = entries.find(({ name }) => name === 'signet')
    if (inNpm === undefined || inArchive === undefined || hashOf(inNpm.content) !== hashOf(inArchive.content))
      throw new NotVerified(`the npm package for ${platform} has another executable than ${file}`)
    const hash = hashOf(bytes)
    for (const text of ['install.sh', 'signet.rb'])
      if (!readFileSync(join(folder, text), 'utf8').includes(hash))
        throw new NotVerified(`${text} does not name the hash of ${file}`)
  }
  for (const file of globSync('*.tgz', { cwd: folder })) unpackFile(folder, file)
}

/** The texts are ours, with the hashes of this release. */
function checkTexts(folder: string): void {
  const hashes = new Map([...archivesIn(folder)].map(([platform, bytes]) => [platform, hashOf(bytes)]))
  for (const [file, text] of fillTexts(version, hashes))
    if (readFileSync(join(folder, file), 'utf8') !== text)
      throw new NotVerified(`${file} is not the one of this version`)
}

/** Throws unless everything is there that is published. */
export function checkComplete(folder: string): void {
  const needed = [
    ...PLATFORMS.map((platform) => archiveOf(version, platform)),
    ...PLATFORMS.map((platform) => tarballOf(platformPackageOf(platform))),
    ...Object.values(PACKAGES).map(({ name }) => tarballOf(name)),
    `signet-${version}.cdx.json`,
  ]
  const there = new Set(globSync('*', { cwd: folder }))
  const missing = needed.filter((file) => !there.has(file))
  if (missing.length > 0) throw new NotVerified(`the release is not complete: ${missing.join(', ')}`)
}

/** Starts the executable of the package as a server for tests, and asks it. */
async function checkThatItServes(folder: string): Promise<void> {
  const platform = `${process.platform}-${process.arch}`
  if (!isPlatform(platform)) return
  const tarball = tarballOf(platformPackageOf(platform))
  if (globSync(tarball, { cwd: folder }).length === 0) return
  const place = mkdtempSync(join(tmpdir(), 'signet-verify-'))
  try {
    const file = join(place, 'signet')
    const { content } = unpackFile(folder, tarball).find(({ name }) => name === 'package/signet') ?? {}
    writeFileSync(file, content ?? '', { mode: 0o755 })
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', env: {} })
    if (!stdout.startsWith(version)) throw new NotVerified(`the executable says that it is ${stdout.trim()}`)
    const child = spawn(file, ['test-server', '--json'], { cwd: place, env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const line = await new Promise<string>((resolve) => {
      child.stdout.once('data', (data) => resolve(String(data)))
      void ended.then(() => resolve(''))
    })
    if (line === '') throw new NotVerified('the executable does not start')
    const { url } = JSON.parse(line) as { readonly url: string }
    const pages = ['/healthz', '/ui/console', '/ui/docs/', '/.well-known/openid-configuration']
    const answers = await Promise.all(pages.map(async (page) => [page, (await fetch(url + page)).status] as const))
    child.stdin.end()
    await ended
    const wrong = answers.filter(([, status]) => status !== 200).map(([page, status]) => `${page}: ${status}`)
    if (wrong.length > 0) throw new NotVerified(`the executable answers ${wrong.join(', ')}`)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Whether each file was built by the workflow of our repository, and of no fork. */
function checkAttestations(folder: string): void {
  const repository = new URL(NAMES.repository).pathname.slice(1)
  for (const file of globSync('*', { cwd: folder })) {
    const words = ['attestation', 'verify', join(folder, file), '--repo', repository]
    const workflow = `${repository}/.github/workflows/release.yml`
    const { status, stderr, error } = spawnSync('gh', [...words, '--signer-workflow', workflow], { encoding: 'utf8' })
    if (error !== undefined)
      throw new NotVerified('attestations are verified by gh, the program of GitHub: it is missing')
    if (status !== 0) throw new NotVerified(`${file} was not built by ${workflow}: ${stderr.trim()}`)
  }
}

export async function verifyRelease(folder: string, { attested = false } = {}): Promise<void> {
  checkSums(folder)
  checkArchives(folder)
  checkTexts(folder)
  if (attested) checkAttestations(folder)
  await checkThatItServes(folder)
}
