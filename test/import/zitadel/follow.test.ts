/** A ZITADEL that is still in use is followed: what happens there happens here, and nothing is overwritten silently. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { hashSync } from '@node-rs/bcrypt'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Source } from '../../../src/cli/import/draft.ts'
import { runFollow } from '../../../src/cli/import/follow.ts'
import { runMove } from '../../../src/cli/import/move.ts'
import { applications } from '../../../src/features/applications/index.ts'
import { authorizations } from '../../../src/features/authorizations/index.ts'
import { readImportMark } from '../../../src/features/imports/index.ts'
import { memberships } from '../../../src/features/memberships/index.ts'
import { metadataId, userMetadata } from '../../../src/features/metadata/index.ts'
import { organizations } from '../../../src/features/organizations/index.ts'
import { projectRoleId, projectRoles, projects } from '../../../src/features/projects/index.ts'
import { users } from '../../../src/features/users/index.ts'
import { bothEngines } from '../../support/engines.ts'
import { openWorld, type World } from '../../support/world.ts'
import {
  authorization,
  INSTANCE,
  ORGANIZATION,
  organization,
  type PeerWorld,
  peerWorld,
  project,
  user,
} from './peer-world.ts'

const [ADA, BOB, EVE, ROBOT] = ['200000000000000001', '200000000000000002', '200000000000000003', '200000000000000004']
const [SHOP, API, GIVEN] = ['300000000000000001', '300000000000000002', '400000000000000001']

async function fill(peer: PeerWorld): Promise<void> {
  await peer.addHuman(ADA, { encodedHash: hashSync('first password', 10) })
  await peer.addHuman(BOB)
  await peer.add(user(ADA), { 'user.metadata.set': { key: 'team', value: 'cmVk' } })
  await peer.add(user(BOB), { 'user.metadata.set': { key: 'team', value: 'cmVk' } })
  await peer.add(user(ROBOT), { 'user.machine.added': { userName: 'robot', name: 'Robot' } })
  await peer.add(project(SHOP), {
    'project.added': { name: 'Shop' },
    'project.role.added': { key: 'seller', displayName: 'Seller' },
    'project.application.added': { appId: API, name: 'API' },
    'project.application.config.api.added': { appId: API, clientId: `${API}@shop` },
    'project.member.added': { userId: ADA, roles: ['PROJECT_OWNER'] },
  })
  await peer.add(authorization(GIVEN), {
    'user.grant.added': { userId: ADA, projectId: SHOP, roleKeys: ['seller'] },
  })
}

async function begin(t: TestContext, engine: (typeof bothEngines)[number]) {
  const peer = await peerWorld(t)
  if (!peer) return undefined
  await fill(peer)
  const world = await openWorld({ engine })
  t.after(() => world.dispose())
  return { peer, world, source: await peer.open() }
}

/** Takes over whatever is left. */
function catchUp({ app }: World, source: Source) {
  return runFollow(app, source, { isCutOver: true, signal: new AbortController().signal, isQuiet: true })
}

async function human({ store }: World, id: string) {
  const state = (await store.get(users, id))?.state
  return state !== undefined && 'type' in state && state.type === 'human' ? state : undefined
}

async function lastSequence({ store }: World): Promise<number> {
  return (await store.events({ descending: true, limit: 1 }))[0]?.sequence ?? 0
}

/** Something of every sort happens there. */
async function goOn(peer: PeerWorld): Promise<void> {
  await peer.addHuman(EVE)
  await peer.add(user(ADA), {
    'user.human.profile.changed': { firstName: 'Augusta' },
    'user.username.changed': { userName: 'countess' },
    'user.human.email.changed': { email: 'countess@example.com' },
    'user.human.email.verified': null,
    'user.human.password.changed': { encodedHash: hashSync('second password', 10) },
    'user.metadata.set': { key: 'team', value: 'Ymx1ZQ==' },
  })
  await peer.add(user(BOB), { 'user.metadata.removed': { key: 'team' }, 'user.locked': null })
  await peer.add(user(ROBOT), { 'user.removed': null })
  await peer.add(project(SHOP), {
    'project.changed': { name: 'Store' },
    'project.role.added': { key: 'buyer', displayName: 'Buyer' },
    'project.role.removed': { key: 'seller' },
    'project.application.changed': { appId: API, name: 'Backend' },
    'project.member.removed': { userId: ADA },
  })
  await peer.add(authorization(GIVEN), { 'user.grant.changed': { roleKeys: ['buyer'] } })
  await peer.add(organization, { 'org.changed': { name: 'Renamed' }, 'org.domain.added': { domain: 'new.example' } })
}

