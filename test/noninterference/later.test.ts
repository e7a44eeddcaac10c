/** IDs of another tenant, chosen for something of one's own, do nothing to that tenant. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertNone } from '../support/cells.ts'
import { engines, type TestEngine } from '../support/engines.ts'
import { Gate } from './dry-engine.ts'
import { lastSequence, lifeOfA, takeIdsOfA, writtenOnA } from './later.ts'
import { openTenants } from './world.ts'

/** What A's people can do before and after, and what was written on A's streams. */
async function tryOn(engine: TestEngine, gate?: Gate) {
  const tenants = await openTenants(engine, gate)
  try {
    const before = await lifeOfA(tenants)
    const from = await lastSequence(tenants)
    const taken = await takeIdsOfA(tenants)
    return { before, after: await lifeOfA(tenants), taken, written: await writtenOnA(tenants, from) }
  } finally {
    await tenants.dispose()
  }
}

for (const engine of engines) {
  suite(`IDs of another tenant (${engine.name})`, () => {
    test('taken for users of one’s own, end nothing and write nothing there', async (context) => {
      const { before, after, taken, written } = await tryOn(engine)
      context.diagnostic(`${taken} IDs were taken`)
      assert.deepEqual(new Set(Object.values(before)), new Set(['ok']))
      assert.deepEqual(after, before)
      assertNone(written)
      assert.ok(taken > 20, `${taken}`)
    })

    test('control: a stream that two kinds share is found', async () => {
      const shared = (kind: string) => (kind === 'user-token-generation' ? 'organization-token-generation' : kind)
      const { before, after, written } = await tryOn(engine, new Gate(shared))
      assert.notDeepEqual([after, []], [before, written])
      assert.notEqual(after.token, 'ok')
    })
  })
}
