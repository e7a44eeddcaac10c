import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../kernel/id.ts'
import {
  formatPersonalAccessToken,
  hashSecret,
  matchesHash,
  newPersonalAccessToken,
  newSessionToken,
  parsePersonalAccessToken,
  parseSessionToken,
} from './tokens.ts'

/** The ids of earlier versions of the server are UUIDs. */
const anyId = fc.oneof(
  fc.uuid(),
  fc.bigInt({ min: 10n ** 17n, max: 10n ** 18n - 1n }).map((number) => String(number)),
)

suite('personal access tokens', () => {
  test('a token is read back as the id and the secret it was made of', () => {
    fc.assert(
      fc.property(anyId, fc.uint8Array({ minLength: 32, maxLength: 32 }), (id, secret) => {
        const parsed = parsePersonalAccessToken(formatPersonalAccessToken(id, secret))
        assert.equal(parsed?.tokenId, id)
        assert.deepEqual(Buffer.from(parsed?.secret ?? []), Buffer.from(secret))
      }),
    )
  })

  test('a new token matches its stored hash, and the hash holds nothing of the token', () => {
    const { text, hash } = newPersonalAccessToken(newId())
    const secret = parsePersonalAccessToken(text)?.secret ?? assert.fail('not a token')
    assert.ok(matchesHash(secret, hash))
    assert.match(text, /^signet_pat_[A-Za-z0-9_-]{64}$/)
    assert.ok(!text.includes(hash))
  })

  test('no mutation of a token is the same token', () => {
    const id = newId()
    const { text, hash } = newPersonalAccessToken(id)
    const passes = (candidate: string): boolean => {
      const parsed = parsePersonalAccessToken(candidate)
      return parsed !== undefined && parsed.tokenId === id && matchesHash(parsed.secret, hash)
    }
    assert.ok(passes(text))
    for (let at = 0; at < text.length; at++) {
      assert.ok(!passes(text.slice(0, at)), `truncated at ${at}`)
      const swapped = text[at] === 'A' ? 'B' : 'A'
      assert.ok(!passes(text.slice(0, at) + swapped + text.slice(at + 1)), `changed at ${at}`)
      const flipped = /[a-z]/.test(text[at] ?? '') ? text[at]?.toUpperCase() : text[at]?.toLowerCase()
      if (flipped !== text[at]) assert.ok(!passes(text.slice(0, at) + flipped + text.slice(at + 1)), `case at ${at}`)
    }
    for (const more of ['A', '=', ' ', '\n', '\0']) assert.ok(!passes(text + more) && !passes(more + text))
  })

  test('ten thousand tokens are all different', () => {
    const id = newId()
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newPersonalAccessToken(id).text)).size, 10_000)
  })

  test('a damaged stored hash matches nothing', () => {
    for (const hash of ['', 'short', hashSecret('a').slice(1)]) assert.equal(matchesHash('a', hash), false)
    assert.equal(matchesHash('a', hashSecret('a')), true)
  })

  test('an id that the server never gives out has no token', () => {
    for (const id of [
      '',
      'x',
      newId().toUpperCase(),
      '12345678901234567',
      '012345678901234567',
      '1234567890123456789',
    ]) {
      assert.throws(() => formatPersonalAccessToken(id, new Uint8Array(32)), TypeError)
    }
  })
})

suite('session tokens', () => {
  test('are of 79 characters, name their session, and match what is stored of them', () => {
    const id = newId()
    const { text, hash } = newSessionToken(id)
    assert.match(text, /^signet_session_[A-Za-z0-9_-]{64}$/)
    const parsed = parseSessionToken(text) ?? assert.fail('not a token')
    assert.equal(parsed.tokenId, id)
    assert.ok(matchesHash(parsed.secret, hash))
  })

  test('are of another family than personal access tokens', () => {
    const { text } = newSessionToken(newId())
    assert.equal(parsePersonalAccessToken(text), undefined)
    assert.equal(parseSessionToken(newPersonalAccessToken(newId()).text), undefined)
    assert.equal(parseSessionToken(text.replace('signet_session_', 'signet_pat_')), undefined)
  })
})
