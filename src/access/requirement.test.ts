import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type DescMethod, type DescMethodUnary, type MessageInitShape, setExtension } from '@bufbuild/protobuf'
import { MethodOptionsSchema } from '@bufbuild/protobuf/wkt'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { Access_Oneself, Access_Where, AccessSchema, access } from '../../contract/gen/signet/v1/options_pb.ts'
import type { Method } from './method.ts'
import { checkEveryMethodIsServed, requirementOf, usesOrganizationOfCall } from './requirement.ts'

/** A method of which the contract says this. */
function methodWith(said: MessageInitShape<typeof AccessSchema>): DescMethod {
  const options = create(MethodOptionsSchema)
  setExtension(options, access, create(AccessSchema, said))
  const method = UserService.method.addHumanUser
  return { ...method, proto: { ...method.proto, options } }
}

const permission = 'user.read'

suite('the organization of the call', () => {
  test('matters where the permission is looked for there, and where the contract says that the handler falls back on it', () => {
    const { TARGET, INSTANCE } = Access_Where
    assert.equal(usesOrganizationOfCall(methodWith({ permission })), true)
    assert.equal(usesOrganizationOfCall(methodWith({ permission, where: TARGET, usesContext: true })), true)
    assert.equal(usesOrganizationOfCall(methodWith({ authenticated: true, usesContext: true })), true)
    assert.equal(usesOrganizationOfCall(methodWith({ permission, where: TARGET })), false)
    assert.equal(usesOrganizationOfCall(methodWith({ permission, where: INSTANCE })), false)
    assert.equal(usesOrganizationOfCall(methodWith({ authenticated: true })), false)
    assert.equal(usesOrganizationOfCall(methodWith({ public: true })), false)
  })

  test('is nothing to fall back on for unknown callers, on the instance, or where it is looked at anyway', () => {
    const nonsense = [{ public: true }, { permission, where: Access_Where.INSTANCE }, { permission }]
    for (const said of nonsense) {
      assert.throws(() => requirementOf(methodWith({ ...said, usesContext: true })), /uses_context needs/)
    }
  })
})

suite('the user that a method is about', () => {
  test('is named by every method that changes a user', () => {
    const write = { permission: 'user.write', where: Access_Where.TARGET }
    assert.throws(() => requirementOf(methodWith(write)), /does not say which user it is about/)
    assert.throws(() => requirementOf(methodWith({ ...write, about: 'person_id' })), /about names no field/)
    assert.throws(() => requirementOf(methodWith({ ...write, about: 'profile' })), /about names no field/)
    const given = requirementOf(methodWith({ ...write, about: 'user_id' }))
    assert.ok(given.type === 'target' && given.about === 'userId' && given.isFresh && !given.self)
  })

  test('is needed where the contract says what oneself needs', () => {
    const said = { permission, where: Access_Where.TARGET, oneself: Access_Oneself.ANY_SIGN_IN }
    assert.throws(() => requirementOf(methodWith(said)), /oneself needs about/)
  })
})

test('methods that the contract declares and nothing implements are all named', () => {
  const services = [UserService, OrganizationService]
  const served = services
    .flatMap((service): readonly DescMethod[] => service.methods)
    .map((descriptor): Method => ({ descriptor: descriptor as DescMethodUnary, handle: async () => ({}) }))
  checkEveryMethodIsServed(served, services)
  const { addHumanUser } = UserService.method
  const { addOrganization } = OrganizationService.method
  const rest = served.filter(({ descriptor }) => descriptor !== addHumanUser && descriptor !== addOrganization)
  assert.throws(() => checkEveryMethodIsServed(rest, services), {
    message:
      'the contract declares methods that are not implemented: ' +
      'signet.user.v2.UserService/AddHumanUser, signet.org.v2.OrganizationService/AddOrganization',
  })
})
