import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { FAILURE } from '../../../test/support/sign-in-house.ts'
import { BOSS, openSignInScene, type SignInScene } from '../../../test/support/sign-in-scene.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded, type Store } from '../../store/index.ts'
import { identityLinks } from '../identity-links/index.ts'
import { finishIntent, intentRetirements, intents, leavingIntents } from './index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const { createSession, getSession } = SessionService.method

for (const engine of engines) {
  suite(`sign-ins through providers that are over on ${engine.name}`, () => {
    let scene: SignInScene
    let idpId: string
    before(async () => {
      scene = await openSignInScene(engine)
      idpId = await scene.add({ isAutoCreation: true })
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    const retire = (at: number, store: Store = scene.house.store) =>
      removeEnded({ store, instanceId: 'instance' }, leavingIntents, instant(at))
    const find = async (id: string) => (await scene.house.store.get(intents, id)) ?? assert.fail('it has left')
    const hasLeft = async (id: string) => (await scene.house.store.get(intents, id)) === undefined
    const write = (at: number, id: string, command: Parameters<typeof intents.decider.decide>[0]) =>
      scene.house.store.write({ actor: 'test', at: instant(at) }, (work) => work.decide(intents, id, command, 'north'))
    const recorded = async () => recordsIn(await readLog(scene.house.store), 'intent.retired.v1')

    /** Stays until then, whoever sweeps, and no longer. */
    const leavesAt = async (id: string, at: number) => {
      await retire(at - 1)
      assert.equal(await hasLeft(id), false)
      await retire(at)
      assert.equal(await hasLeft(id), true)
      assert.deepEqual(await scene.house.eventsOf(id), [])
    }

    test('leave a day after they expired, whatever became of them', async () => {
      const { house, provider, comeAs, go, prove } = scene
      comeAs()
      const begun = await house.start(idpId)
      await leavesAt(begun.intentId, (await find(begun.intentId)).createdAt + HOUR + DAY)

      const halfway = await house.start(idpId)
      await write(house.clock(), halfway.intentId, { type: 'answer', at: house.clock(), isSameBrowser: true })
      await leavesAt(halfway.intentId, (await find(halfway.intentId)).createdAt + HOUR + DAY)

      const denied = await house.start(idpId)
      const { state } = denied
      await house.finishAt(new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }))
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

    test('leave a day after they failed, if they never began or were answered too late', async () => {
      const at = scene.house.clock()
      const never = newId()
      await write(at, never, { type: 'give_up', idpId, reason: 'unreachable' })
      await leavesAt(never, at + DAY)

      const late = await scene.house.start(idpId)
      scene.house.time.offset = 20 * HOUR
      await scene.house.finishAt(scene.provider.answer(late.authUrl))
      const { state, changedAt } = await find(late.intentId)
      assert.equal(state.status === 'failed' && state.reason, 'expired')
      await leavesAt(late.intentId, changedAt + DAY)
    })

    test('never leave while they are good for something, and leave no sealed answer behind', async () => {
      const { house, comeAs, go, prove } = scene
      comeAs()
      const { intentId, token, user } = await go(idpId)
      const begun = await house.start(idpId)
      // A clock that is wrong by less than a day lets nothing go that others still use.
      await retire(house.clock() + DAY)
      assert.equal((await house.retrieve(intentId, token)).idpInformation?.idpId, idpId)
      await prove(intentId, token, user ?? '')
      assert.equal((await house.finish(scene.provider.answer(begun.authUrl))).type, 'redirect')
      assert.ok((await readLog(house.store)).some(({ data }) => JSON.stringify(data).includes('"identity"')))
      await retire(house.clock() + 2 * HOUR + DAY)
      const log = await readLog(house.store)
      assert.ok(!log.some(({ data }) => /"identity"|"handshake"/.test(JSON.stringify(data))))
      assert.deepEqual(gapsIn(log), toldBy(await recorded()))
    })

    test('are missed by nobody: the session, the link and the person stay, and the proof is no proof', async () => {
      const { house, provider, comeAs, go, prove } = scene
      comeAs()
      const { intentId, token, user } = await go(idpId)
      const userId = user ?? ''
      const { state } = await house.start(idpId)
      const checks = { user: { search: { case: 'userId', value: userId } }, intent: { intentId, token } } as const
      const { sessionId } = await house.call(createSession, { checks }, BOSS)
      await retire(house.clock() + 2 * HOUR + DAY)
      assert.equal(await hasLeft(intentId), true)

      const { session } = await house.call(getSession, { sessionId }, BOSS)
      assert.ok(session?.factors?.intent?.verifiedAt)
      const links = await house.store.find(identityLinks, { where: { field: 'userId', equals: userId }, limit: 9 })
      assert.equal(links.total, 1)
      assert.equal((await go(idpId)).user, userId)
      await isRefused(prove(intentId, token, userId), 'intent.not_succeeded')
      await isRefused(house.retrieve(intentId, token), 'intent.not_succeeded')
      await isRefused(house.call(createSession, { checks }, BOSS), 'intent.not_succeeded')
      const answer = new URLSearchParams({ code: 'c', state, iss: provider.issuer })
      assert.deepEqual(await house.finish(answer), { type: 'unknown' })
    })

    test('fail for a browser that comes back at the moment they leave', async () => {
      const { house, provider } = scene
      const { authUrl } = await house.start(idpId)
      const store: Store = {
        ...house.store,
        async get(kind, id) {
          const found = await house.store.get(kind, id)
          await retire(house.clock() + HOUR + DAY)
          return found
        },
      }
      const parameters = provider.answer(authUrl)
      const finished = await finishIntent({ ...house.rooms.intents, store }, { parameters, browser: undefined })
      assert.ok(finished.type === 'redirect' && finished.url.startsWith(`${FAILURE}?`))
    })

    test('leave once and in small commits on two nodes, and what stays folds as before', async () => {
      const { house } = scene
      const at = house.clock()
      await retire(at + 10 * DAY)
      const before = await recorded()
      await Promise.all(
        Array.from({ length: 130 }, () => write(at, newId(), { type: 'give_up', idpId, reason: 'unreachable' })),
      )
      const [young, open] = [newId(), await house.start(idpId)]
      await write(at + 1, young, { type: 'give_up', idpId, reason: 'unreachable' })
      const other = await house.another()
      const [one, two] = await Promise.all([retire(at + DAY), retire(at + DAY, other)])
      assert.equal(one + two, 130)
      const records = (await recorded()).slice(before.length)
      assert.deepEqual(
        records.map(({ streams }) => streams),
        [50, 50, 30],
      )
      assert.deepEqual(gapsIn(await readLog(house.store)), toldBy(await recorded()))

      const documents = async () => [
        (await house.store.find(intents, { orderBy: 'id', limit: 1000 })).documents,
        await house.store.get(intentRetirements, 'instance'),
      ]
      const folded = await documents()
      await house.store.rebuild([intents, intentRetirements])
      assert.deepEqual(await documents(), folded)
      assert.deepEqual([await hasLeft(young), await hasLeft(open.intentId)], [false, false])
      await leavesAt(young, at + 1 + DAY)
    })
  })
}
