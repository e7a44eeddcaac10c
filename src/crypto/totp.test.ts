import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../kernel/instant.ts'
import { encodeBase32 } from './base32.ts'
import { matchTotp, newTotpSecret, readTotpSecret, totpCode, totpStep, totpUri } from './totp.ts'

const SECRET = encodeBase32(Buffer.from('12345678901234567890'))

/** RFC 6238, appendix B, SHA-1: the second, and the code of eight digits. */
const TOTP_VECTORS = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const

/** RFC 4226, appendix D: the codes of counters 0 to 9. */
const HOTP_VECTORS = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')

const NOON = instant(1_800_000_000_000)
function later(seconds: number) {
  return instant(NOON + seconds * 1000)
}
function codeAt(seconds: number) {
  return totpCode(SECRET, totpStep(later(seconds)))
}

suite('codes of authenticator apps', () => {
  test('are those of RFC 6238', () => {
    for (const [second, code] of TOTP_VECTORS) {
      assert.equal(totpCode(SECRET, totpStep(instant(second * 1000)), 8), code)
      assert.equal(totpCode(SECRET, totpStep(instant(second * 1000))), code.slice(2))
    }
  })

  test('are those of RFC 4226', () => {
    for (const [counter, code] of HOTP_VECTORS.entries()) assert.equal(totpCode(SECRET, counter), code)
  })

  test('count one step before and one after theirs, and no further', () => {
    const now = totpStep(NOON)
    const found = [-60, -31, -30, -1, 0, 29, 30, 59, 60, 89, 90].map((seconds) => {
      const step = matchTotp(SECRET, codeAt(0), later(-seconds))
      return [seconds, step === now]
    })
    const expected = [-60, -31, -30, -1, 0, 29, 30, 59, 60, 89, 90].map((s) => [s, s > -60 && s <= 30])
    assert.deepEqual(found, expected)
  })

  test('are read with spaces, and nothing else is read into them', () => {
    const code = codeAt(0)
    assert.equal(matchTotp(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, NOON), totpStep(NOON))
    for (const typed of ['', code.slice(1), `${code}0`, `+${code.slice(1)}`, `${code}\0`, '０１２３４５', 'abcdef']) {
      assert.equal(matchTotp(SECRET, typed, NOON), undefined, typed)
    }
  })

  test('of another secret do not count', () => {
    const other = newTotpSecret()
    assert.notEqual(other, SECRET)
    assert.match(other, /^[A-Z2-7]{32}$/)
    let matches = 0
    for (let i = 0; i < 50; i++) if (matchTotp(newTotpSecret(), codeAt(0), NOON) !== undefined) matches++
    assert.ok(matches <= 1)
  })

  test('come from secrets of at least 80 bits, written in base32', () => {
    assert.equal(readTotpSecret('jbsw y3dp ehpk 3pxp'), 'JBSWY3DPEHPK3PXP')
    assert.equal(readTotpSecret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'), SECRET)
    for (const typed of ['', 'JBSWY3DP', 'JBSWY3DPEHPK3PX', 'JBSWY3DPEHPK3PX1', '12345678901234567890']) {
      assert.equal(readTotpSecret(typed), undefined, typed)
    }
  })

  test('are set up from an address that names who issued them and for whom', () => {
    const uri = new URL(totpUri(SECRET, 'login.example.com', 'Ada & Co:1@example.com'))
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(uri.host, 'totp')
    assert.equal(decodeURIComponent(uri.pathname), '/login.example.com:Ada & Co:1@example.com')
    assert.equal(uri.pathname.split(':').length, 2)
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      secret: SECRET,
      issuer: 'login.example.com',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
