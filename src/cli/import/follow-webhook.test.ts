/** An object of a kind that says by itself how it is carried becomes what its source has now. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { dates } from '../../../test/support/drafts.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { newWebhookKey } from '../../features/webhooks/index.ts'
import { instant } from '../../kernel/instant.ts'
import { kinds } from '../../modules.ts'
import { writeDraft } from './write/index.ts'

const id = '66666666666666670'

for (const engine of bothEngines) {
  suite(`a webhook that is followed on ${engine.name}`, () => {
    let world: World
    const settings = { name: 'Events', url: 'https://hook.example.com/', eventTypes: [], objectTypes: [] }
    const first = {
      ...{ ...dates, kind: 'webhook', id, organizationId: '', status: 'active', key: newWebhookKey() },
      settings: { ...settings, timeoutMs: 4_000, perSecond: 50, includesDocument: false },
    }
    const former = { former: newWebhookKey(), formerUntil: instant(4_000_000_000_000) }
    const then = {
      ...first,
      status: 'off',
      settings: { ...first.settings, perSecond: 5 },
      key: newWebhookKey(),
      ...former,
    }

    const put = (draft: typeof first, mode: 'carry' | 'follow') => writeDraft(world.app, 'elsewhere', draft, mode)
    async function found(): Promise<Record<string, unknown>> {
      const kind = kinds.find(({ name }) => name === 'webhook')
      assert.ok(kind)
      const state = (await world.store.get(kind, id))?.state as Record<string, unknown>
      const secret = state.secret as Record<string, string>
      const key = await world.app.vault.open({ kind: 'webhook', id, member: 'key' }, secret.key ?? '')
      return { perSecond: state.perSecond, status: state.status, formerUntil: state.formerUntil, key }
    }

    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    test('is carried, and then stays as it is', async () => {
      assert.equal((await put(first, 'carry')).end, 'carried')
      assert.equal((await put(then, 'carry')).end, 'there')
      assert.deepEqual(await found(), { perSecond: 50, status: 'active', formerUntil: undefined, key: first.key })
    })

    test('becomes what its source has now, once', async () => {
      assert.equal((await put(then, 'follow')).end, 'changed')
      const { formerUntil } = former
      assert.deepEqual(await found(), { perSecond: 5, status: 'off', formerUntil, key: then.key })
      assert.equal((await put(then, 'follow')).end, 'there')
      assert.equal((await put({ ...first, status: 'paused' }, 'follow')).end, 'changed')
      assert.deepEqual(await found(), { perSecond: 50, status: 'paused', formerUntil: undefined, key: first.key })
    })

    test('stays when it was changed here', async () => {
      const kind = kinds.find(({ name }) => name === 'webhook')
      assert.ok(kind)
      await world.store.write(world.origin(), (work) => work.decide(kind, id, { type: 'resume' }))
      const written = await put(then, 'follow')
      assert.deepEqual([written.end, written.kept], ['there', [`webhook ${id}`]])
      assert.equal((await found()).status, 'active')
    })
  })
}
