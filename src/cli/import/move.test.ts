/** Everything of another product becomes ours: ids, dates and states, by our own rules, and nothing is dropped silently. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import {
  applicationDraft,
  CHANGED,
  CREATED,
  cheapHash,
  dates,
  humanDraft,
  machineDraft,
  NEVER,
  ORGANIZATION,
  organizationDraft,
  projectDraft,
  SECRET,
  sourceOf,
} from '../../../test/support/drafts.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import {
  applications,
  findApplicationByClientId,
  matchesApplicationSecret,
  type OidcConfig,
} from '../../features/applications/index.ts'
import { findMachineSecret, hasCredential } from '../../features/machines/index.ts'
import { organizations } from '../../features/organizations/index.ts'
import { projectRoles, projects } from '../../features/projects/index.ts'
import { users } from '../../features/users/index.ts'
import { instant } from '../../kernel/instant.ts'
import { runMove } from './move.ts'

const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()
const LATER = instant(CREATED + 1000)

const drafts = [
  organizationDraft({
    domains: [
      { name: 'moved.example', isVerified: true, isPrimary: true },
      { name: 'not a domain', isVerified: true, isPrimary: false },
    ],
  }),
  organizationDraft({ id: '11111111111111112', organizationId: '11111111111111112', name: 'Closed', isActive: false }),
  projectDraft(),
  humanDraft(),
  humanDraft({ id: '33333333333333334', userName: 'bob', state: 'locked' }),
  humanDraft({ id: '33333333333333335', userName: 'eve', state: 'inactive' }),
  humanDraft({ id: '33333333333333336', userName: 'ian', state: 'initial' }),
  humanDraft({ id: '33333333333333337', userName: 'zed', organizationId: '11111111111111112' }),
  humanDraft({ id: '33333333333333338', userName: 'ADA' }),
  machineDraft({
    secret: { hash: cheapHash(SECRET) },
    keys: [{ id: '44444444444444445', publicKey, createdAt: LATER, expiresAt: NEVER }],
  }),
  applicationDraft({ secret: { hash: cheapHash(SECRET) } }),
  { remark: { kind: 'action', id: '9', reason: 'Signet has no actions.' } },
]

for (const engine of bothEngines) {
  suite(`a move on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    test('reports what was carried, what was not, and what was refused', async () => {
      const file = join(world.dataDir, 'report.json')
      const summary = await runMove(world.app, sourceOf(drafts), { isQuiet: true, report: file })
      const { kinds, reasons } = summary
      assert.deepEqual(kinds.organization, { carried: 2, there: 0, refused: 0, notCarried: 1 })
      assert.deepEqual(kinds.human, { carried: 5, there: 0, refused: 1, notCarried: 0 })
      assert.deepEqual(kinds.machine, { carried: 1, there: 0, refused: 0, notCarried: 0 })
      assert.deepEqual(kinds.application, { carried: 1, there: 0, refused: 0, notCarried: 0 })
      assert.deepEqual(kinds.action, { carried: 0, there: 0, refused: 0, notCarried: 1 })
      assert.match(reasons.find(({ kind }) => kind === 'human')?.reason ?? '', /user\.username_taken/)
      const written = JSON.parse(await readFile(file, 'utf8'))
      assert.equal(written.problems.length, 3)
      assert.deepEqual(written.kinds, kinds)
      assert.equal(typeof written.problems.find(({ type }: { type: string }) => type === 'refused')?.reason, 'string')
    })

    test('keeps ids, owners, dates and states', async () => {
      const { store } = world
      for (const [kind, id, owner] of [
        [organizations, ORGANIZATION, ORGANIZATION],
        [projects, '22222222222222222', ORGANIZATION],
        [users, '33333333333333333', ORGANIZATION],
        [applications, '55555555555555555', ORGANIZATION],
      ] as const) {
        const found = await store.get(kind as typeof users, id)
        assert.deepEqual([found?.owner, found?.createdAt, found?.changedAt], [owner, CREATED, CHANGED], kind.name)
      }
      const { user } = await world.call(UserService.method.getUserByID, { userId: '33333333333333333' }, world.owner)
      assert.equal(user?.details?.creationDate?.seconds, BigInt(CREATED / 1000))
      const statusOf = async (id: string) => (await store.get(users, id))?.state.status
      assert.deepEqual(await Promise.all(['4', '5', '6'].map((last) => statusOf(`3333333333333333${last}`))), [
        'locked',
        'inactive',
        'initial',
      ])
      assert.equal((await store.get(organizations, '11111111111111112'))?.state.status, 'inactive')
      assert.equal((await store.find(projectRoles, { limit: 10 })).total > 0, true)
    })

    test('sends nothing', async () => {
      assert.deepEqual(await world.outbox(), [])
    })

    test('keeps client secrets, and replaces their hashes at the first use', async () => {
      const { app } = world
      const application = await findApplicationByClientId(app, '55555555555555556@shop')
      assert.ok(application)
      const events = async () =>
        (await app.store.events({ types: ['application_secret.rehashed.v1'], limit: 9 })).length
      assert.equal(await matchesApplicationSecret(app, application, `${SECRET}!`), false)
      assert.equal(await events(), 0)
      assert.equal(await matchesApplicationSecret(app, application, SECRET), true)
      assert.equal(await matchesApplicationSecret(app, application, SECRET), true)
      assert.equal(await matchesApplicationSecret(app, application, `${SECRET}!`), false)
      assert.equal(await events(), 1)
    })

    test('keeps secrets of machines, whose tokens stay valid', async () => {
      const { app } = world
      const id = '44444444444444444'
      assert.equal(await findMachineSecret(app, id, 'wrong'), undefined)
      const found = await Promise.all([findMachineSecret(app, id, SECRET), findMachineSecret(app, id, SECRET)])
      for (const credential of found) {
        assert.ok(credential)
        assert.equal(await hasCredential(app.store, id, credential), true)
      }
      assert.deepEqual(await findMachineSecret(app, id, SECRET), found[0])
      assert.equal(await findMachineSecret(app, id, 'wrong'), undefined)
    })

    test('can be run again: nothing is doubled, nothing changes', async () => {
      const before = await world.store.events({ limit: 1, descending: true })
      const { kinds } = await runMove(world.app, sourceOf(drafts), { isQuiet: true })
      assert.deepEqual(kinds.human, { carried: 0, there: 5, refused: 1, notCarried: 0 })
      assert.deepEqual(kinds.application, { carried: 0, there: 1, refused: 0, notCarried: 0 })
      assert.deepEqual(await world.store.events({ limit: 1, descending: true }), before)
    })

    test('an object of somebody else under the same ID is refused', async () => {
      const other = humanDraft({ userName: 'other', organizationId: world.defaultOrganizationId })
      const { kinds, reasons } = await runMove(world.app, sourceOf([other]), { isQuiet: true })
      assert.equal(kinds.human?.refused, 1)
      assert.match(reasons[0]?.reason ?? '', /user\.id_taken/)
    })

    test('an application is carried without a logout address that the server cannot call', async () => {
      const config = {
        type: 'oidc',
        redirectUris: ['https://shop.example/callback'],
        postLogoutRedirectUris: [],
        responseTypes: ['code'],
        grantTypes: ['authorization_code'],
        applicationType: 'web',
        authMethod: 'none',
        developmentMode: false,
        isThirdParty: false,
        accessTokenType: 'bearer',
        idTokenRoleAssertion: false,
        accessTokenRoleAssertion: false,
        idTokenUserinfoAssertion: false,
        clockSkewMs: 0,
        additionalOrigins: [],
        skipNativeAppSuccessPage: false,
        backChannelLogoutUri: 'ftp://shop.example/logout',
      } as const satisfies OidcConfig
      const draft = applicationDraft({ id: '55555555555555557', clientId: 'inside', name: 'Inside', config })
      const { kinds, reasons } = await runMove(world.app, sourceOf([draft]), { isQuiet: true })
      assert.deepEqual([kinds.application?.carried, kinds.application?.refused], [1, 0])
      assert.ok(reasons.some(({ reason }) => reason.startsWith('The back-channel logout URI was not carried')))
    })

    test('documents that are folded again keep their dates', async () => {
      await world.store.rebuild()
      const { application } = await world.call(
        ApplicationService.method.getApplication,
        { applicationId: '55555555555555555' },
        world.owner,
      )
      assert.equal(application?.creationDate?.seconds, BigInt(CREATED / 1000))
      assert.equal(application?.changeDate?.seconds, BigInt(CHANGED / 1000))
      const request = { ...world.owner, organizationId: ORGANIZATION }
      const { key } = await world.call(
        ManagementService.method.getMachineKeyByIDs,
        { userId: '44444444444444444', keyId: '44444444444444445' },
        request,
      )
      assert.equal(key?.details?.creationDate?.seconds, BigInt(LATER / 1000))
      assert.equal(dates.createdAt, CREATED)
    })
  })
}
