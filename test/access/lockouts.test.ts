/** What a lockout ends stays ended when the lockout is undone, whichever way it was done. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { isSetupLinkOpen, issueSetupLink, newSetupLink } from '../../src/features/instances/index.ts'
import { findPerson, identifyBearer } from '../../src/features/sign-in/index.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { createCallback, openSession, startRequest, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type Application, PASSWORD } from '../support/openid-world.ts'
import { newUser, openScimWorld, PATCH_SCHEMA, type ScimWorld } from '../support/scim.ts'
import { isRefused } from '../support/small-world.ts'

const v1 = ManagementService.method
const v2 = UserService.method
const organizations = OrganizationService.method
const sessions = SessionService.method
const BULK_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** Locks somebody out, and undoes it. */
type Way = (world: ScimWorld, userId: string, organizationId: string) => readonly [() => unknown, () => unknown]

const viaApi: Readonly<Record<string, Way>> = {
  'LockUser, v2': ({ call, owner }, userId) => [
    () => call(v2.lockUser, { userId }, owner),
    () => call(v2.unlockUser, { userId }, owner),
  ],
  'DeactivateUser, v2': ({ call, owner }, userId) => [
    () => call(v2.deactivateUser, { userId }, owner),
    () => call(v2.reactivateUser, { userId }, owner),
  ],
  'LockUser, v1': ({ call, owner }, id, organizationId) => {
    const there = { ...owner, organizationId }
    return [() => call(v1.lockUser, { id }, there), () => call(v1.unlockUser, { id }, there)]
  },
  'DeactivateUser, v1': ({ call, owner }, id, organizationId) => {
    const there = { ...owner, organizationId }
    return [() => call(v1.deactivateUser, { id }, there), () => call(v1.reactivateUser, { id }, there)]
  },
  'DeactivateOrganization, v2': ({ call, owner }, _, organizationId) => [
    () => call(organizations.deactivateOrganization, { organizationId }, owner),
    () => call(organizations.activateOrganization, { organizationId }, owner),
  ],
  'DeactivateOrg, v1': ({ call, owner }, _, organizationId) => {
    const there = { ...owner, organizationId }
    return [() => call(v1.deactivateOrg, {}, there), () => call(v1.reactivateOrg, {}, there)]
  },
}

const viaScim: Readonly<Record<string, (world: ScimWorld, id: string, isActive: boolean) => Promise<unknown>>> = {
  'PATCH active': ({ patch }, id, value) => patch(id, { op: 'replace', path: 'active', value }),
  'PUT active': ({ send }, id, active) => send('PUT', `/Users/${id}`, { body: { ...newUser(`scim-${id}`), active } }),
  'Bulk PATCH active': ({ send }, id, value) => {
    const data = { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'active', value }] }
    const operation = { method: 'PATCH', path: `/Users/${id}`, data }
    return send('POST', '/Bulk', { body: { schemas: [BULK_SCHEMA], Operations: [operation] } })
  },
}

