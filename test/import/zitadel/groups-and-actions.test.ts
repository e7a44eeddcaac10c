/** Groups, targets and executions of a ZITADEL: what arrives, and what changes until the cut-over. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { ActionService } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { Source } from '../../../src/cli/import/draft.ts'
import { runFollow } from '../../../src/cli/import/follow.ts'
import { runMove } from '../../../src/cli/import/move.ts'
import { executions } from '../../../src/features/executions/index.ts'
import { findGroup, groupMembers } from '../../../src/features/groups/index.ts'
import { findTarget } from '../../../src/features/targets/index.ts'
import { bothEngines } from '../../support/engines.ts'
import { openWorld, type World } from '../../support/world.ts'
import { INSTANCE, ORGANIZATION, type PeerWorld, type Place, peerWorld, user } from './peer-world.ts'

const [ADA, BOB, GONE] = ['200000000000000001', '200000000000000002', '200000000000000003']
const [TEAM, HOOK, CALL, OLD] = ['g1', 't1', 't2', 't3']

const group: Place = { type: 'group', id: TEAM, owner: ORGANIZATION }
const target = (id: string): Place => ({ type: 'target', id, owner: INSTANCE })
const execution = (id: string): Place => ({ type: 'execution', id, owner: INSTANCE })
const calling = (...ids: string[]) => ({ targets: ids.map((id) => ({ type: 2, target: id })) })

function pem(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64')
}

async function fill(peer: PeerWorld): Promise<void> {
  await peer.addKey('targetKey')
  for (const id of [ADA, BOB, GONE]) await peer.addHuman(id)
  await peer.add(group, {
    'group.added': { name: 'Draft', description: 'who build' },
    'group.changed': { name: 'Builders' },
    'group.users.added': { userIds: [ADA, BOB, GONE] },
    'group.users.removed': { userIds: [BOB] },
  })
  await peer.add(user(GONE), { 'user.removed': null })
  const common = { timeout: 5_000_000_000, payloadType: 0, interruptOnError: true }
  const added = (name: string, targetType: number) => ({
    ...{ name, targetType, ...common, endpoint: `https://hooks.example.com/${name}` },
    signingKey: peer.seal('targetKey', `key of ${name}`),
  })
  await peer.add(target(HOOK), {
    'target.added': added('hook', 0),
    'target.changed': { timeout: 6_000_000_000 },
    'target.key.added': { keyId: 'k1', publicKey: pem(), expirationDate: '2099-01-01T00:00:00Z' },
    'target.key.activated': { keyId: 'k1' },
  })
  await peer.add(target(CALL), { 'target.added': { ...added('call', 2), payloadType: 2 } })
  await peer.add(target(OLD), { 'target.added': added('old', 0), 'target.removed': null })
  await peer.add(execution('event/user.human.added'), { 'execution.v2.set': calling(HOOK, OLD) })
  await peer.add(execution('function/preuserinfo'), { 'execution.v2.set': calling(CALL) })
  await peer.add(execution('event/user.removed'), { 'execution.v2.set': calling(HOOK) })
  await peer.add(execution('event/user.removed'), { 'execution.v2.set': calling() })
  await peer.add(execution('event/of.another.server'), { 'execution.v2.set': calling(HOOK) })
}

function cutOver({ app }: World, source: Source, isCutOver = true) {
  const signal = isCutOver ? new AbortController().signal : AbortSignal.timeout(1)
  return runFollow(app, source, { isCutOver, signal, isQuiet: true })
}

async function called({ store, app }: World): Promise<Readonly<Record<string, readonly string[]>>> {
  const list = (await store.get(executions, app.instanceId))?.state.list ?? []
  return Object.fromEntries(list.map(({ condition, targetIds }) => [condition, targetIds]))
}

async function members({ store }: World): Promise<readonly string[]> {
  const { documents } = await store.find(groupMembers, { where: { field: 'groupId', equals: TEAM }, limit: 10 })
  return documents.flatMap(({ state }) => (state.status === 'member' ? [state.userId] : [])).sort()
}

for (const engine of bothEngines) {
  suite(`groups and actions of a ZITADEL on ${engine.name}`, () => {
    test('arrive with their users, keys and dates; a condition that there is not here is refused', async (t) => {
      const peer = await peerWorld(t)
      if (!peer) return
      await fill(peer)
      const world = await openWorld({ engine })
      t.after(() => world.dispose())
      const source = await peer.open()
      const { kinds, reasons } = await runMove(world.app, source, { isQuiet: true })
      const team = await findGroup(world.store, TEAM)
      assert.deepEqual(
        [team?.state.name, team?.state.description, team?.owner],
        ['Builders', 'who build', ORGANIZATION],
      )
      assert.ok(team !== undefined && team.changedAt > team.createdAt && team.changedAt < peer.now)
      assert.deepEqual(await members(world), [ADA])
      const hook = await world.call(ActionService.method.getTarget, { id: HOOK }, world.owner)
      assert.deepEqual([hook.target?.signingKey, hook.target?.timeout?.seconds], ['key of hook', 6n])
      const state = (await findTarget(world.store, HOOK))?.state
      assert.deepEqual(
        state?.publicKeys.map(({ keyId, isActive }) => [keyId, isActive]),
        [['k1', true]],
      )
      assert.deepEqual([state?.type, state?.interruptOnError, state?.payloadType], ['webhook', true, 'json'])
      const call = (await findTarget(world.store, CALL))?.state
      assert.deepEqual([call?.type, call?.interruptOnError, call?.payloadType], ['async', false, 'jwt'])
      assert.equal(await findTarget(world.store, OLD), undefined)
      assert.deepEqual(await called(world), {
        'event/user.human.added': [HOOK],
        'function/preuserinfo': [CALL],
      })
      assert.deepEqual([kinds.executions?.carried, kinds.executions?.refused], [2, 1])
      const [unknown] = reasons.filter(({ kind }) => kind === 'executions')
      assert.deepEqual([unknown?.type, unknown?.ids], ['refused', ['event/of.another.server']])
      const again = await runMove(world.app, source, { isQuiet: true })
      assert.equal(again.kinds.executions?.carried, 0)
    })

    test('are followed; what is called when comes with the cut-over, because the source calls until then', async (t) => {
      const peer = await peerWorld(t)
      if (!peer) return
      await fill(peer)
      const world = await openWorld({ engine })
      t.after(() => world.dispose())
      const source = await peer.open()
      await cutOver(world, source, false)
      assert.deepEqual([await members(world), await called(world)], [[ADA], {}])
      await peer.add(group, {
        'group.changed': { name: 'Makers' },
        'group.users.added': { userIds: [BOB] },
        'group.users.removed': { userIds: [ADA] },
      })
      await peer.add(target(HOOK), {
        'target.changed': { endpoint: 'https://new.example.com', signingKey: peer.seal('targetKey', 'another key') },
        'target.key.added': { keyId: 'k2', publicKey: pem() },
        'target.key.activated': { keyId: 'k2' },
        'target.key.removed': { keyId: 'k1' },
      })
      await peer.add(target(CALL), { 'target.removed': null })
      const first = await cutOver(world, source)
      assert.deepEqual(
        [first.kinds.group?.changed, first.kinds.target?.changed, first.kinds.target?.removed],
        [1, 1, 1],
      )
      assert.equal((await findGroup(world.store, TEAM))?.state.name, 'Makers')
      assert.deepEqual(await members(world), [BOB])
      const { target: hook } = await world.call(ActionService.method.getTarget, { id: HOOK }, world.owner)
      assert.deepEqual([hook?.signingKey, hook?.endpoint], ['another key', 'https://new.example.com'])
      const state = (await findTarget(world.store, HOOK))?.state
      assert.deepEqual(
        state?.publicKeys.map(({ keyId, isActive }) => [keyId, isActive]),
        [['k2', true]],
      )
      assert.deepEqual(await called(world), { 'event/user.human.added': [HOOK] })
      await peer.add(execution('event/user.human.added'), { 'execution.removed': null })
      await peer.add(group, { 'group.removed': null })
      const second = await cutOver(world, source)
      assert.deepEqual([second.kinds.group?.removed, second.kinds.executions?.removed], [1, 1])
      assert.deepEqual(await called(world), {})
      assert.equal(await findGroup(world.store, TEAM), undefined)
      const third = await cutOver(world, source)
      assert.equal(third.kinds.executions?.removed ?? 0, 0)
    })
  })
}
