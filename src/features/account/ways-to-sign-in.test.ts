import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserVerificationRequirement } from '../../../contract/gen/signet/session/v2/check_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import {
  DOMAIN,
  ORIGIN,
  openSessionWorld,
  type Person,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { keysOf } from '../passkeys/index.ts'
import { findPerson } from '../sign-in/index.ts'
import { readAccount, removeOwnKey, removeOwnLink } from './index.ts'

const users = UserService.method

for (const engine of bothEngines) {
  suite(`the last way to sign in on ${engine.name}`, () => {
    let world: SessionWorld
    let idpId: string
    before(async () => {
      world = await openSessionWorld(engine)
      const provider = { name: 'Upstream', issuer: 'https://upstream.example', clientId: 'signet', clientSecret: 'x' }
      const { addGenericOIDCProvider } = ManagementService.method
      idpId = (await world.call(addGenericOIDCProvider, provider, world.owner)).id
    })
    after(() => world.dispose())
    beforeEach(() => world.setLogin(world.defaultOrganizationId, {}))

    /** The token of a session that a passkey has signed in. */
    const signInWithPasskey = async (person: Person, authenticator: Authenticator): Promise<string> => {
      const held = await world.create({ checks: userCheck(person) })
      const { sessionId, token: sessionToken } = held
      const webAuthN = { domain: DOMAIN, userVerificationRequirement: UserVerificationRequirement.REQUIRED }
      const asked = await world.call(v2.setSession, { sessionId, sessionToken, challenges: { webAuthN } }, world.nobody)
      const options = asked.challenges?.webAuthN?.publicKeyCredentialRequestOptions as JsonObject
      const credentialAssertionData = authenticator.get(options, { origin: ORIGIN })
      const answered = { sessionId, token: asked.sessionToken }
      return (await world.set(answered, { checks: { webAuthN: { credentialAssertionData } } })).token
    }

    /** A person who signs in with passkeys, signed in with the first of them. */
    const begin = async (passkeys: number, options: { password?: string | undefined } = { password: undefined }) => {
      const person = await world.addPerson(options)
      const authenticator = await world.addKey(person, 'passkey')
      for (let more = 1; more < passkeys; more++) await world.addKey(person, 'passkey')
      const token = await signInWithPasskey(person, authenticator)
      const { userId } = person
      const keys = async () => (await keysOf(world.app, userId, 'passkey')).map(({ id }) => id)
      const visitor = async () => (await findPerson(world.app, token)) ?? assert.fail('not signed in')
      const [first = '', second = ''] = await keys()
      return { userId, self: { bearer: token }, keys, visitor, first, second }
    }

    const addLink = async (userId: string) => {
      const link = { idpId, userId: `account of ${userId}`, userName: 'account' }
      await world.call(users.addIDPLink, { userId, idpLink: link }, world.owner)
      return { idpId, externalUserId: link.userId }
    }

    test('is not removed by the form of the account page', async () => {
      const { keys, visitor, first } = await begin(1)
      const person = await visitor()
      assert.deepEqual(await removeOwnKey(world.app, person, { use: 'passkey', keyId: first }), { outcome: 'refused' })
      assert.deepEqual(await keys(), [first])
      const [key] = (await readAccount(world.app, person)).keys
      assert.equal(key?.isLastWay, true)
    })

    test('is not removed by the person through the API, but by an administrator', async () => {
      const { userId, self, keys, first } = await begin(1)
      const request = { userId, passkeyId: first }
      await isRefused(world.call(users.removePasskey, request, self), 'account.last_sign_in_method')
      assert.deepEqual(await keys(), [first])
      await world.call(users.removePasskey, request, world.owner)
      assert.deepEqual(await keys(), [])
    })

    test('is not removed by two requests at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const { userId, self, keys, visitor, first, second } = await begin(2)
        const person = await visitor()
        await Promise.allSettled([
          removeOwnKey(world.app, person, { use: 'passkey', keyId: first }),
          world.call(users.removePasskey, { userId, passkeyId: second }, self),
        ])
        assert.equal((await keys()).length, 1)
      }
    })

    test('is not removed as passkey and link at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const { userId, self, keys, visitor, first } = await begin(1)
        const link = await addLink(userId)
        const person = await visitor()
        await Promise.allSettled([
          world.call(users.removePasskey, { userId, passkeyId: first }, self),
          removeOwnLink(world.app, person, link),
        ])
        const { result } = await world.call(users.listIDPLinks, { userId }, world.owner)
        assert.equal((await keys()).length + result.length, 1)
      }
    })

    test('may be a link, which is kept then', async () => {
      const { userId, self, visitor, first } = await begin(1)
      const link = await addLink(userId)
      const person = await visitor()
      await world.call(users.removePasskey, { userId, passkeyId: first }, self)
      const account = await readAccount(world.app, person)
      assert.deepEqual(
        account.links.map(({ isLastWay }) => isLastWay),
        [true],
      )
      const request = { userId, idpId, linkedUserId: link.externalUserId }
      assert.deepEqual(await removeOwnLink(world.app, person, link), { outcome: 'refused' })
      await isRefused(world.call(users.removeIDPLink, request, self), 'account.last_sign_in_method')
      await world.call(users.removeIDPLink, request, world.owner)
    })

    test('is any but one that the organization does not allow', async () => {
      const { userId, self, visitor, first, keys } = await begin(1, {})
      const person = await visitor()
      await world.setLogin(world.defaultOrganizationId, { allowsPassword: false })
      await isRefused(
        world.call(users.removePasskey, { userId, passkeyId: first }, self),
        'account.last_sign_in_method',
      )
      await world.setLogin(world.defaultOrganizationId, {})
      const removed = await removeOwnKey(world.app, person, { use: 'passkey', keyId: first })
      assert.equal(removed.outcome, 'done')
      assert.deepEqual(await keys(), [])
    })

    test('is not a key that is only a second factor', async () => {
      const { userId, self, first } = await begin(1)
      await world.addKey({ userId, loginName: '' }, 'second_factor')
      await isRefused(
        world.call(users.removePasskey, { userId, passkeyId: first }, self),
        'account.last_sign_in_method',
      )
      const [key] = await keysOf(world.app, userId, 'second_factor')
      await world.call(users.removeU2F, { userId, u2fId: key?.id ?? '' }, self)
    })
  })
}