for (const engine of engines) {
  suite(`a session from before a lockout on ${engine.name}`, () => {
    let world: ScimWorld
    let login: CallOptions
    let application: Application
    let serial = 0

    before(async () => {
      world = await openScimWorld(engine)
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      application = await world.addApplication(WITH_LOGIN_PAGE)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const listed = async (userId: string) => {
      const queries = [{ query: { case: 'userIdQuery' as const, value: { id: userId } } }]
      const { sessions: found } = await world.call(sessions.listSessions, { queries }, world.owner)
      return found.length
    }
    const answerWith = async (session: Awaited<ReturnType<typeof openSession>>) =>
      createCallback(world, login, await startRequest(world, application), session)

    /** Nothing counts that shows the session, and a new one counts. */
    const staysEnded = async (userId: string, lockOut: () => unknown, undo: () => unknown) => {
      const old = await openSession(world, userId)
      const { app } = world
      assert.ok(await findPerson(app, old.sessionToken))
      assert.equal(await listed(userId), 1)
      await lockOut()
      assert.equal(await identifyBearer(app, old.sessionToken, app.clock()), undefined)
      await undo()
      assert.equal(await identifyBearer(app, old.sessionToken, app.clock()), undefined, 'as a bearer token')
      assert.equal(await findPerson(app, old.sessionToken), undefined, 'in a browser, and silently')
      await isRefused(world.call(sessions.setSession, { ...old, metadata: {} }, login), 'session.ended')
      await isRefused(world.call(sessions.getSession, { sessionId: old.sessionId }, world.owner), 'session.not_found')
      assert.equal(await listed(userId), 0)
      await isRefused(answerWith(old), 'authorization_request.session_invalid')
      const fresh = await openSession(world, userId)
      assert.ok(await findPerson(app, fresh.sessionToken))
      await answerWith(fresh)
    }

    const medium = { case: 'returnCode', value: {} } as const

    /** Codes that were sent, and how each of them is used. */
    const sendCodes = async (userId: string) => {
      const { verificationCode: reset = '' } = await world.call(v2.passwordReset, { userId, medium }, world.owner)
      const { code: link } = await world.call(v2.createPasskeyRegistrationLink, { userId, medium }, world.owner)
      const newPassword = { password: `${PASSWORD} again` }
      const verification = { case: 'verificationCode', value: reset } as const
      return [
        () =>
          world.call(v2.registerPasskey, { userId, code: { id: link?.id ?? '', code: link?.code ?? '' } }, world.owner),
        () => world.call(v2.setPassword, { userId, newPassword, verification }, world.owner),
      ]
    }

    /** No code counts that was sent before, and those that are sent later do. */
    const endCodes = async (userId: string, lockOut: () => unknown, undo: () => unknown) => {
      const old = await sendCodes(userId)
      await lockOut()
      await undo()
      for (const use of old) await isRefused(use(), 'verification.code_invalid')
      for (const use of await sendCodes(userId)) await use()
    }

    test('a link to set up does not count after the administrator was locked out and is not any more', async () => {
      const userId = await world.addPerson('administrator')
      const { app } = world
      const issue = async () => {
        const link = newSetupLink(app.externalUrl, userId, app.clock())
        await app.store.write(world.origin(), (work) => issueSetupLink(work, app.instanceId, userId, link))
        return link.url
      }
      const old = await issue()
      assert.equal(await isSetupLinkOpen(app, old, app.clock()), true)
      await world.call(v2.lockUser, { userId }, world.owner)
      await world.call(v2.unlockUser, { userId }, world.owner)
      assert.equal(await isSetupLinkOpen(app, old, app.clock()), false)
      assert.equal(await isSetupLinkOpen(app, await issue(), app.clock()), true)
    })

    for (const [way, act] of Object.entries(viaApi)) {
      test(`codes that were sent before do not count after it is undone: ${way}`, async () => {
        const organizationId = await world.addOrganization(`Tenant ${++serial}`)
        const userId = await world.addPerson(`person-${serial}`, {
          organisation: { org: { case: 'orgId', value: organizationId } },
        })
        await endCodes(userId, ...act(world, userId, organizationId))
      })

      test(`stays ended after it is undone: ${way}`, async () => {
        const organizationId = await world.addOrganization(`Tenant ${++serial}`)
        const userId = await world.addPerson(`person-${serial}`, {
          organisation: { org: { case: 'orgId', value: organizationId } },
        })
        await staysEnded(userId, ...act(world, userId, organizationId))
      })
    }

    for (const [way, setActive] of Object.entries(viaScim)) {
      test(`codes that were sent before do not count after it is undone: SCIM, ${way}`, async () => {
        const { id } = await world.create(`directory-${++serial}`)
        await endCodes(
          id,
          () => setActive(world, id, false),
          () => setActive(world, id, true),
        )
      })

      test(`stays ended after it is undone: SCIM, ${way}`, async () => {
        const { id } = await world.create(`directory-${++serial}`)
        await world.call(v2.setPassword, { userId: id, newPassword: { password: PASSWORD } }, world.owner)
        await staysEnded(
          id,
          () => setActive(world, id, false),
          () => setActive(world, id, true),
        )
      })
    }
  })
}
