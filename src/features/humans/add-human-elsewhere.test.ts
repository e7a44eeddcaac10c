import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserState as UserStateV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { listInboxMails } from '../mail/index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

type Request = MessageInitShape<typeof AddHumanUserRequestSchema>

const profile = { firstName: 'Sam', lastName: 'Miller' }

for (const engine of engines) {
  suite(`adding a human in other ways on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    let count = 0
    const fresh = (more: Request = {}): Request => {
      const email = { email: `sam-${++count}@example.com`, verification: { case: 'isVerified', value: true } } as const
      return { profile, email, ...more } as Request
    }
    const add = (request: Request, as = world.owner) => world.call(v2.addHumanUser, request, as)
    const get = async (userId: string) => (await world.call(v2.getUserByID, { userId }, world.owner)).user
    const human = async (userId: string) => {
      const user = await get(userId)
      assert.ok(user?.type.case === 'human')
      return { ...user.type.value, username: user.username, state: user.state }
    }
    const mailTo = async (recipient: string) => {
      await world.runJobs()
      const { mails } = await listInboxMails(world.app, { recipient, limit: 10, descending: true })
      return mails
    }

    suite('to an organization', () => {
      test('by its id or one of its verified domains', async () => {
        const { addOrganization } = OrganizationService.method
        const { organizationId } = await world.call(addOrganization, { name: `Acme ${engine.name}` }, world.owner)
        const at = (org: { case: 'orgId' | 'orgDomain'; value: string }) => fresh({ organisation: { org } })
        assert.equal((await add(at({ case: 'orgId', value: organizationId }))).details?.resourceOwner, organizationId)
        const domain = 'acme.example'
        const { addOrganizationDomain, generateOrganizationDomainValidation, verifyOrganizationDomain } =
          OrganizationService.method
        await world.call(addOrganizationDomain, { organizationId, domain }, world.owner)
        await isRefused(add(at({ case: 'orgDomain', value: domain })), 'user.organization_not_found')
        await world.call(generateOrganizationDomainValidation, { organizationId, domain, type: 1 }, world.owner)
        world.provenDomains.add(domain)
        await world.call(verifyOrganizationDomain, { organizationId, domain }, world.owner)
        const { details } = await add(at({ case: 'orgDomain', value: 'ACME.example.' }))
        assert.equal(details?.resourceOwner, organizationId)
      })

      test('that does not exist is told only to callers who may read all', async () => {
        const { request } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
        for (const org of [
          { case: 'orgId', value: 'nowhere' },
          { case: 'orgDomain', value: 'nowhere.example' },
        ] as const) {
          await isRefused(add(fresh({ organisation: { org } })), 'user.organization_not_found')
          await isRefused(add(fresh({ organisation: { org } }), request), 'access.forbidden')
        }
        assert.equal((await add(fresh(), request)).details?.resourceOwner, world.defaultOrganizationId)
        const { request: viewer } = await world.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
        await isRefused(add(fresh(), viewer), 'access.forbidden')
      })

      test('as its administrator, together with it', async () => {
        const { addOrganization } = OrganizationService.method
        const email = { email: 'founder@example.com', verification: { case: 'returnCode', value: {} } } as const
        const person = { profile, email }
        const admins = [{ userType: { case: 'human', value: person } }] as const
        const made = await world.call(
          addOrganization,
          { name: `Founded ${engine.name}`, admins: [...admins] },
          world.owner,
        )
        const [created] = made.createdAdmins
        assert.match(created?.emailCode ?? '', /^[A-Z0-9]{6}$/)
        const user = await get(created?.userId ?? '')
        assert.equal(user?.details?.resourceOwner, made.organizationId)
        const bad = { ...person, email: { email: 'not..an@address.example' } }
        await isRefused(
          world.call(
            addOrganization,
            { name: `Never ${engine.name}`, admins: [{ userType: { case: 'human', value: bad } }] },
            world.owner,
          ),
          'user.email_invalid',
          'admins[0].human.email.email',
        )
        const again = world.call(addOrganization, { name: `Never ${engine.name}`, admins: [...admins] }, world.owner)
        await isRefused(again, 'user.username_taken')
      })
    })

    suite('in the v1 service', () => {
      const addV1 = (more: object) =>
        world.call(
          v1.addHumanUser,
          { userName: `v1-${++count}`, profile, email: { email: `v1-${count}@example.com` }, ...more },
          world.owner,
        )

      test('without a password invites the human, who is initial until then', async () => {
        const { userId, details } = await addV1({})
        assert.ok(details?.creationDate)
        const { user } = await world.call(v1.getUserByID, { id: userId }, world.owner)
        assert.equal(user?.state, UserStateV1.INITIAL)
        const mails = await mailTo(`v1-${count}@example.com`)
        assert.deepEqual(
          mails.map(({ type }) => type),
          ['invitation'],
        )
        const link = new URL(/https?:\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '')
        assert.equal(link.pathname, '/accept-invitation')
        const verificationCode = link.searchParams.get('code') ?? ''
        await world.call(v2.verifyInviteCode, { userId, verificationCode }, world.owner)
        const accepted = await human(userId)
        assert.deepEqual([accepted.state, accepted.email?.isVerified], [UserState.ACTIVE, true])
      })

      test('with a password makes one that must be changed, and verifies the address by mail', async () => {
        const { userId } = await addV1({ initialPassword: 'correct horse battery', phone: { phone: '+41791112233' } })
        const user = await human(userId)
        assert.deepEqual(
          [user.state, user.passwordChangeRequired, user.phone?.phone],
          [UserState.ACTIVE, true, '+41791112233'],
        )
        assert.deepEqual(
          (await mailTo(`v1-${count}@example.com`)).map(({ type }) => type),
          ['verify_email'],
        )
        await isRefused(addV1({ userName: 'x\u202ey' }), 'user.username_invalid', 'userName')
        await isRefused(addV1({ initialPassword: 'xkwqz7' }), 'password.against_policy', 'initialPassword')
      })
    })
  })
}
