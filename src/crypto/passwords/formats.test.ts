import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readBase64, readCrypt64Number, writeCrypt64 } from './base64.ts'
import { readHash, readSecretHash } from './formats.ts'
import { isCheck } from './reading.ts'

const SALT = 'c2FsdHNhbHQ'
const KEY = 'A'.repeat(43)

function flawOf(hash: string): string {
  const reading = readHash(hash)
  return isCheck(reading) ? 'none' : reading.code
}

function argon2(m: number, t: number, p: number, variant = 'id') {
  return `$argon2${variant}$v=19$m=${m},t=${t},p=${p}$${SALT}$${KEY}`
}
function bcrypt(cost: string) {
  return `$2b$${cost}$${'a'.repeat(53)}`
}
function scrypt(ln: number, r: number, p: number) {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${SALT}$${KEY}`
}
function pbkdf2(rounds: number | string, digest = '-sha256') {
  return `$pbkdf2${digest}$${rounds}$${SALT}$${KEY}`
}
function sha2(rounds: number) {
  return `$5$rounds=${rounds}$salt$${KEY}`
}
function phpass(cost: string) {
  return `$P$${cost}saltsalt${'a'.repeat(22)}`
}
function drupal7(cost: string) {
  return `$S$${cost}saltsalt${'a'.repeat(43)}`
}

const WITHIN = [
  ['argon2 at its least', argon2(8192, 1, 1)],
  ['argon2 at its most', argon2(524_288, 10, 16)],
  ['argon2i', argon2(8192, 1, 1, 'i')],
  ['bcrypt at its least', bcrypt('10')],
  ['bcrypt at its most', bcrypt('16')],
  ['argon2 with less memory and more passes', argon2(7168, 5, 1)],
  ['scrypt at its least', scrypt(14, 8, 1)],
  ['scrypt with the most ln', scrypt(20, 8, 1)],
  ['scrypt with the most r', scrypt(18, 32, 1)],
  ['scrypt with the most p', scrypt(18, 8, 16)],
  ['pbkdf2 at its least', pbkdf2(1000)],
  ['pbkdf2 at its most', pbkdf2(10_000_000)],
  ['pbkdf2 without a digest', pbkdf2(1000, '')],
  ['pbkdf2 with padding', `${pbkdf2(1000)}=`],
  ['sha2-crypt at its least', sha2(1000)],
  ['sha2-crypt at its most', sha2(10_000_000)],
  ['sha2-crypt without rounds', `$6$salt$${'a'.repeat(86)}`],
  ['phpass at its least', phpass('5')],
  ['phpass at its most', phpass('L')],
  ['drupal7', drupal7('D')],
] as const

const OUT_OF_BOUNDS = [
  ['argon2 with too little memory', argon2(8191, 1, 1)],
  ['argon2 with too little memory for its passes', argon2(7168, 4, 1)],
  ['argon2 with too little memory for any passes', argon2(7167, 10, 1)],
  ['argon2 with too much memory', argon2(524_289, 1, 1)],
  ['argon2 with 8 GiB', argon2(8_388_608, 1, 1)],
  ['argon2 without a pass', argon2(8192, 0, 1)],
  ['argon2 with too many passes', argon2(8192, 11, 1)],
  ['argon2 with a thousand passes', argon2(8192, 1000, 1)],
  ['argon2 without a lane', argon2(8192, 1, 0)],
  ['argon2 with too many lanes', argon2(8192, 1, 17)],
  ['argon2i with too much memory', argon2(524_289, 1, 1, 'i')],
  ['bcrypt 09', bcrypt('09')],
  ['bcrypt 17', bcrypt('17')],
  ['bcrypt 31', bcrypt('31')],
  ['scrypt with too little ln', scrypt(13, 8, 1)],
  ['scrypt with too much ln', scrypt(21, 8, 1)],
  ['scrypt with an absurd ln', scrypt(4_000_000_000, 8, 1)],
  ['scrypt with too little r', scrypt(14, 7, 1)],
  ['scrypt with too much r', scrypt(14, 33, 1)],
  ['scrypt without p', scrypt(14, 8, 0)],
  ['scrypt with too much p', scrypt(14, 8, 17)],
  ['scrypt with 4 GiB', scrypt(20, 32, 1)],
  ['scrypt with 16 passes over 1 GiB', scrypt(20, 8, 16)],
  ['scrypt $7$ with too much ln', `$7$K6..../....salt$${KEY}`],
  ['pbkdf2 with too few rounds', pbkdf2(999)],
  ['pbkdf2 with too many rounds', pbkdf2(10_000_001)],
  ['pbkdf2 with a thousand million rounds', pbkdf2(1_000_000_000)],
  ['pbkdf2 with rounds beyond every number', pbkdf2('9'.repeat(400))],
  ['sha2-crypt with too few rounds', sha2(999)],
  ['sha2-crypt with too many rounds', sha2(10_000_001)],
  ['phpass with cost 6', phpass('4')],
  ['phpass with cost 24', phpass('M')],
  ['phpass with cost 63', phpass('z')],
  ['drupal7 with cost 30', drupal7('S')],
  ['an argon2 hash of three bytes', `$argon2id$v=19$m=8192,t=1,p=1$${SALT}$AAAA`],
] as const

const UNREADABLE = [
  ['nothing', ''],
  ['a password', 'correct horse battery staple'],
  ['an unknown prefix', '$y$j9T$saltsalt$hash'],
  ['argon2d', argon2(8192, 1, 1, 'd')],
  ['argon2 of version 16', argon2(8192, 1, 1).replace('v=19', 'v=16')],
  ['argon2 without a version', argon2(8192, 1, 1).replace('v=19$', '')],
  ['argon2 with a negative cost', argon2(-8192, 1, 1)],
  ['argon2 whose salt is not base64', argon2(8192, 1, 1).replace(SALT, '!!!!!!!!')],
  ['bcrypt 2x', bcrypt('10').replace('2b', '2x')],
  ['bcrypt that was cut', bcrypt('10').slice(0, -1)],
  ['bcrypt with a line after it', `${bcrypt('10')}\n`],
  ['scrypt without costs', `$scrypt$${SALT}$${KEY}`],
  ['scrypt $7$ that was cut', `$7$C6..../....salt$${KEY.slice(1)}`],
  ['pbkdf2 with md5', pbkdf2(1000, '-md5')],
  ['sha2-crypt that was cut', '$6$salt$short'],
  ['sha2-crypt with 43 characters as SHA-512', `$6$salt$${KEY}`],
  ['md5-crypt that was cut', '$1$salt$short'],
  ['phpass that was cut', '$P$Bsaltsalt'],
  ['drupal7 with the length of phpass', `$S$Dsaltsalt${'a'.repeat(22)}`],
  ['an unknown place of the salt', '$md5salted-middle$salt$AAAAAAAAAAAAAAAAAAAAAA=='],
  ['a salted md5 that was cut', '$md5salted-prefix$salt$AAAA'],
  ['31 hex digits', 'a'.repeat(31)],
  ['a megabyte', `$argon2id$${'a'.repeat(1024 * 1024)}`],
] as const

suite('hash formats', () => {
  for (const [name, hash] of WITHIN) {
    test(`${name} is accepted`, () => assert.equal(flawOf(hash), 'none'))
  }
  for (const [name, hash] of OUT_OF_BOUNDS) {
    test(`${name} is out of bounds`, () => assert.equal(flawOf(hash), 'password.hash_cost_out_of_bounds'))
  }
  for (const [name, hash] of UNREADABLE) {
    test(`${name} is unreadable`, () => assert.equal(flawOf(hash), 'password.hash_unreadable'))
  }

  test('a random secret can have a cheaper hash than a password', () => {
    assert.ok('matches' in readSecretHash(bcrypt('04')))
    assert.equal(flawOf(bcrypt('04')), 'password.hash_cost_out_of_bounds')
    assert.ok('code' in readSecretHash(bcrypt('03')))
    assert.ok('matches' in readSecretHash(argon2(8192, 1, 1)))
  })

  test('a flaw names the bounds and nothing of the hash', () => {
    const reading = readHash(pbkdf2(999))
    assert.deepEqual(reading, {
      code: 'password.hash_cost_out_of_bounds',
      description: 'pbkdf2 rounds must be from 1000 to 10000000.',
    })
  })
})

suite('base64 of hashes', () => {
  test('standard, dotted and padded texts are the same bytes', () => {
    for (const text of ['+/8', '+/8=', './8']) assert.deepEqual(readBase64(text), Buffer.from([0xfb, 0xff]))
  })
  test('bits after the last byte are not base64', () => assert.equal(readBase64('+/9'), undefined))
  test('a lonely last character is not base64', () => assert.equal(readBase64('AAAAA'), undefined))
  test('crypt(3) writes the lowest bits first', () => assert.equal(writeCrypt64(Buffer.from([1, 0, 0, 255])), '/...z1'))
  test('crypt(3) numbers have the lowest digit first', () => assert.equal(readCrypt64Number('U/...'), 32 + 64))
})
