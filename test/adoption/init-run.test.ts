/** `signet init` as a process, in folders of a test, at a server that really runs, and at servers that are none. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FRAMEWORK_NAMES, FRAMEWORKS } from '../../packages/create/frameworks/index.ts'
import { type People, startPeople } from '../e2e/people.ts'

const bin = fileURLToPath(new URL('../../packages/create/bin.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function runInit(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { PATH: process.env.PATH, ...env }
    const child = execFile(process.execPath, [bin, ...words], { cwd: folder, env: all }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
    child.stdin?.end()
  })
}

function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = fs.globSync('**/*', { cwd: folder, exclude: ['.git'] }).concat(fs.globSync('.*', { cwd: folder }))
  return Object.fromEntries(
    files
      .filter((file) => fs.statSync(join(folder, file)).isFile())
      .map((file) => [file, fs.readFileSync(join(folder, file), 'utf8')]),
  )
}

suite('signet init', { timeout: 300_000 }, () => {
  let people: People
  let token: string
  const folders: string[] = []

  const folderWith = (files: Readonly<Record<string, string>> = {}): string => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'signet-init-'))
    folders.push(folder)
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(folder, name), text)
    return folder
  }
  const applications = async () => {
    const path = '/signet.application.v2.ApplicationService/ListApplications'
    const { applications = [] } = await people.call('POST', path, {})
    return (applications as readonly { readonly name: string }[]).map(({ name }) => name)
  }
  const init = (folder: string, ...words: readonly string[]) =>
    runInit(folder, ['--url', people.url, '--yes', ...words], { SIGNET_TOKEN: token })

  before(async () => {
    people = await startPeople()
    const { userId } = await people.call('POST', '/management/v1/users/machine', { userName: 'setter', name: 'Setter' })
    await people.call('POST', '/admin/v1/members', { userId, roles: ['IAM_OWNER'] })
    const created = await people.call('POST', `/management/v1/users/${userId}/pats`, {})
    token = String(created.token)
  })
  after(async () => {
    await people.close()
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
  })

  for (const name of FRAMEWORK_NAMES) {
    if (FRAMEWORKS[name].files.length === 0) continue
    test(`registers an app of ${name}, writes its settings and code, and changes nothing the second time`, async () => {
      const folder = folderWith()
      const first = await init(folder, '--framework', name, '--name', `App of ${name}`)
      assert.deepEqual([first.code, first.err], [0, ''])
      const written = snapshot(folder)
      const expected = ['.env', '.gitignore', ...FRAMEWORKS[name].files]
      assert.deepEqual(Object.keys(written).toSorted(), expected.toSorted())
      assert.equal(fs.statSync(join(folder, '.env')).mode & 0o777, 0o600)
      assert.match(written['.gitignore'] ?? '', /^\.env$/m)
      assert.doesNotMatch(written['.env'] ?? '', /YOUR_|\{/)
      const secret = /CLIENT_SECRET=(.+)/.exec(written['.env'] ?? '')?.[1]
      if (secret !== undefined) assert.ok(!first.out.includes(secret))
      assert.ok((await applications()).includes(`App of ${name}`))
      const count = (await applications()).length
      const second = await init(folder, '--framework', name, '--name', `App of ${name}`)
      assert.deepEqual([second.code, second.out], [0, `App of ${name} is set up: nothing was changed.\n`])
      assert.deepEqual(snapshot(folder), written)
      assert.equal((await applications()).length, count)
    })
  }

  test('finds the framework by what the project says about itself', async () => {
    const cases = {
      next: { 'package.json': '{"name":"shop","dependencies":{"next":"16","react":"19"}}' },
      express: { 'package.json': '{"dependencies":{"express":"5"}}' },
      node: { 'package.json': '{}' },
      python: { 'requirements.txt': 'Flask==3.1\n' },
      go: { 'go.mod': 'module shop\n' },
      spring: { 'pom.xml': '<artifactId>spring-boot-starter-parent</artifactId>' },
    }
    for (const [name, files] of Object.entries(cases)) {
      const { out } = await init(folderWith(files), '--dry-run', '--json')
      assert.equal(JSON.parse(out).framework, name)
    }
  })

  test('with --dry-run registers and writes nothing', async () => {
    const [folder, before] = [folderWith(), await applications()]
    const { code, out } = await init(folder, '--framework', 'express', '--dry-run')
    assert.equal(code, 0)
    assert.match(out, /^Would register .* Would write \.env, app\.js\./)
    assert.deepEqual([snapshot(folder), await applications()], [{}, before])
  })

  test('without a terminal names the flag that is missing, and with a wrong one the nearest right one', async () => {
    const env = { SIGNET_TOKEN: token }
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /^signet: --framework is missing/],
      [['--framework', 'express'], /^signet: --name is missing/],
      [['--framwork', 'express'], /--framwork is no option\. Did you mean --framework\?/],
      [['--framework', 'expres', '-y'], /expres is no framework of the list\. Did you mean express\?/],
      [['--framework', 'cobol', '-y'], /It is one of: node, next/],
      [['--framework', 'go', '-y', '--url', 'ftp://x'], /--url: ftp:\/\/x must be an https address/],
      [['--framework', 'go', '-y', '--url', 'http://id.example.com'], /must be an https address/],
      [['--framework', 'go', '-y', '--address', 'http://localhost:1/x'], /--address: .* without path/],
      [['--dir', 'nowhere', '-y'], /--dir: nowhere is no folder/],
      [['--token', 'secret'], /A token is no flag/],
    ]
    for (const [words, message] of cases) {
      const folder = folderWith()
      const { code, out, err } = await runInit(folder, words, env)
      assert.deepEqual([code, out], [2, ''], words.join(' '))
      assert.match(err, message)
      assert.equal(err.trim().split('\n').length, 1)
      assert.deepEqual(snapshot(folder), {})
    }
  })

  test('takes a name for text, and never for a command', async () => {
    const name = '$(touch hacked)`touch hacked`; touch hacked \u001b]0;x\u0007'
    const folder = folderWith({ 'package.json': JSON.stringify({ name, dependencies: { express: '5' } }) })
    const { code, out } = await init(folder)
    assert.equal(code, 0)
    assert.ok(!out.includes('\u001b'))
    assert.deepEqual(Object.keys(snapshot(folder)).toSorted(), ['.env', '.gitignore', 'app.js', 'package.json'])
    assert.doesNotMatch(snapshot(folder)['.env'] ?? '', /hacked/)
  })

  test('writes no secret through a link, or into a file that is in Git', async () => {
    const before = await applications()
    const linked = folderWith()
    const elsewhere = join(folderWith({ theirs: 'kept\n' }), 'theirs')
    fs.symlinkSync(elsewhere, join(linked, '.env'))
    const first = await init(linked, '--framework', 'express')
    assert.deepEqual([first.code, fs.readFileSync(elsewhere, 'utf8')], [3, 'kept\n'])
    assert.match(first.err, /\.env is a link/)

    for (const version of ['2', '4']) {
      const tracked = folderWith({ '.env': 'A=1\n', '.envy': '', 'a.env': '' })
      const git = (...words: readonly string[]) => spawnSync('git', ['-C', tracked, ...words])
      git('init', '-q')
      git('add', '.envy', 'a.env')
      git('update-index', '--index-version', version)
      if (version === '2') assert.equal((await init(tracked, '--framework', 'express', '--dry-run')).code, 0)
      git('add', '.env')
      const second = await init(tracked, '--framework', 'express')
      assert.equal(second.code, 3)
      assert.match(second.err, /\.env is in Git/)
      assert.equal(snapshot(tracked)['.env'], 'A=1\n')
    }
    // A program that the repository configures is not run.
    const hostile = folderWith()
    spawnSync('git', ['-C', hostile, 'init', '-q'])
    spawnSync('git', ['-C', hostile, 'config', 'core.fsmonitor', 'touch hacked'])
    await init(hostile, '--framework', 'express', '--dry-run')
    assert.ok(!fs.existsSync(join(hostile, 'hacked')))

    const folder = folderWith()
    fs.mkdirSync(join(folder, 'real'))
    fs.symlinkSync(join(folder, 'real'), join(folder, 'src'))
    assert.equal((await init(folder, '--framework', 'react')).code, 3)
    assert.deepEqual(await applications(), before)
  })

  test('changes no file that is there: it prints a patch, and registers nothing', async () => {
    const before = await applications()
    const folder = folderWith({ 'app.js': 'mine\n' })
    const { code, out, err } = await init(folder, '--framework', 'express')
    assert.equal(code, 3)
    assert.match(out, /\+\+\+ b\/app\.js\n\+import express from 'express'/)
    assert.match(err, /app\.js differs: nothing was registered or written/)
    assert.deepEqual([snapshot(folder), await applications()], [{ 'app.js': 'mine\n' }, before])
    const partly = folderWith({ '.env': 'CLIENT_ID=1\n' })
    assert.equal((await init(partly, '--framework', 'node')).code, 3)
    assert.deepEqual(await applications(), before)
  })

  test('keeps the page that every project has, shows what to take over, and adds to settings that are there', async () => {
    const folder = folderWith({ '.env': 'OTHER=1', '.gitignore': 'dist' })
    fs.mkdirSync(join(folder, 'app'))
    fs.writeFileSync(join(folder, 'app/page.js'), 'mine\n')
    const { code, out } = await init(folder, '--framework', 'next', '--name', 'Existing')
    assert.equal(code, 3)
    assert.match(out, /\+\+\+ b\/app\/page\.js/)
    const { '.env': env = '', '.gitignore': ignore, ...rest } = snapshot(folder)
    assert.match(env, /^OTHER=1\nISSUER=/)
    assert.equal(ignore, 'dist\n.env\n')
    assert.equal(rest['app/page.js'], 'mine\n')
    assert.ok('session.js' in rest)
  })

  test('takes the application back when the files cannot be written', async () => {
    const before = await applications()
    const folder = folderWith()
    // Of the files, the last one cannot be made: as on a full disk, after the others.
    fs.mkdirSync(join(folder, '.env.signet-new'))
    const { code, err } = await init(folder, '--framework', 'express', '--name', 'Half')
    assert.equal(code, 1)
    assert.match(err, /Nothing was written/)
    assert.deepEqual(await applications(), before)
    assert.deepEqual(Object.keys(snapshot(folder)), [])
  })

  test('leaves a server that redirects, answers without end, or is no Signet', async () => {
    const received: string[] = []
    const elsewhere = createServer((request, response) => {
      received.push(String(request.headers.authorization))
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const servers: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
      redirects: [(_, response) => response.writeHead(307, { location: `${there}/` }).end(), /it redirects elsewhere/],
      'is another one': [(_, response) => response.end('{"issuer":"https://other.example"}'), /is no Signet\./],
      'says no JSON': [(_, response) => response.end('<html>'), /its answer is no JSON/],
      'is called otherwise': [
        (_, response) => response.end('{"issuer":"https://a.example","acr_values_supported":["urn:signet:acr:1"]}'),
        /This Signet is called https:\/\/a\.example: use that as --url/,
      ],
      'answers 100 MB': [
        (_, response) => {
          const megabyte = 'x'.repeat(1024 * 1024)
          let left = 100
          const more = () => {
            while (left-- > 0 && response.write(megabyte)) {}
            if (left > 0) response.once('drain', more)
            else response.end()
          }
          more()
        },
        /its answer is too long/,
      ],
    }
    for (const [how, [answer, message]] of Object.entries(servers)) {
      const server = createServer(answer).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const folder = folderWith()
      const { code, err } = await runInit(folder, ['--url', url, '-y', '--framework', 'go'], { SIGNET_TOKEN: token })
      assert.ok(code !== 0, how)
      assert.match(err, message, how)
      assert.ok(!err.includes(token))
      assert.deepEqual(snapshot(folder), {})
      server.closeAllConnections()
      server.close()
    }
    assert.deepEqual(received, [])
    elsewhere.close()
  })

  test('says no secret, in text and in JSON', async () => {
    for (const words of [[], ['--json']]) {
      const folder = folderWith()
      const { out, err } = await init(folder, '--framework', 'express', '--name', `Quiet ${words.length}`, ...words)
      const env = snapshot(folder)['.env'] ?? ''
      for (const [, secret = ''] of env.matchAll(/^(?:CLIENT_SECRET|SECRET)=(.+)$/gm))
        assert.ok(secret.length > 20 && !out.includes(secret) && !err.includes(secret))
      assert.ok(!out.includes(token) && !err.includes(token))
    }
  })
})
