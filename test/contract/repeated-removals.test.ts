/**
 * A removal that is repeated succeeds with the date of the first one, because a caller that got no answer tries again. What
 * never existed is not found, and nobody learns of removals elsewhere.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type DescMethodUnary, type JsonObject, toJson } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { KeyType } from '../../contract/gen/signet/authn/v1/key_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { instant } from '../../src/kernel/instant.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { CallOptions } from '../support/calls.ts'
import { bothEngines } from '../support/engines.ts'
import { isRefused } from '../support/small-world.ts'
import { NOON, openWorld, type World } from '../support/world.ts'

const v1 = ManagementService.method
const v2 = UserService.method

interface Removal {
  readonly method: DescMethodUnary
  readonly request: object
  /** As above, for something that never existed, and the code of the refusal. */
  readonly never: object
  readonly code: string
}

const value = new TextEncoder().encode('value')
const expirationDate = timestampFromMs(NOON + 86_400_000)

for (const engine of bothEngines) {
  suite(`repeated removals on ${engine.name}`, () => {
    let world: World
    let outsider: CallOptions
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
      const { id } = await world.call(v1.addOrg, { name: 'Elsewhere' }, world.owner)
      outsider = (await world.addMachine({ organizationId: id, organizationRoles: ['ORG_OWNER'] })).request
    })
    after(() => world.dispose())

    const call: World['call'] = (method, request) => world.call(method, request, world.owner)
    const addUser = async () => {
      const email = { email: `user${++count}@example.com`, verification: { case: 'isVerified', value: true } as const }
      const profile = { firstName: 'A', lastName: 'B' }
      return (await call(v2.addHumanUser, { profile, email, metadata: [{ key: 'key', value }] })).userId
    }
    const addMachine = async () => (await call(v1.addMachineUser, { userName: `robot${++count}`, name: 'R' })).userId
    const addProject = async () => (await call(v1.addProject, { name: `project${++count}` })).id
    const addApplication = async () => {
      const projectId = await addProject()
      return { projectId, appId: (await call(v1.addAPIApp, { projectId, name: 'API' })).appId }
    }
    const addProvider = async () => {
      const provider = { name: `idp${++count}`, clientId: 'a', clientSecret: 'b', issuer: 'https://idp.example.com' }
      return (await call(v1.addOrgOIDCIDP, provider)).idpId
    }

    const removals: Readonly<Record<string, () => Promise<Removal>>> = {
      async 'a user, v2'() {
        const request = { userId: await addUser() }
        return { method: v2.deleteUser, request, never: { userId: '1' }, code: 'user.not_found' }
      },
      async 'a user, v1'() {
        return { method: v1.removeUser, request: { id: await addUser() }, never: { id: '1' }, code: 'user.not_found' }
      },
      async 'metadata, v2'() {
        const userId = await addUser()
        const never = { userId, keys: ['other'] }
        return { method: v2.deleteUserMetadata, request: { userId, keys: ['key'] }, never, code: 'metadata.not_found' }
      },
      async 'metadata, v1'() {
        const id = await addUser()
        const never = { id, key: 'other' }
        return { method: v1.removeUserMetadata, request: { id, key: 'key' }, never, code: 'metadata.not_found' }
      },
      async 'a personal access token, v2'() {
        const userId = await addMachine()
        const { tokenId } = await call(v2.addPersonalAccessToken, { userId, expirationDate })
        const [request, never] = [
          { userId, tokenId },
          { userId, tokenId: '1' },
        ]
        return { method: v2.removePersonalAccessToken, request, never, code: 'machine.token_not_found' }
      },
      async 'a personal access token, v1'() {
        const userId = await addMachine()
        const { tokenId } = await call(v1.addPersonalAccessToken, { userId })
        const [request, never] = [
          { userId, tokenId },
          { userId, tokenId: '1' },
        ]
        return { method: v1.removePersonalAccessToken, request, never, code: 'machine.token_not_found' }
      },
      async 'a key, v2'() {
        const userId = await addMachine()
        const { keyId } = await call(v2.addKey, { userId, expirationDate })
        const [request, never] = [
          { userId, keyId },
          { userId, keyId: '1' },
        ]
        return { method: v2.removeKey, request, never, code: 'machine.key_not_found' }
      },
      async 'a key, v1'() {
        const userId = await addMachine()
        const { keyId } = await call(v1.addMachineKey, { userId, type: KeyType.JSON })
        const [request, never] = [
          { userId, keyId },
          { userId, keyId: '1' },
        ]
        return { method: v1.removeMachineKey, request, never, code: 'machine.key_not_found' }
      },
      async 'a link to an account elsewhere'() {
        const [userId, idpId] = [await addUser(), await addProvider()]
        await call(v2.addIDPLink, { userId, idpLink: { idpId, userId: 'a', userName: 'A' } })
        const [request, never] = [
          { userId, idpId, linkedUserId: 'a' },
          { userId, idpId, linkedUserId: 'b' },
        ]
        return { method: v2.removeIDPLink, request, never, code: 'identity_link.not_found' }
      },
      async 'an identity provider'() {
        const [request, never] = [{ id: await addProvider() }, { id: '1' }]
        return { method: v1.deleteProvider, request, never, code: 'identity_provider.not_found' }
      },
      async 'an application, v2'() {
        const { projectId, appId: applicationId } = await addApplication()
        const [request, never] = [
          { projectId, applicationId },
          { projectId, applicationId: '1' },
        ]
        const method = ApplicationService.method.deleteApplication
        return { method, request, never, code: 'application.not_found' }
      },
      async 'an application, v1'() {
        const request = await addApplication()
        const never = { ...request, appId: '1' }
        return { method: v1.removeApp, request, never, code: 'application.not_found' }
      },
      async 'a project, v1'() {
        const [request, never] = [{ id: await addProject() }, { id: '1' }]
        return { method: v1.removeProject, request, never, code: 'project.not_found' }
      },
      async 'an authorization, v1'() {
        const [userId, projectId] = [await addUser(), await addProject()]
        const { userGrantId: grantId } = await call(v1.addUserGrant, { userId, projectId })
        const [request, never] = [
          { userId, grantId },
          { userId, grantId: '1' },
        ]
        return { method: v1.removeUserGrant, request, never, code: 'authorization.not_found' }
      },
    }

    /** When the reply says that it was removed. */
    const remove = async ({ method }: Removal, request: object, as = world.owner) => {
      const reply = toJson(method.output, (await world.call(method, request as never, as)) as never) as JsonObject
      return (reply.deletionDate ?? (reply.details as JsonObject | undefined)?.changeDate) as string
    }

    for (const [name, prepare] of Object.entries(removals)) {
      test(name, async () => {
        const removal = await prepare()
        await isRefused(remove(removal, removal.never), removal.code)
        const first = await remove(removal, removal.request)
        assert.equal(Date.parse(first), world.clock.now)
        world.clock.now = instant(world.clock.now + 60_000)
        assert.equal(await remove(removal, removal.request), first)
        await assert.rejects(remove(removal, removal.request, outsider), Refused)
      })

      test(`${name}, several times at once`, async () => {
        const removal = await prepare()
        const dates = await Promise.all(Array.from({ length: 5 }, () => remove(removal, removal.request)))
        assert.deepEqual(dates, Array(5).fill(new Date(world.clock.now).toISOString().replace('.000Z', 'Z')))
      })
    }

    test('a project, v2', async () => {
      const { deleteProject: method } = ProjectService.method
      const projectId = await addProject()
      const first = await world.call(method, { projectId }, world.owner)
      world.clock.now = instant(world.clock.now + 60_000)
      assert.deepEqual((await world.call(method, { projectId }, world.owner)).deletionDate, first.deletionDate)
      await isRefused(world.call(method, { projectId }, outsider), 'access.forbidden')
    })
  })
}
