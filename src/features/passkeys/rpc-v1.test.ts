import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AuthFactorState } from '../../../contract/gen/signet/user/v1/authentication_pb.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, type PasskeyWorld, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { Refused } from '../../kernel/refusal.ts'

const own = AuthService.method
const v1 = ManagementService.method

/** What changes how the caller signs in, or where codes reach them. */
const FRESH = [
  'AddMyAuthFactorOTP',
  'AddMyAuthFactorOTPEmail',
  'AddMyAuthFactorOTPSMS',
  'AddMyAuthFactorU2F',
  'AddMyPasswordless',
  'AddMyPasswordlessLink',
  'RemoveMyAuthFactorOTP',
  'RemoveMyAuthFactorOTPEmail',
  'RemoveMyAuthFactorOTPSMS',
  'RemoveMyAuthFactorU2F',
  'RemoveMyLinkedIDP',
  'RemoveMyPasswordless',
  'RemoveMyPhone',
  'RemoveMyUser',
  'SetMyEmail',
  'SetMyPhone',
  'UpdateMyUserName',
  'VerifyMyAuthFactorOTP',
]

/** Requests that get as far as the rule. */
const REQUESTS: Readonly<Record<string, JsonObject>> = {
  RemoveMyAuthFactorU2F: { tokenId: 'x' },
  RemoveMyLinkedIDP: { idpId: 'x', linkedUserId: 'x' },
  RemoveMyPasswordless: { tokenId: 'x' },
  RevokeMyRefreshToken: { id: 'x' },
  SetMyEmail: { email: 'new@example.com' },
  SetMyPhone: { phone: '+41791234567' },
  UpdateMyPassword: { oldPassword: 'x', newPassword: 'x' },
  UpdateMyProfile: { firstName: 'Ada', lastName: 'King' },
  UpdateMyUserName: { userName: 'ada' },
  VerifyMyAuthFactorOTP: { code: '123456' },
  VerifyMyEmail: { code: '123456' },
  VerifyMyPhone: { code: '123456' },
}

function credentialOf(key: { readonly publicKey: Uint8Array } | undefined) {
  const options = JSON.parse(new TextDecoder().decode(key?.publicKey)) as JsonObject
  const credential = newAuthenticator().create(options, { origin: ORIGIN })
  return new TextEncoder().encode(JSON.stringify(credential))
}

for (const engine of engines) {
  suite(`keys in the v1 services on ${engine.name}`, () => {
    let world: PasskeyWorld
    before(async () => {
      world = await openWorld({ engine }, withPasskeys())
    })
    after(() => world.dispose())

    test('a user registers a passkey and a security key, lists and removes them', async () => {
      const userId = await world.addPerson()
      const me = { bearer: userId }
      await isRefused(
        world.call(
          own.verifyMyPasswordless,
          { verification: { publicKeyCredential: new Uint8Array(60).fill(32), tokenName: 'Key' } },
          me,
        ),
        'passkey.attestation_invalid',
        'verification.publicKeyCredential',
      )
      const passkey = await world.call(own.addMyPasswordless, {}, me)
      const verification = { publicKeyCredential: credentialOf(passkey.key), tokenName: 'Phone' }
      await world.call(own.verifyMyPasswordless, { verification }, me)
      await isRefused(world.call(own.verifyMyPasswordless, { verification }, me), 'passkey.not_found')
      const listed = (await world.call(own.listMyPasswordless, {}, me)).result
      assert.deepEqual(
        listed.map(({ name, state }) => [name, state]),
        [['Phone', AuthFactorState.READY]],
      )
      const stick = await world.call(own.addMyAuthFactorU2F, {}, me)
      const result = { publicKeyCredential: credentialOf(stick.key), tokenName: 'Stick' }
      await world.call(own.verifyMyAuthFactorU2F, { verification: result }, me)
      const [factor] = (await world.call(v1.listHumanAuthFactors, { userId }, { bearer: 'north' })).result
      assert.ok(factor?.type.case === 'u2f')
      assert.equal(factor.type.value.name, 'Stick')
      await world.call(own.removeMyAuthFactorU2F, { tokenId: factor.type.value.id }, me)
      const tokenId = listed[0]?.id ?? ''
      await isRefused(world.call(own.removeMyPasswordless, { tokenId }, me), 'account.last_sign_in_method')
      await isRefused(
        world.call(v1.removeHumanPasswordless, { userId, tokenId }, { bearer: 'south' }),
        'user.not_found',
      )
      await world.call(v1.removeHumanPasswordless, { userId, tokenId }, { bearer: 'manager' })
      assert.deepEqual((await world.call(v1.listHumanPasswordless, { userId }, { bearer: 'viewer' })).result, [])
    })

    test('links are made for those who may, and mailed', async () => {
      const userId = await world.addPerson()
      await isRefused(world.call(v1.addPasswordlessRegistration, { userId }, { bearer: 'manager' }), 'access.forbidden')
      const { link, expiration } = await world.call(v1.addPasswordlessRegistration, { userId }, { bearer: 'north' })
      assert.match(link, new RegExp(`^${ORIGIN}/ui/passkeys/register\\?userId=${userId}&codeId=\\d+&code=`))
      assert.equal(expiration?.seconds, 3600n)
      const before = (await world.mailed()).length
      await world.call(v1.sendPasswordlessRegistration, { userId }, { bearer: 'north' })
      await world.call(own.sendMyPasswordlessLink, {}, { bearer: `old.${userId}` })
      assert.equal((await world.mailed()).length, before + 2)
      await world.makeMighty(userId)
      await isRefused(world.call(v1.addPasswordlessRegistration, { userId }, { bearer: 'north' }), 'user.above_own')
    })

    test('what changes how one signs in needs a sign-in that is not old', async () => {
      const userId = await world.addPerson()
      const asked: string[] = []
      for (const method of AuthService.methods as readonly DescMethodUnary[]) {
        if (/^(Get|List|Healthz)/.test(method.name)) continue
        const verification = { publicKeyCredential: new Uint8Array(60), tokenName: 'Key' }
        const request = /Verify.*(U2F|Passwordless)/.test(method.name) ? { verification } : REQUESTS[method.name]
        try {
          await world.call(method, (request ?? {}) as never, { bearer: `old.${userId}` })
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          if (error.code === 'access.sign_in_again') asked.push(method.name)
        }
      }
      assert.deepEqual(asked.sort(), FRESH)
    })
  })
}