for (const engine of bothEngines) {
  suite(`a ZITADEL that is followed on ${engine.name}`, () => {
    test('what is created, changed and removed there is taken over, once', async (t) => {
      const both = await begin(t, engine)
      if (!both) return
      const { peer, world, source } = both
      const { store } = world
      await runMove(world.app, source, { isQuiet: true })
      await goOn(peer)
      const { kinds, follow } = await catchUp(world, source)
      assert.deepEqual([follow?.behind, follow?.unsolved], [0, 0])
      assert.deepEqual([kinds.human?.carried, kinds.human?.changed, kinds.machine?.removed], [1, 2, 1])
      const ada = await human(world, ADA)
      assert.deepEqual(
        [ada?.profile.firstName, ada?.userName, ada?.email.address, ada?.email.isVerified],
        ['Augusta', 'countess', 'countess@example.com', true],
      )
      assert.deepEqual([(await human(world, BOB))?.status, (await human(world, EVE))?.status], ['locked', 'active'])
      assert.equal(await store.get(users, ROBOT), undefined)
      const entry = async (id: string) => (await store.get(userMetadata, metadataId(id, 'team')))?.state
      const [ofAda, ofBob] = [await entry(ADA), await entry(BOB)]
      assert.deepEqual([ofAda?.status === 'set' && ofAda.value, ofBob?.status], ['Ymx1ZQ==', 'none'])
      const named = async (kind: typeof projects, id: string) => {
        const state = (await store.get(kind, id))?.state
        return state !== undefined && 'name' in state ? state.name : undefined
      }
      assert.equal(await named(projects, SHOP), 'Store')
      assert.equal(await named(applications as unknown as typeof projects, API), 'Backend')
      assert.equal(await named(organizations as unknown as typeof projects, ORGANIZATION), 'Renamed')
      const role = async (key: string) => (await store.get(projectRoles, projectRoleId(SHOP, key)))?.state.status
      assert.deepEqual([await role('buyer'), await role('seller')], ['existing', 'none'])
      const given = (await store.get(authorizations, GIVEN))?.state
      assert.deepEqual(given !== undefined && 'roleKeys' in given && given.roleKeys, ['buyer'])
      assert.equal((await store.find(memberships, { where: { field: 'userId', equals: ADA }, limit: 1 })).total, 0)
      const signIn = (password: string) =>
        world.call(
          SessionService.method.createSession,
          { checks: { user: { search: { case: 'userId', value: ADA } }, password: { password } } },
          world.owner,
        )
      const before = await lastSequence(world)
      await catchUp(world, source)
      assert.equal(await lastSequence(world), before)
      await assert.rejects(signIn('first password'))
      assert.ok((await signIn('second password')).sessionToken)
      assert.deepEqual(await world.outbox(), [])
    })

    test('what was changed here, too, stays as it is here, and is reported until it is the same', async (t) => {
      const both = await begin(t, engine)
      if (!both) return
      const { peer, world, source } = both
      await runMove(world.app, source, { isQuiet: true })
      const rename = (firstName: string) =>
        world.call(
          UserService.method.updateHumanUser,
          { userId: ADA, profile: { firstName, lastName: 'Byron' } },
          world.owner,
        )
      await rename('Here')
      await peer.add(user(ADA), {
        'user.human.profile.changed': { firstName: 'There' },
        'user.metadata.set': { key: 'team', value: 'Ymx1ZQ==' },
      })
      const { kinds, reasons, follow } = await catchUp(world, source)
      assert.equal((await human(world, ADA))?.profile.firstName, 'Here')
      assert.equal(kinds.metadata?.changed, 1)
      assert.ok((kinds.human?.kept ?? 0) > 0)
      assert.equal(follow?.unsolved, 1)
      assert.match(reasons.find(({ type }) => type === 'kept')?.reason ?? '', /changed here/)
      // Another run, of another process: it is still known.
      await peer.add(user(BOB), { 'user.locked': null })
      assert.equal((await catchUp(world, await peer.open())).follow?.unsolved, 1)
      await rename('There')
      await peer.add(user(ADA), { 'user.human.profile.changed': { lastName: 'Byron' } })
      assert.equal((await catchUp(world, source)).follow?.unsolved, 0)
    })

    test('names that changed hands there are taken over in any order', async (t) => {
      const both = await begin(t, engine)
      if (!both) return
      const { peer, world, source } = both
      await runMove(world.app, source, { isQuiet: true })
      const name = `user-${BOB}`
      await peer.add(user(BOB), { 'user.username.changed': { userName: 'bob-now' } })
      await peer.add(user(ADA), { 'user.username.changed': { userName: name } })
      assert.equal((await catchUp(world, source)).follow?.unsolved, 0)
      assert.deepEqual([(await human(world, ADA))?.userName, (await human(world, BOB))?.userName], [name, 'bob-now'])
    })

    test('what changes during the first read, which is interrupted, is not lost', async (t) => {
      const both = await begin(t, engine)
      if (!both) return
      const { peer, world, source } = both
      const breaking: Source = {
        ...source,
        async *read() {
          for await (const draft of source.read()) {
            if ('kind' in draft && draft.kind === 'project') throw new Error('killed')
            yield draft
          }
        },
      }
      await assert.rejects(runMove(world.app, breaking, { isQuiet: true }), /killed/)
      assert.ok(await world.store.get(organizations, ORGANIZATION))
      peer.wait(100)
      await peer.add(organization, { 'org.changed': { name: 'Renamed' } })
      peer.wait(100)
      await peer.add(user(BOB), { 'user.locked': null })
      const again = await peer.open()
      const { kinds } = await catchUp(world, again)
      assert.equal(kinds.organization?.changed, 1)
      assert.equal((await human(world, BOB))?.status, 'locked')
      assert.equal((await readImportMark(world.app, `zitadel ${INSTANCE}`)).isComplete, true)
    })

    test('a cut-over ends with an error while the source is still written to', async (t) => {
      const both = await begin(t, engine)
      if (!both) return
      const { peer, world, source } = both
      await runMove(world.app, source, { isQuiet: true })
      const { changes } = source
      assert.ok(changes)
      let number = 0
      const behind = async (since: string) => {
        peer.wait(60)
        await peer.add(user(BOB), { 'user.metadata.set': { key: `key-${number++}`, value: 'cmVk' } })
        return changes.behind(since)
      }
      await assert.rejects(catchUp(world, { ...source, changes: { ...changes, behind } }), /still in use/)
      const { kinds, follow } = await catchUp(world, source)
      assert.deepEqual([follow?.behind, follow?.unsolved], [0, 0])
      assert.ok((kinds.metadata?.carried ?? 0) > 0)
    })
  })
}
