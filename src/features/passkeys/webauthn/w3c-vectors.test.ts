/**
 * The test vectors of WebAuthn Level 3 §16, beside this file: derived by the rule that the section gives (HKDF-SHA-256
 * of 'WebAuthn test vectors', deterministic signatures), in base64url.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Refused } from '../../../kernel/refusal.ts'
import { type Expected, verifyNewCredential, verifySignedAssertion } from './verify-credential.ts'
import vectors from './w3c-vectors.json' with { type: 'json' }

/** The one algorithm among them that we do not ask authenticators for. */
const NOT_OFFERED = 'Packed Attestation with Ed448 Credential'

function expected(challenge: string, more: Partial<Expected> = {}): Expected {
  return {
    challenge,
    rpId: 'example.org',
    // Some of the vectors were made without.
    requiresUserVerification: false,
    isExpectedOrigin: (origin) => origin === 'https://example.org',
    isExpectedFrame: (topOrigin) => topOrigin === undefined || topOrigin === 'https://example.com',
    ...more,
  }
}

type Vector = (typeof vectors)[number]

function register({ registration }: Vector, more?: Partial<Expected>) {
  const { challenge, credentialId: id, clientDataJSON, attestationObject } = registration
  const credential = { id, rawId: id, type: 'public-key', response: { clientDataJSON, attestationObject } }
  return verifyNewCredential(credential, expected(challenge, more))
}

async function signIn(vector: Vector, more?: Partial<Expected>) {
  const known = await register(vector)
  const { challenge, ...response } = vector.assertion
  const id = known.credentialId
  return verifySignedAssertion({ id, rawId: id, type: 'public-key', response }, known, expected(challenge, more))
}

async function isRefused(promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Refused)
  assert.equal(error.kind, 'invalid')
}

suite('the test vectors of WebAuthn Level 3', () => {
  test('are fifteen pairs', () => assert.equal(vectors.length, 15))

  for (const vector of vectors) {
    const { section, title, registration } = vector
    if (title === NOT_OFFERED) {
      test(`§${section} ${title} is refused, as it is not asked for`, () => isRefused(register(vector)))
      continue
    }

    test(`§${section} ${title} registers and signs in`, async () => {
      const made = await register(vector)
      assert.equal(made.credentialId, registration.credentialId)
      assert.equal((await signIn(vector)).signCount, 0)
    })

    test(`§${section} ${title} is for one challenge, origin and relying party`, async () => {
      const other = registration.challenge.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A'))
      for (const more of [{ challenge: other }, { rpId: 'example.com' }, { isExpectedOrigin: () => false }]) {
        await isRefused(register(vector, more))
        await isRefused(signIn(vector, more))
      }
    })

    test(`§${section} ${title} is not accepted with a bit changed`, async () => {
      const flip = (text: string, at: number): string => {
        const bytes = Buffer.from(text, 'base64url')
        bytes[at < 0 ? bytes.length + at : at] = (bytes.at(at) ?? 0) ^ 1
        return bytes.toString('base64url')
      }
      const { assertion } = vector
      const data = { ...assertion, authenticatorData: flip(assertion.authenticatorData, -1) }
      await isRefused(signIn({ ...vector, assertion: data }))
      await isRefused(signIn({ ...vector, assertion: { ...assertion, signature: flip(assertion.signature, -1) } }))
    })
  }

  test('pages inside of others are accepted only where they are expected', async () => {
    const framed = vectors.filter(({ title }) => /crossOrigin|topOrigin/.test(title))
    assert.equal(framed.length, 2)
    for (const vector of framed) {
      await isRefused(register(vector, { isExpectedFrame: () => false }))
      await isRefused(signIn(vector, { isExpectedFrame: () => false }))
    }
  })
})
