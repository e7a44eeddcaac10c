/** `kill -9` while eight clients write to SQLite: what was acknowledged is there after the restart, once, in order. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, openStore, type Store } from '../../src/store/index.ts'
import { boxes, crates } from '../support/sample-kind.ts'
import { checkDocuments, checkHistory, type History, lostOf, readEvents } from './history.ts'
import { startWriting } from './writing-process.ts'

const ROUNDS = 50

async function openIt(file: string): Promise<Store> {
  return openStore(await openSqlite({ file }), [boxes, crates])
}

suite('kill -9 on SQLite', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-kill-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test(`${ROUNDS} rounds: nothing acknowledged is lost, doubled or out of order`, async (context) => {
    const file = join(folder, 'killed.db')
    const history: History = { invoked: new Set(), acknowledged: new Map() }
    let next = startWriting(file)
    // Also when a check fails: a child that still waits would keep this process alive.
    context.after(() => next.child.kill('SIGKILL'))
    for (let round = 1; round <= ROUNDS; round++) {
      const current = next
      // The next one loads its code meanwhile; it does not touch the file before it is told.
      next = startWriting(file)
      await current.begin()
      await sleep(Math.random() * 250)
      const said = await current.kill()
      for (const content of said.invoked) history.invoked.add(content)
      for (const [content, sequence] of said.acknowledged) history.acknowledged.set(content, sequence)
      if (round % 10 > 0) continue
      const store = await openIt(file)
      const events = await readEvents(store)
      checkHistory(history, events)
      await checkDocuments(store, events)
      if (round === ROUNDS) {
        await store.rebuild()
        await checkDocuments(store, events)
      }
      await store.close()
      const { size } = history.acknowledged
      context.diagnostic(`${round} kills: ${size} acknowledged writes, ${events.length} events, none lost`)
    }
    assert.ok(history.acknowledged.size > ROUNDS)
  })

  test('the control: a server that acknowledges before it writes is caught', async () => {
    for (let round = 0; round < 10; round++) {
      const file = join(folder, `lied-${round}.db`)
      const liar = startWriting(file, { honesty: 'lying' })
      await liar.begin()
      await sleep(Math.random() * 50)
      const history = await liar.kill()
      const store = await openIt(file)
      const lost = lostOf(history, await readEvents(store))
      await store.close()
      if (lost.length > 0) return
    }
    assert.fail('ten kills and no lie was found out: the test sees nothing')
  })
})
