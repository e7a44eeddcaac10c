/** `signet events` against a server that is killed, and what becomes of its positions when the log is copied. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { freshDatabase } from '../support/postgres.ts'
import { type Running, runServer } from './run-server.ts'

interface PrintedEvent {
  readonly position: string
  readonly sequence: string
  readonly type: { readonly type: string }
}

interface Place {
  readonly dataDir: string
  readonly url: string
  readonly settings: Readonly<Record<string, string>>
}

async function newPlace(context: TestContext, database = false): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signet-events-'))
  context.after(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const fresh = database ? await freshDatabase() : undefined
  if (fresh !== undefined) context.after(() => fresh.drop())
  const settings = {
    SIGNET_DATA_DIR: dataDir,
    SIGNET_LISTEN: `127.0.0.1:${port}`,
    ...(fresh && { SIGNET_DATABASE_URL: fresh.url }),
  }
  return { dataDir, url: `http://localhost:${port}`, settings }
}

async function start({ settings }: Place): Promise<Running> {
  const server = await runServer('main', ['start'], settings)
  await server.url
  return server
}

async function stop(server: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  server.child.kill(signal)
  await server.ended
}

async function run({ settings }: Place, ...args: readonly string[]) {
  const command = await runServer('main', args, settings)
  return { code: await command.ended, out: command.stdout(), complaints: command.stderr() }
}

function eventsIn(text: string): PrintedEvent[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PrintedEvent)
}

async function eventsOf(place: Place, ...flags: readonly string[]): Promise<PrintedEvent[]> {
  const { code, out, complaints } = await run(place, 'events', '--json', ...flags)
  assert.equal(code, 0, complaints)
  return eventsIn(out)
}

let organizations = 0

async function addOrganizations({ url, dataDir }: Place, count: number): Promise<void> {
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let each = 0; each < count; each++) {
    const body = JSON.stringify({ name: `Organization ${++organizations}` })
    const answer = await fetch(`${url}/v2/organizations`, { method: 'POST', headers, body })
    assert.equal(answer.ok, true, await answer.text())
  }
}

suite('signet events', () => {
  test('prints the log, with filters and from a position, and says why it cannot', async (context) => {
    const place = await newPlace(context)
    const server = await start(place)
    await addOrganizations(place, 3)
    const all = await eventsOf(place)
    assert.equal(all[0]?.sequence, '1')
    const added = await eventsOf(place, '--type', 'organization.added.v1', 'instance.created.v1')
    assert.equal(added.filter(({ type }) => type.type === 'organization.added.v1').length, 4)
    const middle = all[Math.floor(all.length / 2)]
    assert.ok(middle)
    const rest = await eventsOf(place, '--after', middle.position)
    assert.deepEqual(rest, all.slice(all.indexOf(middle) + 1))

    const { out } = await run(place, 'events', '--kind', 'organization')
    assert.match(out, /^\d{4}-\S+Z \d+ organization\.added\.v1 organization \d+/m)
    for (const [after, reason] of [
      ['999999', /has no such position/],
      ['soon', /not one of the event log/],
    ] as const) {
      const { code, complaints } = await run(place, 'events', '--follow', '--after', after)
      assert.equal(code, 1)
      assert.match(complaints, reason)
    }
    await stop(server)
    const { code, complaints } = await run(place, 'events')
    assert.equal(code, 1)
    assert.match(complaints, /cannot be reached/)
  })

  test('--follow prints each event once, although the server is killed again and again', async (context) => {
    const place = await newPlace(context)
    let server = await start(place)
    const follower = await runServer('main', ['events', '--follow', '--json', '--after', '0'], place.settings)
    for (let round = 0; round < 2; round++) {
      await addOrganizations(place, 5)
      await stop(server, 'SIGKILL')
      server = await start(place)
    }
    await addOrganizations(place, 5)
    const expected = await eventsOf(place)
    const last = expected.at(-1)?.position ?? ''
    while (!follower.stdout().includes(last)) await sleep(20)
    assert.deepEqual(
      eventsIn(follower.stdout())
        .map(({ position }) => position)
        .slice(0, expected.length),
      expected.map(({ position }) => position),
    )
    follower.child.kill('SIGTERM')
    await follower.ended
    await stop(server)
  })

  test('a position is good in a copy of the log, in another database too, and refused where the log has another event', async (context) => {
    const place = await newPlace(context)
    const server = await start(place)
    await addOrganizations(place, 2)
    const backup = join(place.dataDir, 'early.backup')
    assert.equal((await run(place, 'backup', backup)).code, 0)
    const early = (await eventsOf(place)).at(-1)?.position ?? ''
    await addOrganizations(place, 5)
    const late = (await eventsOf(place)).at(-1)?.position ?? ''
    await stop(server)

    const empty = await newPlace(context, process.env.SIGNET_TEST_POSTGRES !== 'none')
    const key = (await readFile(join(place.dataDir, 'master.key'), 'utf8')).trim()
    const again = { ...empty, settings: { ...empty.settings, SIGNET_MASTER_KEY: key } }
    const { code: outcome, complaints: trouble } = await run(again, 'restore', backup)
    assert.equal(outcome, 0, trouble)
    await copyFile(join(place.dataDir, 'admin.pat'), join(again.dataDir, 'admin.pat'))
    const other = await start(again)
    await addOrganizations(again, 8)
    const since = await eventsOf(again, '--after', early)
    assert.equal(since.filter(({ type }) => type.type === 'organization.added.v1').length, 8)
    // The restored log has a number as high as this, of another event.
    assert.ok(Number(since.at(-1)?.sequence) >= Number(late.split('-')[0]))
    const { code, complaints } = await run(again, 'events', '--after', late)
    assert.equal(code, 1)
    assert.match(complaints, /has no such position. It may have been restored from a backup/)
    await stop(other)
  })
})
