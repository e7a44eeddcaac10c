/** What applications of one organization are told about users of another: what was proven, and nothing that others claim. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { users } from '../../src/features/users/index.ts'
import { engines } from '../support/engines.ts'
import { introspect, readIdToken, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { addProvider, readResponse, signOn } from '../support/saml-world.ts'

const CHIEF = 'chief@corp.example'
const METADATA = 'urn:zitadel:iam:user:metadata'
const SCOPE = `openid profile email phone groups urn:zitadel:iam:user:groups ${METADATA}`
const FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

for (const engine of engines) {
  suite(`what is told elsewhere on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let elsewhere: string
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      application = await world.addApplication({ idTokenUserinfoAssertion: true })
      const organization = { name: 'Elsewhere' }
      const added = await world.call(OrganizationService.method.addOrganization, organization, world.owner)
      elsewhere = added.organizationId
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const isVerified = { case: 'isVerified', value: true }

    /** A user with the address of somebody else, a number, a group and metadata. */
    const addPerson = async (organizationId: string, more: Readonly<Record<string, unknown>> = {}) => {
      const name = `person-${++count}`
      const userId = await world.addPerson(name, {
        organisation: { org: { case: 'orgId', value: organizationId } },
        email: { email: CHIEF, verification: isVerified },
        phone: { phone: '+41446681800', verification: isVerified },
        metadata: [{ key: 'level', value: Buffer.from('admin') }],
        ...more,
      })
      const group = { organizationId, name: `wiki-admins-${count}` }
      const { id } = await world.call(GroupService.method.createGroup, group, world.owner)
      await world.call(GroupService.method.addUsersToGroup, { id, userIds: [userId] }, world.owner)
      return { name: String(more.username ?? name), userId, group: group.name }
    }

    /** What an application is told in each place. */
    const told = async (name: string, by = application) => {
      const { access_token: token, id_token: idToken } = await signInFor(world, by, { scope: SCOPE }, { name })
      return [
        await readIdToken(world, by, idToken),
        (await userinfo(world, token)).body,
        (await introspect(world, by, token)).body,
      ]
    }

    const prove = (organizationId: string, domain: string) =>
      world.store.write(world.origin(), async (work) => {
        const decide = (command: object) => work.decide(organizations, organizationId, command as never)
        await decide({ type: 'add_domain', domain })
        await decide({ type: 'start_domain_validation', domain, proof: 'dns', token: 'x' })
        await decide({ type: 'verify_domain', domain, token: 'x', proven: true })
      })

    test('an application of their own organization is told what that says about them', async () => {
      const { name, group } = await addPerson(world.defaultOrganizationId)
      for (const claims of await told(name)) {
        assert.equal(claims.email_verified, true)
        assert.equal(claims.phone_number_verified, true)
        assert.deepEqual(claims.groups, [group])
        assert.ok(claims[METADATA])
      }
    })

    test('another application is told no address as verified, no groups and no metadata', async () => {
      const { name, userId } = await addPerson(elsewhere)
      for (const claims of await told(name)) {
        assert.equal(claims.sub, userId)
        assert.equal(claims.email, CHIEF)
        for (const claim of [
          'email_verified',
          'phone_number_verified',
          'groups',
          'urn:zitadel:iam:user:groups',
          METADATA,
        ]) {
          assert.equal(claims[claim], undefined, claim)
        }
      }
    })

    test('an address is told as verified once a mailed code came back, a number once a text message did', async () => {
      const { name, userId } = await addPerson(elsewhere)
      await world.store.write(world.origin(), async (work) => {
        await work.decide(users, userId, { type: 'verify_email', address: CHIEF, isMailed: true })
      })
      for (const claims of await told(name)) assert.equal(claims.email_verified, true)
      const phone = { userId, phone: '+41446681801', verification: { case: 'sendCode', value: {} } } as const
      await world.call(UserService.method.setPhone, phone as never, world.owner)
      const sent = (await world.outbox()).findLast(({ values }) => values.code !== undefined)
      const verificationCode = String(sent?.values.code)
      await world.call(UserService.method.verifyPhone, { userId, verificationCode }, world.owner)
      for (const claims of await told(name)) assert.equal(claims.phone_number_verified, true)
    })

    test('a code that its caller was shown proves no number', async () => {
      const { name, userId } = await addPerson(elsewhere)
      const phone = { userId, phone: '+41446681802', verification: { case: 'returnCode', value: {} } } as const
      const { verificationCode } = await world.call(UserService.method.setPhone, phone as never, world.owner)
      await world.call(
        UserService.method.verifyPhone,
        { userId, verificationCode: verificationCode ?? '' },
        world.owner,
      )
      for (const claims of await told(name)) assert.equal(claims.phone_number_verified, undefined)
    })

    test('an address in a domain that their organization has proven is told as verified', async () => {
      await prove(elsewhere, 'elsewhere.example')
      const mine = { email: 'Jane@Elsewhere.example', verification: isVerified }
      const { name } = await addPerson(elsewhere, { email: mine })
      for (const claims of await told(name)) assert.equal(claims.email_verified, true)
      const unproven = { email: 'jane@sub.elsewhere.example', verification: isVerified }
      const { name: other } = await addPerson(elsewhere, { email: unproven })
      for (const claims of await told(other)) assert.equal(claims.email_verified, undefined)
    })

    test('the domain that an organization has by its name proves nothing', async () => {
      const organization = { name: 'Free' }
      const { organizationId } = await world.call(OrganizationService.method.addOrganization, organization, world.owner)
      const { state } = (await world.store.get(organizations, organizationId)) ?? assert.fail()
      const domain = 'domains' in state ? state.domains[0]?.domain : undefined
      assert.ok(domain === undefined || domain.endsWith('.localhost'))
      const { name } = await addPerson(organizationId, {
        email: { email: 'x@free.localhost', verification: isVerified },
      })
      for (const claims of await told(name)) assert.equal(claims.email_verified, undefined)
    })

    test('metadata are told where the organization was granted the project', async () => {
      const granted = await world.addApplication({ idTokenUserinfoAssertion: true })
      const { projectId } = granted
      const there = { ...world.owner, organizationId: world.defaultOrganizationId }
      await world.call(ManagementService.method.addProjectGrant, { projectId, grantedOrgId: elsewhere }, there)
      const { name } = await addPerson(elsewhere)
      for (const claims of await told(name, granted)) {
        assert.ok(claims[METADATA])
        assert.equal(claims.groups, undefined)
      }
    })

    test('no name reads as an address that was not proven', async () => {
      for (const username of [CHIEF.toUpperCase(), 'boss＠corp.example', 'other@corp.example@elsewhere.example']) {
        const profile = { firstName: username, lastName: 'Person', displayName: username, nickName: username }
        const { name } = await addPerson(elsewhere, { username, profile })
        for (const claims of await told(name)) {
          const { email: _, ...rest } = claims
          assert.doesNotMatch(JSON.stringify(rest).normalize('NFKC'), /@/)
          assert.ok(claims.preferred_username)
          assert.ok(claims.name)
        }
      }
      const [own] = await told((await addPerson(world.defaultOrganizationId, { username: 'me@own.example' })).name)
      assert.equal(own.preferred_username, 'me@own.example')
    })

    test('a service provider is told a name that nobody chose', async () => {
      const { applicationId: _, ...provider } = await addProvider(world, {
        parts: { formats: [`${FORMAT}unspecified`] },
        options: { identifierFormat: null },
      })
      const userId = 'jane.doe'
      const { name } = await addPerson(elsewhere, { userId, username: 'director@corp.example' })
      const page = await signOn(world, provider as never, world.browser(), name)
      const { profile } = await readResponse(provider as never, page)
      assert.doesNotMatch(profile.nameID, /@|jane/)
      for (const attribute of ['Email', 'UserName']) assert.doesNotMatch(String(profile[attribute]), /@/)
    })

    test('a service provider gets no address, and no groups, as the name of a user from elsewhere', async () => {
      const attributes = {
        items: [
          { name: 'Email', source: 1 },
          { name: 'groups', source: 8 },
        ],
      }
      const provider = await addProvider(world, { config: { attributes }, options: { identifierFormat: null } })
      const { name, userId } = await addPerson(elsewhere)
      const { profile } = await readResponse(provider, await signOn(world, provider, world.browser(), name))
      assert.equal(profile.nameIDFormat, PERSISTENT)
      assert.equal(profile.nameID, userId)
      assert.equal(profile.Email, undefined)
      assert.equal(profile.groups, undefined)
      const own = await addPerson(world.defaultOrganizationId)
      const at = await readResponse(provider, await signOn(world, provider, world.browser(), own.name))
      assert.equal(at.profile.nameID, CHIEF)
    })

    test('a user whose ID reads as an address is called by another name elsewhere', async () => {
      const { userId } = await addPerson(elsewhere)
      const id = 'older@corp.example'
      const { state } = (await world.store.get(users, userId)) ?? assert.fail()
      assert.ok(state.status === 'active' && state.type === 'human')
      // Such IDs were allowed once.
      const { profile, email, nameScope: _ } = state
      const command = { type: 'add_human', userName: 'older', profile, email, needsSetUp: false } as never
      await world.store.write(world.origin(), (work) => work.decide(users, id, command, elsewhere))
      const password = { userId: id, newPassword: { password: 'Correct horse 7 battery' } }
      await world.call(UserService.method.setPassword, password as never, world.owner)
      const names = (await told('older')).map(({ sub }) => sub)
      assert.equal(new Set(names).size, 1)
      assert.doesNotMatch(names[0], /@/)
    })
  })
}
