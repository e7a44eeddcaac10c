/** Trusted transmitters: their tokens end sessions of users whom they may act on, and nothing else counts. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { SignJWT } from 'jose'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { WhenAccountDisabled } from '../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { UserState } from '../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { assertIdentityLink } from '../../src/features/identity-links/index.ts'
import { openWeb } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { isRefused } from '../support/small-world.ts'
import { type Body, CAEP, openSsfWorld, RISC, type SsfWorld } from '../support/ssf.ts'

const ISSUER = 'https://idp.partner.example'
const KEYS = `${ISSUER}/keys`
const AUDIENCE = 'https://id.example.com'
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const api = SignalService.method

interface Made {
  readonly header?: object
  readonly claims?: object
  readonly key?: KeyObject | Uint8Array
}

let count = 0
function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

for (const engine of engines) {
  suite(`trusted transmitters on ${engine.name}`, () => {
    let world: SsfWorld
    let idpId: string
    let otherIdpId: string
    let made: { transmitterId: string; endpoint: string; token: string }

    const provider = (name: string, issuer: string) => ({
      ...{ name, issuer, clientId: 'signet', clientSecret: 'secret', providerOptions: { isLinkingAllowed: true } },
    })
    const link = (userId: string, at: string, account: string) =>
      world.call(
        UserService.method.addIDPLink,
        { userId, idpLink: { idpId: at, userId: account, userName: account } },
        world.owner,
      )
    before(async () => {
      const web = openWeb()
      web.publish(KEYS, {
        keys: [
          { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec', alg: 'ES256', use: 'sig' },
          { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
        ],
      })
      world = await openSsfWorld(engine, web.fetchOutside)
      const { addGenericOIDCProvider } = AdminService.method
      idpId = (await world.call(addGenericOIDCProvider, provider('Partner', ISSUER), world.owner)).id
      const other = provider('Other', 'https://idp.other.example')
      otherIdpId = (await world.call(addGenericOIDCProvider, other, world.owner)).id
      const settings = { name: 'Partner', issuer: ISSUER, audience: AUDIENCE, jwksUri: KEYS, idpId }
      made = await world.call(api.createTrustedTransmitter, settings, world.owner)
      assert.match(made.token, /^[A-Za-z0-9]{64}$/)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const subject = (sub: string) => ({ format: 'iss_sub', iss: ISSUER, sub })
    const claimsFor = (sub: string, uri = `${CAEP}session-revoked`) => ({
      ...{ iss: ISSUER, aud: AUDIENCE, jti: `jti-${++count}`, iat: seconds(), sub_id: subject(sub) },
      events: { [uri]: {} },
    })
    const sign = ({ header = {}, claims = {}, key = ec.privateKey }: Made) =>
      new SignJWT(claims as Body)
        .setProtectedHeader({ alg: 'ES256', kid: 'ec', typ: 'secevent+jwt', ...header })
        .sign(key as KeyObject)
    const send = (body: string, { token = made.token, endpoint = made.endpoint, headers = {} } = {}) =>
      fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/secevent+jwt', authorization: `Bearer ${token}`, ...headers },
        body,
      })
    const addLinked = async (name: string, at = idpId) => {
      const userId = await world.addPerson(name)
      await link(userId, at, `account-of-${name}`)
      return { userId, sessionId: await world.addSession(userId) }
    }
    const isOpen = async (sessionId: string) => {
      const types = ['session.ended.v1']
      return (await world.store.events({ kinds: ['session'], id: sessionId, types, limit: 1 })).length === 0
    }
    const stateOf = async (userId: string) =>
      (await world.call(UserService.method.getUserByID, { userId }, world.owner)).user?.state

    test('end the sessions of a linked user, and the log names them', async () => {
      const ada = await addLinked('ada')
      const bob = await addLinked('bob')
      const reply = await send(await sign({ claims: claimsFor('account-of-ada') }))
      assert.deepEqual([reply.status, await reply.text()], [202, ''])
      assert.deepEqual([await isOpen(ada.sessionId), await isOpen(bob.sessionId)], [false, true])
      const [ended] = await world.store.events({ kinds: ['session'], id: ada.sessionId, descending: true, limit: 1 })
      assert.deepEqual(ended?.actor, { transmitter: made.transmitterId })
      const types = ['trusted_transmitter.signal_applied.v1']
      const [applied] = await world.store.events({ kinds: ['trusted-transmitter'], types, limit: 1 })
      assert.ok(applied)
      const { jti, ...rest } = applied.data as Body
      assert.match(jti, /^jti-/)
      assert.deepEqual(rest, { signal: 'session-revoked', userId: ada.userId, isDeactivated: false })
      assert.equal(await stateOf(ada.userId), UserState.ACTIVE)
    })

    test('a complex subject and a key without a named algorithm count, too', async () => {
      const { sessionId } = await addLinked('eve')
      const sub_id = { format: 'complex', user: subject('account-of-eve'), session: { format: 'opaque', id: '1' } }
      const claims = { ...claimsFor('x'), aud: ['https://other.example', AUDIENCE], sub_id }
      const body = await sign({ claims, header: { alg: 'PS256', kid: 'rsa' }, key: rsa.privateKey })
      assert.equal((await send(body)).status, 202)
      assert.equal(await isOpen(sessionId), false)
    })

    test('forged, foreign and broken tokens have no effect', async () => {
      const { sessionId } = await addLinked('mallory')
      await addLinked('other', otherIdpId)
      const good = claimsFor('account-of-mallory')
      const { iat: _, ...withoutIat } = good
      const { jti: __, ...withoutJti } = good
      const { sub_id: ___, ...withoutSubject } = good
      const { events: ____, ...withoutEvents } = good
      const pem = ec.publicKey.export({ type: 'spki', format: 'pem' })
      const unsigned = (header: object) => `${encode({ typ: 'secevent+jwt', kid: 'ec', ...header })}.${encode(good)}`
      const hs256 = unsigned({ alg: 'HS256' })
      const mac = createHmac('sha256', pem).update(hs256).digest('base64url')
      const valid = await sign({ claims: good })
      const [head = '', body = '', signature = ''] = valid.split('.')
      const changed = encode({ ...good, sub_id: subject('account-of-bob') })
      const signed = (claims: object) => sign({ claims })
      const cases: [string, string, string][] = [
        ['not a JWT', 'hello', 'invalid_request'],
        ['empty', '', 'invalid_request'],
        ['two parts', `${head}.${body}`, 'invalid_request'],
        ['a JSON object', JSON.stringify(good), 'invalid_request'],
        ['wrong typ', await sign({ claims: good, header: { typ: 'JWT' } }), 'invalid_request'],
        ['no typ', await sign({ claims: good, header: { typ: undefined } }), 'invalid_request'],
        ['alg none', `${unsigned({ alg: 'none' })}.`, 'invalid_key'],
        ['HS256 with the public key', `${hs256}.${mac}`, 'invalid_key'],
        ['no kid', await sign({ claims: good, header: { kid: undefined } }), 'invalid_key'],
        ['unknown kid', await sign({ claims: good, header: { kid: 'new' } }), 'invalid_key'],
        ['key of a stranger', await sign({ claims: good, key: stranger.privateKey }), 'invalid_key'],
        ['algorithm of another key', await sign({ claims: good, header: { kid: 'rsa' } }), 'invalid_key'],
        ['changed claims', `${head}.${changed}.${signature}`, 'invalid_key'],
        ['no signature', `${head}.${body}.`, 'invalid_key'],
        ['wrong iss', await signed({ ...good, iss: 'https://idp.other.example' }), 'invalid_issuer'],
        ['wrong aud', await signed({ ...good, aud: 'https://other.example' }), 'invalid_audience'],
        ['no aud', await signed({ ...good, aud: undefined }), 'invalid_audience'],
        ['in the future', await signed({ ...good, iat: seconds() + 600 }), 'invalid_request'],
        ['older than a week', await signed({ ...good, iat: seconds() - 8 * 86_400 }), 'invalid_request'],
        ['no iat', await signed(withoutIat), 'invalid_request'],
        ['with exp', await signed({ ...good, exp: seconds() + 600 }), 'invalid_request'],
        ['an ID token', await signed({ ...good, sub: 'account-of-mallory' }), 'invalid_request'],
        ['no jti', await signed(withoutJti), 'invalid_request'],
        ['long jti', await signed({ ...good, jti: 'j'.repeat(501) }), 'invalid_request'],
        ['no event', await signed(withoutEvents), 'invalid_request'],
        ['two events', await signed({ ...good, events: { a: {}, b: {} } }), 'invalid_request'],
        ['no subject', await signed(withoutSubject), 'invalid_request'],
        ['an address', await signed({ ...good, sub_id: { format: 'email', email: 'a@b.c' } }), 'invalid_request'],
        [
          'subject of another provider',
          await signed({ ...good, sub_id: { ...subject('account-of-other'), iss: 'https://idp.other.example' } }),
          'invalid_request',
        ],
        [
          'nested subjects',
          await signed({ ...good, sub_id: { format: 'complex', user: { format: 'complex', user: good.sub_id } } }),
          'invalid_request',
        ],
      ]
      for (const [name, text, err] of cases) {
        const reply = await send(text)
        assert.deepEqual([reply.status, ((await reply.json()) as Body).err], [400, err], name)
      }
      const huge = await send(`${valid}${'A'.repeat(70_000)}`)
      assert.equal(huge.status, 413)
      assert.equal((await send(valid, { headers: { 'content-type': 'application/jwt' } })).status, 400)
      for (const sender of [{ token: 'wrong' }, { token: '' }, { endpoint: `${made.endpoint}0` }]) {
        const reply = await send(valid, sender)
        assert.deepEqual([reply.status, ((await reply.json()) as Body).err], [401, 'authentication_failed'])
      }
      assert.equal((await fetch(made.endpoint)).status, 405)
      assert.equal(await isOpen(sessionId), true)
    })

    test('what is about nobody here, of another type, or came before, is accepted and has no effect', async () => {
      const { userId, sessionId } = await addLinked('twice')
      const ofOther = await addLinked('elsewhere', otherIdpId)
      for (const claims of [
        claimsFor('account-of-nobody'),
        claimsFor(userId),
        // An account at another provider is not one at this.
        claimsFor('account-of-elsewhere'),
        claimsFor('account-of-twice', `${CAEP}token-claims-change`),
        claimsFor('account-of-twice', 'https://schemas.openid.net/secevent/ssf/event-type/verification'),
      ]) {
        assert.equal((await send(await sign({ claims }))).status, 202)
      }
      assert.deepEqual([await isOpen(sessionId), await isOpen(ofOther.sessionId)], [true, true])
      const body = await sign({ claims: claimsFor('account-of-twice') })
      assert.equal((await send(body)).status, 202)
      assert.equal(await isOpen(sessionId), false)
      const next = await world.addSession(userId)
      const replies = await Promise.all([send(body), send(body), send(body)])
      assert.deepEqual(
        replies.map(({ status }) => status),
        [202, 202, 202],
      )
      assert.equal(await isOpen(next), true)
    })

    test('one that is paused has no effect until it is resumed, and can send its tokens again', async () => {
      const { sessionId } = await addLinked('patient')
      const { transmitterId } = made
      const pause = (paused: boolean) =>
        world.call(api.updateTrustedTransmitter, { transmitterId, paused }, world.owner)
      const isPaused = async () =>
        (await world.call(api.listTrustedTransmitters, {}, world.owner)).transmitters.map(({ paused }) => paused)
      const body = await sign({ claims: claimsFor('account-of-patient') })
      await pause(true)
      const refused = await send(body)
      assert.deepEqual([refused.status, ((await refused.json()) as Body).err], [400, 'access_denied'])
      assert.equal(await isOpen(sessionId), true)
      assert.deepEqual(await isPaused(), [true])
      await pause(false)
      assert.deepEqual(await isPaused(), [false])
      const [before] = await world.store.events({ descending: true, limit: 1 })
      await pause(false)
      assert.deepEqual(await world.store.events({ from: before?.sequence ?? 0, limit: 10 }), [])
      assert.equal((await send(body)).status, 202)
      assert.equal(await isOpen(sessionId), false)
    })

    test('a disabled account is deactivated where that is set, but never an administrator', async () => {
      const [ada, admin] = [await addLinked('leaver'), await addLinked('chief')]
      const disabled = async (name: string) =>
        send(await sign({ claims: claimsFor(`account-of-${name}`, `${RISC}account-disabled`) }))
      await disabled('leaver')
      assert.deepEqual([await isOpen(ada.sessionId), await stateOf(ada.userId)], [false, UserState.ACTIVE])
      const { transmitterId } = made
      const whenAccountDisabled = WhenAccountDisabled.DEACTIVATE
      await world.call(api.updateTrustedTransmitter, { transmitterId, whenAccountDisabled }, world.owner)
      const resource = { resource: { case: 'organizationId', value: world.defaultOrganizationId } } as const
      const { createAdministrator } = InternalPermissionService.method
      await world.call(createAdministrator, { userId: admin.userId, resource, roles: ['ORG_OWNER'] }, world.owner)
      for (const name of ['leaver', 'chief']) assert.equal((await disabled(name)).status, 202)
      assert.equal(await stateOf(ada.userId), UserState.INACTIVE)
      assert.deepEqual([await isOpen(admin.sessionId), await stateOf(admin.userId)], [false, UserState.ACTIVE])
    })

    test('one of an organization acts on its users only, and not on those above it', async () => {
      const organizationId = await world.addOrganization('North')
      const inNorth = { ...world.owner, organizationId }
      const v1 = ManagementService.method
      const { id } = await world.call(v1.addGenericOIDCProvider, provider('Ours', ISSUER), inNorth)
      const settings = { name: 'Ours', issuer: ISSUER, audience: AUDIENCE, jwksUri: KEYS, organizationId }
      const create = (at: string) => world.call(api.createTrustedTransmitter, { ...settings, idpId: at }, world.owner)
      await isRefused(create(idpId), 'trusted_transmitter.provider_not_found')
      const ours = await create(id)
      const addIn = async (home: string, name: string) => {
        const human = { profile: { firstName: 'A', lastName: 'B' }, email: { email: `${name}@example.com` } }
        const organisation = { org: { case: 'orgId', value: home } } as const
        const { userId } = await world.call(
          UserService.method.addHumanUser,
          { username: name, organisation, ...human } as Body,
          world.owner,
        )
        // The API links nobody of another organization.
        const account = { userId, idpId: id, externalUserId: `account-of-${name}`, externalUserName: name }
        await world.store.write(world.origin(), (work) =>
          assertIdentityLink(world.app, work, account, home, 'instance'),
        )
        return { userId, sessionId: await world.addSession(userId) }
      }
      const inside = await addIn(organizationId, 'in-north')
      const outside = await addIn(world.defaultOrganizationId, 'out')
      const above = await addIn(organizationId, 'above')
      const resource = { resource: { case: 'instance', value: true } } as const
      const { createAdministrator } = InternalPermissionService.method
      await world.call(createAdministrator, { userId: above.userId, resource, roles: ['IAM_OWNER'] }, world.owner)
      for (const name of ['in-north', 'out', 'above']) {
        const body = await sign({ claims: claimsFor(`account-of-${name}`) })
        assert.equal((await send(body, ours)).status, 202)
      }
      const open = await Promise.all([inside, outside, above].map(({ sessionId }) => isOpen(sessionId)))
      assert.deepEqual(open, [false, true, true])

      const { transmitterId } = ours
      const foreign = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      await isRefused(world.call(api.deleteTrustedTransmitter, { transmitterId }, foreign.request), 'access.forbidden')
      const seen = await world.call(api.listTrustedTransmitters, {}, foreign.request)
      assert.deepEqual(seen.transmitters, [])
      const all = await world.call(api.listTrustedTransmitters, {}, world.owner)
      assert.deepEqual(all.transmitters.map(({ name }) => name).sort(), ['Ours', 'Partner'])
      await world.call(api.deleteTrustedTransmitter, { transmitterId }, world.owner)
      assert.equal((await send(await sign({ claims: claimsFor('account-of-in-north') }), ours)).status, 401)
    })
  })
}
