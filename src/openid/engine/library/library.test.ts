/**
 * The places of oidc-provider that its types do not promise and that we rely on. Each has a test that fails when a new version
 * changes it: read the change, see whether our part is still right, and write the new digest down.
 */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import introspection from 'oidc-provider/lib/actions/introspection.js'
import revocation from 'oidc-provider/lib/actions/revocation.js'
import validateDpop, { checkDpopReplay } from 'oidc-provider/lib/helpers/validate_dpop.js'
import instance from 'oidc-provider/lib/helpers/weak_cache.js'
import { instant } from '../../../kernel/instant.ts'
import { untilAuthenticated } from './authenticated-client.ts'
import { flowStartOf, withFlowStart } from './flow-start.ts'
import { errors, interactionPolicy, Provider } from './index.ts'
import { DPOP_NONCES } from './nonces.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
// biome-ignore lint/suspicious/noExplicitAny: what is tested has no types
const engine: any = new Provider('https://issuer.example', {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' } as never] },
  adapter: () => ({}) as never,
  features: { devInteractions: { enabled: false }, dPoP: { enabled: true, ...DPOP_NONCES } },
})

function digestOf(code: unknown): string {
  assert.equal(typeof code, 'function')
  return createHash('sha256').update(String(code)).digest('hex').slice(0, 16)
}

function getterOf(prototype: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get
}

const REPLACED: readonly (readonly [string, () => unknown, string])[] = [
  ['Session.get', () => engine.Session.get, 'eed32d535b293094'],
  ['Session#save', () => engine.Session.prototype.save, 'f8ddf6a8fe26d31e'],
  ['Session#persist', () => engine.Session.prototype.persist, 'ef22bdac508ca9b1'],
  ['AuthorizationCode#generateTokenId', () => engine.AuthorizationCode.prototype.generateTokenId, '23989c95cb71c8fa'],
  ['RefreshToken#generateTokenId', () => engine.RefreshToken.prototype.generateTokenId, '23989c95cb71c8fa'],
  ['AccessToken#generateTokenId', () => engine.AccessToken.prototype.generateTokenId, '276db83c35b74f3c'],
  ['AccessToken#getValueAndPayload', () => engine.AccessToken.prototype.getValueAndPayload, 'd04bd226b5a94130'],
  ['RefreshToken#getValueAndPayload', () => engine.RefreshToken.prototype.getValueAndPayload, 'c434ada6c51747f7'],
  ['RefreshToken#save', () => engine.RefreshToken.prototype.save, 'ef483582869627a0'],
  ['IdToken#issue', () => engine.IdToken.prototype.issue, '296b8e90f083d6ef'],
  ['IdToken.validate', () => engine.IdToken.validate, 'f12bdfe2ecb90a14'],
  ['Client#compareClientSecret', () => engine.Client.prototype.compareClientSecret, '7a404f9c25995b01'],
  ['Client#redirectUriAllowed', () => engine.Client.prototype.redirectUriAllowed, '4336b785844e3903'],
  ['ReplayDetection.unique', () => engine.ReplayDetection.unique, '26f0872a55e335f1'],
  ['Claims#result', () => engine.Claims.prototype.result, '5b32f12dd8bcdf31'],
  ['OIDCContext#prompts', () => getterOf(engine.OIDCContext.prototype, 'prompts'), 'c2db46c203b96d35'],
  [
    'OIDCContext#requestParamOIDCScopes',
    () => getterOf(engine.OIDCContext.prototype, 'requestParamOIDCScopes'),
    '7f3bc2b18d5f18ea',
  ],
]

suite('oidc-provider still has what we replace:', () => {
  for (const [name, find, digest] of REPLACED) {
    test(name, () => assert.equal(digestOf(find()), digest))
  }

  for (const [name, steps] of [
    ['introspection', introspection],
    ['revocation', revocation],
  ] as const) {
    test(`the steps of ${name}, which are about the client before they are about the token`, () => {
      const own = () => {}
      const names = untilAuthenticated(steps, own).map((step) => step.name)
      assert.deepEqual(names.slice(-4), ['authenticateClient', 'bound rejectDupes', 'validateTokenPresence', 'own'])
      assert.throws(() => untilAuthenticated([own], own))
    })
  }

  test('the nonces of DPoP proofs, and the check of proofs, which are in private files', () => {
    const { DPoPNonces: nonces } = instance(engine)
    assert.equal(digestOf(nonces.nextChallenge), 'e964e543ab688d0b')
    assert.equal(digestOf(nonces.checkChallenge), '6ff605e6746935e8')
    assert.equal(digestOf(validateDpop), 'ad8bd399c17174cb')
    assert.equal(digestOf(checkDpopReplay), 'c2c4f632ae40b5a6')
  })

  test('the errors and the policy, which are in private files', () => {
    assert.equal(new errors.InvalidGrant('why').error, 'invalid_grant')
    assert.equal(new errors.UnmetAuthenticationRequirements('why').error, 'unmet_authentication_requirements')
    assert.ok(interactionPolicy.base().get('login'))
  })

  test('the ID that all interactions of one flow share', () => {
    assert.ok(engine.Interaction.IN_PAYLOAD.includes('cid'))
    const first = withFlowStart({ cid: 'own' }, instant(5))
    assert.equal(flowStartOf({ cid: 'own' }), undefined)
    assert.equal(flowStartOf(first), 5)
    assert.deepEqual(withFlowStart(first, instant(9)), first)
  })
})
