import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { BOSS, openProviderScene, type ProviderScene } from '../../../test/support/provider-scene.ts'
import { FAILURE } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded, type Store } from '../../store/index.ts'
import { identityLinks } from '../identity-links/index.ts'
import { finishIntent, intentRetention, intentRetirements, intents } from './index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const { createSession, getSession } = SessionService.method

for (const engine of bothEngines) {
  suite(`sign-ins through providers that are over on ${engine.name}`, () => {
    let scene: ProviderScene
    let idpId: string
    before(async () => {
      scene = await openProviderScene(engine)
      idpId = await scene.add({ isAutoCreation: true })
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    const removeAt = (at: number, store: Store = scene.world.store) =>
      removeEnded({ store, instanceId: 'instance' }, intentRetention, instant(at))
    const find = async (id: string) => (await scene.world.store.get(intents, id)) ?? assert.fail('it has left')
    const hasLeft = async (id: string) => (await scene.world.store.get(intents, id)) === undefined
    const write = (at: number, id: string, command: Parameters<typeof intents.decider.decide>[0]) =>
      scene.world.store.write({ actor: { user: 'test' }, at: instant(at) }, (work) =>
        work.decide(intents, id, command, 'north'),
      )
    const recorded = async () => recordsIn(await readLog(scene.world.store), 'intent.retired.v1')

    /** Stays until then and no longer. */
    const leavesAt = async (id: string, at: number) => {
      await removeAt(at - 1)
      assert.equal(await hasLeft(id), false)
      await removeAt(at)
      assert.equal(await hasLeft(id), true)
      assert.deepEqual(await scene.world.eventsOf(id), [])
    }

    test('are deleted a day after they expired, however they ended', async () => {
      const { world, provider, comeAs, go, prove } = scene
      comeAs()
      const begun = await world.start(idpId)
      await leavesAt(begun.intentId, (await find(begun.intentId)).createdAt + HOUR + DAY)

      const halfway = await world.start(idpId)
      await write(world.clock(), halfway.intentId, { type: 'answer', at: world.clock(), isSameBrowser: true })
      await leavesAt(halfway.intentId, (await find(halfway.intentId)).createdAt + HOUR + DAY)

      const denied = await world.start(idpId)
      const { state } = denied
      await world.finishAt(new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }))
      assert.equal((await find(denied.intentId)).state.status, 'failed')
      await leavesAt(denied.intentId, (await find(denied.intentId)).createdAt + HOUR + DAY)

      const unused = await go(idpId)
      await leavesAt(unused.intentId, (await find(unused.intentId)).changedAt + HOUR + DAY)

      const used = await go(idpId)
      const { changedAt } = await find(used.intentId)
      await prove(used.intentId, used.token, used.user ?? '')
      assert.equal((await find(used.intentId)).state.status, 'consumed')
      await leavesAt(used.intentId, changedAt + HOUR + DAY)
    })

    test('are deleted a day after they failed, if they never began or were answered too late', async () => {
      const at = scene.world.clock()
      const never = newId()
      await write(at, never, { type: 'give_up', idpId, reason: 'unreachable' })
      await leavesAt(never, at + DAY)

      const late = await scene.world.start(idpId)
      scene.world.time.offset = 20 * HOUR
      await scene.world.finishAt(scene.provider.answer(late.authUrl))
      const { state, changedAt } = await find(late.intentId)
      assert.equal(state.status === 'failed' && state.reason, 'expired')
      await leavesAt(late.intentId, changedAt + DAY)
    })

    test('are never deleted while they are valid, and leave no sealed answer behind', async () => {
      const { world, comeAs, go, prove } = scene
      comeAs()
      const { intentId, token, user } = await go(idpId)
      const begun = await world.start(idpId)
      // A clock that is wrong by less than a day lets nothing go that others still use.
      await removeAt(world.clock() + DAY)
      assert.equal((await world.retrieve(intentId, token)).idpInformation?.idpId, idpId)
      await prove(intentId, token, user ?? '')
      assert.equal((await world.finish(scene.provider.answer(begun.authUrl))).type, 'redirect')
      assert.ok((await readLog(world.store)).some(({ data }) => JSON.stringify(data).includes('"identity"')))
      await removeAt(world.clock() + 2 * HOUR + DAY)
      const log = await readLog(world.store)
      assert.ok(!log.some(({ data }) => /"identity"|"handshake"/.test(JSON.stringify(data))))
      assert.deepEqual(gapsIn(log), toldBy(await recorded()))
    })

    test('are not needed any more: the session, the link and the user stay, and the proof is refused', async () => {
      const { world, provider, comeAs, go, prove } = scene
      comeAs()
      const { intentId, token, user } = await go(idpId)
      const userId = user ?? ''
      const { state } = await world.start(idpId)
      const checks = { user: { search: { case: 'userId', value: userId } }, intent: { intentId, token } } as const
      const { sessionId } = await world.call(createSession, { checks }, BOSS)
      await removeAt(world.clock() + 2 * HOUR + DAY)
      assert.equal(await hasLeft(intentId), true)

      const { session } = await world.call(getSession, { sessionId }, BOSS)
      assert.ok(session?.factors?.intent?.verifiedAt)
      const links = await world.store.find(identityLinks, { where: { field: 'userId', equals: userId }, limit: 9 })
      assert.equal(links.total, 1)
      assert.equal((await go(idpId)).user, userId)
      await isRefused(prove(intentId, token, userId), 'intent.not_succeeded')
      await isRefused(world.retrieve(intentId, token), 'intent.not_succeeded')
      await isRefused(world.call(createSession, { checks }, BOSS), 'intent.not_succeeded')
      const answer = new URLSearchParams({ code: 'c', state, iss: provider.issuer })
      assert.deepEqual(await world.finish(answer), { type: 'unknown' })
    })

    test('fail for a browser that comes back at the moment they are deleted', async () => {
      const { world, provider } = scene
      const { authUrl } = await world.start(idpId)
      const store: Store = {
        ...world.store,
        async get(kind, id) {
          const found = await world.store.get(kind, id)
          await removeAt(world.clock() + HOUR + DAY)
          return found
        },
      }
      const parameters = provider.answer(authUrl)
      const finished = await finishIntent({ ...world.app, store }, { parameters, browser: undefined })
      assert.ok(finished.type === 'redirect' && finished.url.startsWith(`${FAILURE}?`))
    })

    test('are deleted once and in small commits on two nodes, and what stays folds as before', async () => {
      const { world } = scene
      const at = world.clock()
      await removeAt(at + 10 * DAY)
      const before = await recorded()
      await Promise.all(
        Array.from({ length: 130 }, () => write(at, newId(), { type: 'give_up', idpId, reason: 'unreachable' })),
      )
      const [young, open] = [newId(), await world.start(idpId)]
      await write(at + 1, young, { type: 'give_up', idpId, reason: 'unreachable' })
      const other = await world.another()
      const [one, two] = await Promise.all([removeAt(at + DAY), removeAt(at + DAY, other.store)])
      assert.equal(one + two, 130)
      const records = (await recorded()).slice(before.length)
      assert.deepEqual(
        records.map(({ streams }) => streams),
        [50, 50, 30],
      )
      assert.deepEqual(gapsIn(await readLog(world.store)), toldBy(await recorded()))

      const documents = async () => [
        (await world.store.find(intents, { orderBy: 'id', limit: 1000 })).documents,
        await world.store.get(intentRetirements, 'instance'),
      ]
      const folded = await documents()
      await world.store.rebuild([intents, intentRetirements])
      assert.deepEqual(await documents(), folded)
      assert.deepEqual([await hasLeft(young), await hasLeft(open.intentId)], [false, false])
      await leavesAt(young, at + 1 + DAY)
    })
  })
}
