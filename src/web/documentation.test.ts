/** How the server serves the documentation: a build that is there, one that is not, and nothing else from the disk. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openWorld, type World } from '../../test/support/world.ts'
import type { Page, PageAnswer, PageRequest } from '../http/page.ts'
import { documentationPages } from './documentation.ts'

let world: World
let folder: string
before(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'signet-docs-'))
  await mkdir(join(folder, 'dist', 'assets'), { recursive: true })
  await mkdir(join(folder, 'dist', 'reference'))
  const files = {
    'secret.html': 'not for the web',
    'dist/index.html': 'start',
    'dist/404.html': 'nothing here',
    'dist/packages.json': '[]',
    'dist/reference/errors.html': 'errors',
    'dist/assets/app.1.js': 'script',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'dist/reference/errors.html.gz'), gzipSync('errors'))
})
after(async () => {
  await rm(folder, { recursive: true })
  await world.dispose()
})

async function ask(path: string, headers: Readonly<Record<string, string>> = {}, name = 'dist'): Promise<PageAnswer> {
  const pages = documentationPages({ app: world.app, folder: pathToFileURL(`${join(folder, name)}/`) })
  const page = (pages.get(path) ?? pages.get('/ui/docs/*')) as Page
  return await page.answer({ path, header: (header: string) => headers[header] } as PageRequest)
}

suite('the documentation', () => {
  test('has each page at its name, with or without the ending, and with a policy that allows nothing inline', async () => {
    for (const [path, text] of [
      ['/ui/docs', 'start'],
      ['/ui/docs/', 'start'],
      ['/ui/docs/reference/errors', 'errors'],
      ['/ui/docs/reference/errors.html', 'errors'],
    ] as const) {
      const { status, body, contentType, headers } = await ask(path)
      assert.deepEqual([status, String(body), contentType], [200, text, 'text/html; charset=utf-8'], path)
      assert.match(String(headers?.['content-security-policy']), /script-src 'self'; style-src 'self';/)
      assert.doesNotMatch(String(headers?.['content-security-policy']), /unsafe/)
    }
  })

  test('is compressed, pages are asked for again, and what is still known is not sent again', async () => {
    const first = await ask('/ui/docs/reference/errors', { 'accept-encoding': 'gzip, br' })
    assert.equal(first.headers?.['content-encoding'], 'gzip')
    assert.equal(first.headers?.['cache-control'], 'no-cache')
    const known = { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers?.etag) }
    const second = await ask('/ui/docs/reference/errors', known)
    assert.deepEqual([second.status, second.body.length], [304, 0])
    const asset = await ask('/ui/docs/assets/app.1.js')
    assert.equal(asset.headers?.['cache-control'], 'public, max-age=31536000, immutable')
  })

  test('serves no other file, and says so on a page of its own', async () => {
    for (const path of ['/ui/docs/nothing', '/ui/docs/../secret.html', '/ui/docs/packages.json', '/ui/docs/404']) {
      const { status, body } = await ask(path)
      assert.deepEqual([status, String(body)], [404, 'nothing here'], path)
    }
    assert.equal((await ask('/ui/docs/assets/old.js')).contentType, 'text/plain; charset=utf-8')
  })

  test('without a build, a page says how to make one', async () => {
    const { status, body } = await ask('/ui/docs', {}, 'missing')
    assert.equal(status, 503)
    assert.match(String(body), /npm run build:docs/)
  })
})
