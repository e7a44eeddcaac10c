/** An administrator of another organization gets the same answer for a user as for one that does not exist. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { allMethods } from '../../../test/support/services.ts'
import { openSessionWorld, type SessionWorld } from '../../../test/support/session-world.ts'
import { NOON } from '../../../test/support/world.ts'
import type { Caller } from '../../access/call.ts'
import { requirementOf } from '../../access/requirement.ts'
import { Refused } from '../../kernel/refusal.ts'

/** What methods need beside the ID of the user, to pass the limits of the contract. */
const MORE: Readonly<Record<string, object>> = {
  AddIDPLink: { idpLink: { idpId: 'idp', userId: 'other', userName: 'other' } },
  AddKey: { publicKey: new TextEncoder().encode('key'), expirationDate: timestampFromMs(NOON + 1e12) },
  AddPersonalAccessToken: { expirationDate: timestampFromMs(NOON + 1e12) },
  DeleteUserMetadata: { keys: ['key'] },
  GenerateRecoveryCodes: { count: 5 },
  RegisterU2F: { domain: 'localhost' },
  RemoveAgentAccess: { applicationId: 'application' },
  RemoveIDPLink: { idpId: 'idp', linkedUserId: 'other' },
  RemoveKey: { keyId: 'key' },
  RemovePasskey: { passkeyId: 'key' },
  RemovePersonalAccessToken: { tokenId: 'token' },
  RemoveU2F: { u2fId: 'key' },
  RenamePasskey: { passkeyId: 'key', passkeyName: 'name' },
  RenameU2F: { u2fId: 'key', tokenName: 'name' },
  SetEmail: { email: 'other@example.com' },
  SetPhone: { phone: '+41446681800' },
  SetUserMetadata: { metadata: [{ key: 'key', value: new Uint8Array([1]) }] },
  VerifyPasskeyRegistration: { passkeyId: 'key', publicKeyCredential: {}, passkeyName: 'name' },
  VerifyTOTPRegistration: { code: '123456' },
  VerifyU2FRegistration: { u2fId: 'key', publicKeyCredential: {}, tokenName: 'name' },
}
/** Methods that anybody signed in can call, which ask for the permission where nothing else proves the right. */
const PASSWORD = { newPassword: { password: 'quite another secret' } }
const ASKING: readonly (readonly [DescMethodUnary, object])[] = [
  [UserService.method.setPassword, PASSWORD],
  [UserService.method.setPassword, { ...PASSWORD, verification: { case: 'currentPassword', value: 'a guess' } }],
  [UserService.method.registerPasskey, { domain: 'localhost' }],
]

for (const engine of engines) {
  suite(`a user of another organization on ${engine.name}`, () => {
    let world: SessionWorld
    let elsewhere = ''
    const manager = (): Caller => ({
      userId: 'manager',
      organizationId: elsewhere,
      grants: [{ scope: { organizationId: elsewhere }, roles: ['ORG_OWNER'] }],
    })
    before(async () => {
      world = await openSessionWorld(engine, { callers: (name) => (name === 'manager' ? manager() : undefined) })
      const { addOrganization } = OrganizationService.method
      elsewhere = (await world.call(addOrganization, { name: 'Elsewhere' }, world.owner)).organizationId
    })
    after(() => world.dispose())

    const told = (method: DescMethodUnary, message: object) =>
      world.call(method as typeof UserService.method.lockUser, message, { bearer: 'manager' }).then(
        () => 'served',
        (error: unknown) => (error instanceof Refused ? `${error.code} ${error.kind}` : String(error)),
      )

    test('is not found, whether it is a person, a machine, or nobody, by every method about a user', async () => {
      const { userId: person } = await world.addPerson()
      const machine = { userName: 'machine', name: 'machine' }
      const { userId } = await world.call(ManagementService.method.addMachineUser, machine, world.owner)
      const rows: (readonly [DescMethodUnary, object])[] = [...ASKING]
      for (const method of allMethods.values()) {
        const requirement = requirementOf(method)
        if (requirement.type !== 'target' || requirement.about !== 'userId' || requirement.isFiltered) continue
        rows.push([method, MORE[method.name] ?? {}])
      }
      assert.ok(rows.length > 40, `${rows.length} methods`)
      const wrong: string[] = []
      for (const [method, more] of rows) {
        for (const id of [person, userId, 'nobody']) {
          const answer = await told(method, { userId: id, ...more })
          if (answer !== 'user.not_found not_found') wrong.push(`${method.name} ${id}: ${answer}`)
        }
      }
      assert.deepEqual(wrong, [])
    })
  })
}
