/** A whole ZITADEL moves in: its users and machines keep signing in, and a log that cannot be read leaves nothing. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { hashSync } from '@node-rs/bcrypt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { runMove } from '../../../src/cli/import/move.ts'
import { zitadelCommand } from '../../../src/cli/import/zitadel/command.ts'
import { findApplicationByClientId, matchesApplicationSecret } from '../../../src/features/applications/index.ts'
import { defaultOrganizationId } from '../../../src/features/instances/index.ts'
import { organizations } from '../../../src/features/organizations/index.ts'
import { cheapHash, SECRET } from '../../support/drafts.ts'
import { engines } from '../../support/engines.ts'
import { openWorld, type World } from '../../support/world.ts'
import { ORGANIZATION, type PeerWorld, peerWorld, project, user } from './peer-world.ts'

const [HUMAN, MACHINE] = ['200000000000000001', '200000000000000002']
const PASSWORD = 'correct horse'
const { publicKey: EC_KEY } = generateKeyPairSync('ec', { namedCurve: 'P-384' })

async function fill(peer: PeerWorld): Promise<void> {
  await peer.addHuman(HUMAN, { encodedHash: hashSync(PASSWORD, 10) })
  const publicKey = Buffer.from(EC_KEY.export({ type: 'spki', format: 'pem' })).toString('base64')
  await peer.add(user(MACHINE), {
    'user.machine.added': { userName: 'robot', name: 'Robot' },
    'user.machine.key.added': { keyId: 'ec-key', publicKey, expirationDate: '2099-01-01T00:00:00Z' },
  })
  await peer.add(project('300000000000000001'), {
    'project.added': { name: 'Shop' },
    'project.application.added': { appId: '300000000000000002', name: 'API' },
    'project.application.config.api.added': {
      appId: '300000000000000002',
      clientId: '300000000000000003@shop',
      hashedSecret: cheapHash(SECRET),
    },
  })
}

async function open(peer: PeerWorld, { dataDir }: World) {
  const masterKeyFile = join(dataDir, 'zitadel.key')
  await writeFile(masterKeyFile, `${peer.masterKey}\n`)
  return zitadelCommand.open([peer.url], { masterKeyFile })
}

async function worlds(t: TestContext, engine: (typeof engines)[number]) {
  const peer = await peerWorld(t)
  if (!peer) return undefined
  await fill(peer)
  const world = await openWorld({ engine })
  t.after(() => world.dispose())
  return { peer, world }
}

for (const engine of engines) {
  suite(`a ZITADEL moves in on ${engine.name}`, () => {
    test('users and applications keep their credentials, and a second run changes nothing', async (t) => {
      const both = await worlds(t, engine)
      if (!both) return
      const { peer, world } = both
      const source = await open(peer, world)
      assert.ok(((await source.count?.()) ?? 0) > 5)
      const { kinds, reasons } = await runMove(world.app, source, { isQuiet: true })
      assert.match(reasons.find(({ kind }) => kind === 'machine')?.reason ?? '', /^The key ec-key was not carried: /)
      assert.equal(await defaultOrganizationId(world.app), ORGANIZATION)
      const { instance } = await world.call(AdminService.method.getMyInstance, {}, world.owner)
      assert.equal(instance?.name, 'Peer')
      for (const kind of ['organization', 'human', 'machine', 'project', 'application']) {
        assert.deepEqual(kinds[kind]?.carried, 1, kind)
      }
      const signIn = (password: string) =>
        world.call(
          SessionService.method.createSession,
          { checks: { user: { search: { case: 'userId', value: HUMAN } }, password: { password } } },
          world.owner,
        )
      await assert.rejects(signIn('wrong'))
      assert.ok((await signIn(PASSWORD)).sessionToken)
      const application = await findApplicationByClientId(world.app, '300000000000000003@shop')
      assert.ok(application)
      assert.equal(await matchesApplicationSecret(world.app, application, `${SECRET}x`), false)
      assert.equal(await matchesApplicationSecret(world.app, application, SECRET), true)
      const again = await runMove(world.app, await open(peer, world), { isQuiet: true })
      assert.deepEqual([again.kinds.human?.carried, again.kinds.human?.there], [0, 1])
      for (const [kind, { carried }] of Object.entries(again.kinds)) assert.equal(carried, 0, kind)
    })

    test('a broken event is noticed before anything is written', async (t) => {
      const both = await worlds(t, engine)
      if (!both) return
      const { peer, world } = both
      await peer.add(user(MACHINE), { 'user.machine.key.added': { keyId: 'k' } })
      await assert.rejects(
        runMove(world.app, await open(peer, world), { isQuiet: true }),
        /event user\.machine\.key\.added of user .*Nothing was imported/,
      )
      assert.equal(await world.store.get(organizations, ORGANIZATION), undefined)
    })

    test('the command needs a master key and a URL of PostgreSQL', async () => {
      await assert.rejects(zitadelCommand.open(['postgres://a/b'], {}), /--master-key-file/)
      await assert.rejects(zitadelCommand.open(['mysql://a/b'], { masterKeyFile: 'x' }), /postgres:\/\//)
      await assert.rejects(zitadelCommand.open(['postgres://a/b'], { masterKeyFile: '/does/not/exist' }), /exist/)
    })
  })
}
