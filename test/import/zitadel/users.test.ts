/** What becomes of the users in the log of a ZITADEL. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { INSTANCE, instance, organization, peerWorld, user } from './peer-world.ts'

const ID = '200000000000000001'

suite('users of a ZITADEL', () => {
  test('a person arrives with profile, addresses, password and the dates of their account', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(ID, {
      phone: '+41445551001',
      gender: 1,
      preferredLanguage: 'und',
      encodedHash: '$2a$10$first',
    })
    const createdAt = world.now
    await world.add(user(ID), {
      'user.human.email.verified': null,
      'user.human.password.changed': { encodedHash: '$2a$10$second', changeRequired: true },
      'user.human.password.hash.updated': { encodedHash: '$argon2id$third' },
      'user.human.profile.changed': { nickName: 'Countess' },
    })
    const draft = await world.draft('human')
    assert.deepEqual([draft.id, draft.createdAt, draft.changedAt], [ID, createdAt, world.now])
    assert.deepEqual(draft.profile, {
      firstName: 'Ada',
      lastName: 'Byron',
      displayName: 'Ada Byron',
      nickName: 'Countess',
      gender: 'female',
    })
    assert.deepEqual(draft.email, { address: `user-${ID}@example.com`, isVerified: true })
    assert.deepEqual(draft.phone, { number: '+41445551001', isVerified: false })
    const changedAt = createdAt + 2000
    assert.deepEqual(draft.password, { hash: '$argon2id$third', changeRequired: true, changedAt })
  })

  test('the older names of events and the older form of hashes mean the same', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const Crypted = Buffer.from('$2a$14$old').toString('base64')
    await world.add(user(ID), {
      'user.selfregistered': {
        userName: 'old',
        firstName: 'O',
        lastName: 'Ld',
        email: 'old@example.com',
        secret: { CryptoType: 1, Algorithm: 'bcrypt', KeyID: '', Crypted },
      },
      'user.email.verified': null,
    })
    const draft = await world.draft('human')
    assert.equal(draft.password?.hash, '$2a$14$old')
    assert.equal(draft.email?.isVerified, true)
  })

  test('factors arrive when they were verified, and the highest counter counts', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(ID)
    const verified = (id: string) => ({
      webAuthNTokenId: id,
      keyId: '+/+/',
      publicKey: 'AQ==',
      aaguid: Buffer.alloc(16).toString('base64'),
      signCount: 4,
      webAuthNTokenName: 'laptop',
    })
    await world.add(user(ID), {
      'user.human.mfa.otp.added': { otpSecret: world.seal('otpKey', 'JBSWY3DPEHPK3PXP') },
      'user.human.mfa.otp.verified': null,
      'user.human.passwordless.token.added': { webAuthNTokenId: 'p1', challenge: 'x' },
      'user.human.passwordless.token.verified': verified('p1'),
      'user.human.mfa.u2f.token.added': { webAuthNTokenId: 'u1', challenge: 'x', rpID: 'other.example' },
      'user.human.mfa.recoverycode.added': { codes: ['$2a$a', '$2a$b'] },
      'user.human.mfa.recoverycode.check.succeeded': { codeChecked: '$2a$a' },
      'user.human.mfa.otp.sms.added': null,
      'user.human.phone.removed': null,
    })
    const session = { type: 'session', id: 's1', owner: INSTANCE }
    await world.add(session, {
      'user.human.passwordless.token.signcount.changed': { webAuthNTokenId: 'p1', signCount: 9 },
    })
    const draft = await world.draft('human')
    assert.equal(draft.totpSecret, 'JBSWY3DPEHPK3PXP')
    assert.deepEqual(draft.recoveryCodes, [{ hash: '$2a$b' }])
    assert.equal(draft.otpSms, false)
    assert.equal(draft.passkeys.length, 1)
    const [passkey] = draft.passkeys
    assert.deepEqual(
      [passkey?.id, passkey?.use, passkey?.credentialId, passkey?.rpId, passkey?.signCount, passkey?.isBackupEligible],
      ['p1', 'passkey', '-_-_', 'peer.example', 9, undefined],
    )
  })

  test('a removed user is gone, and one that was added again under the same ID begins anew', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(ID, { encodedHash: '$2a$10$first' })
    await world.add(user(ID), { 'user.metadata.set': { key: 'a', value: 'YQ==' }, 'user.removed': null })
    assert.equal((await world.read()).drafts.filter(({ kind }) => kind === 'human' || kind === 'metadata').length, 0)
    await world.addHuman(ID)
    const draft = await world.draft('human')
    assert.equal(draft.password, undefined)
    assert.equal(draft.createdAt, world.now)
    assert.equal((await world.read()).drafts.filter(({ kind }) => kind === 'metadata').length, 0)
  })

  test('users go with their organization, without an event of their own', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add({ ...organization, id: 'o2', owner: 'o2' }, { 'org.added': { name: 'Second' } })
    await world.addHuman(ID, {}, 'o2')
    await world.add(instance, { 'instance.member.added': { userId: ID, roles: ['IAM_OWNER'] } })
    await world.add({ ...organization, id: 'o2', owner: 'o2' }, { 'org.removed': null })
    const kinds = (await world.read()).drafts.map(({ kind }) => kind)
    assert.equal(kinds.includes('human'), false)
    assert.equal(kinds.includes('administrator'), false)
    assert.equal(kinds.filter((kind) => kind === 'organization').length, 1)
  })

  test('a machine arrives with its secret, its tokens and keys that Node can read', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const labelled = Buffer.from(pem.replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY')).toString('base64')
    await world.add(user(ID), {
      'user.machine.added': { userName: 'robot', name: 'Robot', accessTokenType: 1 },
      'user.machine.secret.set': { hashedSecret: '$2a$04$secret' },
      'user.machine.key.added': { keyId: 'k1', type: 1, publicKey: labelled, expirationDate: '2099-01-01T00:00:00Z' },
      'user.pat.added': { tokenId: 't1', expiration: '2099-01-01T00:00:00Z', scopes: ['openid'] },
    })
    const draft = await world.draft('machine')
    assert.deepEqual([draft.userName, draft.accessTokenType, draft.secret], ['robot', 'jwt', { hash: '$2a$04$secret' }])
    assert.equal(draft.keys[0]?.publicKey, pem)
    assert.deepEqual(draft.tokens[0]?.id, 't1')
    const { remarks } = await world.read()
    assert.ok(remarks.some(({ kind, reason }) => kind === 'machine' && reason.includes('scopes of 1')))
  })
})
