/** How the server serves the console: a build that is there, one that is not, and nothing else from the disk. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openWorld, type World } from '../../test/support/world.ts'
import { consoleClientId } from '../features/instances/index.ts'
import type { PageAnswer, Pages } from '../http/page.ts'
import { openPort } from '../http/port/listener.ts'
import { openRouter } from '../http/router.ts'
import { consolePages } from './console.ts'

const SCRIPT = 'console.log("the console")'

let world: World
let folder: string
before(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'signet-console-'))
  await mkdir(join(folder, 'dist', 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'not for the web')
  await writeFile(join(folder, 'dist', 'index.html'), '<meta property="csp-nonce" nonce="__NONCE__">')
  await writeFile(join(folder, 'dist', 'assets', 'main-1.js'), SCRIPT)
  await writeFile(join(folder, 'dist', 'assets', 'main-1.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, 'dist', 'assets', 'main-1.js.gz'), gzipSync(SCRIPT))
})
after(async () => {
  await rm(folder, { recursive: true })
  await world.dispose()
})

function folderOf(name: string): URL {
  return pathToFileURL(`${join(folder, name)}/`)
}

async function serve(t: TestContext, pages: Pages) {
  const { app, methods, authorize } = world
  const router = openRouter({ methods, authorize, pages, log: () => {}, onFinish: () => {} })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://localhost:${port.address.port}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })
  t.after(() => port.close())
  return { ask, app }
}

suite('the console', () => {
  test('is one document at every path, with a strict policy and a new nonce each time', async (t) => {
    const { ask } = await serve(t, consolePages({ app: world.app, folder: folderOf('dist') }))
    const nonces = new Set<string>()
    for (const path of ['/ui/console', '/ui/console/', '/ui/console/users/1?tab=contact', '/ui/console/a/b/c']) {
      const answer = await ask(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const policy = answer.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? assert.fail(policy)
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
      assert.match(policy, /require-trusted-types-for 'script'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.match(await answer.text(), new RegExp(`nonce="${RegExp.escape(nonce)}"`))
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 4)
  })

  test('has assets that may be kept forever, in the encoding that the browser prefers', async (t) => {
    const { ask } = await serve(t, consolePages({ app: world.app, folder: folderOf('dist') }))
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await ask('/ui/console/assets/main-1.js', { 'accept-encoding': accepted })
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.equal(answer.headers.get('vary'), 'accept-encoding')
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(await answer.text(), SCRIPT)
    }
  })

  test('says where to sign in, and serves no other file of the disk', async (t) => {
    const { ask, app } = await serve(t, consolePages({ app: world.app, folder: folderOf('dist') }))
    assert.deepEqual(await (await ask('/ui/console/environment.json')).json(), {
      issuer: app.externalUrl,
      clientId: await consoleClientId(app),
      version: app.version,
    })
    for (const path of ['/ui/console/assets/..%2f..%2fsecret.txt', '/ui/console/assets/main-0.js']) {
      const answer = await ask(path)
      assert.equal(answer.status, 404)
      assert.doesNotMatch(await answer.text(), /not for the web/)
    }
  })

  test('says how to build it while there is no build, in the log and on the page', async () => {
    const lines: string[] = []
    const log = { ...world.app.log, warn: (line: string) => lines.push(line) } as unknown as typeof world.app.log
    const pages = consolePages({ app: { ...world.app, log }, folder: folderOf('nothing') })
    assert.match(lines.join(), /npm run build:console/)
    for (const path of ['/ui/console', '/ui/console/*']) {
      const answer = (await pages.get(path)?.answer({} as never)) as PageAnswer
      assert.equal(answer.status, 503)
      assert.match(String(answer.body), /npm run build:console/)
    }
  })
})
