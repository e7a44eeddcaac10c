/** The documentation for agents: without a token, by the Model Context Protocol, and with nothing else behind it. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { PageRequest } from '../../src/http/page.ts'
import { UnreadableForm } from '../../src/http/page.ts'
import { docsDoorPages } from '../../src/mcp/index.ts'
import { openWorld, type World } from '../support/world.ts'

suite('the documentation for agents', () => {
  let world: World
  let folder: string

  before(async () => {
    world = await openWorld()
    folder = await mkdtemp(join(tmpdir(), 'signet-docs-'))
    await mkdir(join(folder, 'dist/guides'), { recursive: true })
    await writeFile(join(folder, 'secret.md'), '# Not for the web\n')
    const long = `# Long\n\nBegin ${'word '.repeat(30_000)} end.\n`
    await writeFile(join(folder, 'dist/guides/long.md'), long)
    const api =
      '# Protect an API\n\nAn API is a resource.\n\n## Check the signature\n\nOnly `at+jwt` counts, and the audience.\n'
    await writeFile(join(folder, 'dist/guides/protect-an-api.md'), api)
    door = docsDoorPages(world.app, pathToFileURL(`${join(folder, 'dist')}/`))
    for (let index = 0; index < 40; index++)
      await writeFile(join(folder, `dist/guides/other-${index}.md`), `# Other ${index}\n\nAbout many tokens.\n`)
  })
  after(async () => {
    await rm(folder, { recursive: true })
    await world.dispose()
  })

  let door: ReturnType<typeof docsDoorPages>

  const send = async (body: unknown, text = JSON.stringify(body)) => {
    const headers: Readonly<Record<string, string>> = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer nonsense',
    }
    const request = {
      headerNames: Object.keys(headers),
      header: (name: string) => headers[name],
      signal: new AbortController().signal,
      async readJson(maxBytes: number) {
        if (text.length > maxBytes) throw new UnreadableForm(413)
        return JSON.parse(text)
      },
    } as unknown as PageRequest
    const answer = await door.get('/mcp/docs')?.answer(request)
    return { status: answer?.status ?? 0, text: String(answer?.body) }
  }
  const call = async (name: string, input: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const { text } = await send(body)
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
    const { result } = JSON.parse(json) as {
      readonly result: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] }
    }
    return { isError: result.isError === true, text: result.content[0].text, bytes: Buffer.byteLength(text) }
  }

  test('finds sections by their words, the best first, and at most 20', async () => {
    const found = JSON.parse((await call('search', { query: 'which signature and audience?' })).text)
    assert.deepEqual([found[0].page, found[0].heading], ['guides/protect-an-api.md', 'Check the signature'])
    assert.match(found[0].excerpt, /at\+jwt/)
    assert.equal(JSON.parse((await call('search', { query: 'token' })).text).length, 20)
    assert.equal((await call('search', { query: 'xylophone' })).text, '[]')
  })

  test('reads pages in parts of less than 64 KB', async () => {
    assert.match((await call('read', { page: 'guides/protect-an-api.md' })).text, /^# Protect an API/)
    const first = await call('read', { page: 'guides/long.md' })
    assert.ok(first.bytes < 64 * 1024, `${first.bytes} bytes`)
    const offset = Number(/Continues at offset (\d+)/.exec(first.text)?.[1])
    assert.ok(offset > 0)
    assert.match((await call('read', { page: 'guides/long.md', offset })).text, /word/)
  })

  test('has no page outside of the documentation', async () => {
    for (const page of [
      '../secret.md',
      'guides/../../secret.md',
      '/etc/passwd',
      'guides',
      '',
      '__proto__',
      'file:///etc/passwd',
    ]) {
      const { isError, text } = await call('read', { page })
      assert.ok(isError, page)
      assert.match(text, /^There is no such page/)
    }
  })

  test('refuses a query of 1 MB, several messages at once, and what is no query', async () => {
    const long = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'x'.repeat(1_000_000) } },
    }
    assert.equal((await send(long)).status, 413)
    assert.equal((await send([long])).status, 413)
    assert.equal((await send([{}])).status, 400)
    for (const query of ['', 'x'.repeat(401), 7, null, { a: 1 }]) assert.ok((await call('search', { query })).isError)
  })

  test('costs so little that 1,000 searches at once are answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => call('search', { query: 'token audience signature resource' })),
    )
    assert.ok(answers.every(({ isError }) => !isError))
  })

  test('without a build, says that it is not available', async () => {
    const empty = docsDoorPages(world.app, pathToFileURL(`${folder}/nothing/`)).get('/mcp/docs')
    const answer = await empty?.answer({ readJson: async () => ({}) } as unknown as PageRequest)
    assert.equal(answer?.status, 503)
  })
})
