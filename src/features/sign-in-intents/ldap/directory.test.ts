/** Sign-ins with accounts of a real OpenLDAP, through the API. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { AddLDAPProviderRequest } from '../../../../contract/gen/signet/management/v1/ldap_provider_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Canary, openCanary } from '../../../../test/support/canary.ts'
import { engines } from '../../../../test/support/engines.ts'
import { BASE, hasOpenLdap, type OpenLdap, openLdap, READER } from '../../../../test/support/open-ldap.ts'
import { FAILURE, openProviderWorld, type ProviderWorld, SUCCESS } from '../../../../test/support/parts/providers.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { answerWithCredentials } from '../handlers/sign-in-with-credentials.ts'

type Given = Partial<
  Pick<AddLDAPProviderRequest, 'servers' | 'startTls' | 'rootCa' | 'baseDn' | 'bindPassword'> & {
    timeout: { seconds?: bigint; nanos?: number }
  }
>

const BOSS = { bearer: 'boss' }
const ATTRIBUTES = {
  idAttribute: 'entryUUID',
  firstNameAttribute: 'givenName',
  lastNameAttribute: 'sn',
  preferredUsernameAttribute: 'uid',
  emailAttribute: 'mail',
  emailVerifiedAttribute: 'employeeType',
}

const skip = hasOpenLdap ? false : 'OpenLDAP is not installed (Debian: apt-get install slapd)'

for (const engine of engines) {
  suite(`a sign-in with an LDAP directory, on ${engine.name}`, { skip }, () => {
    let ldap: OpenLdap
    /** Where the directory refers to. */
    let elsewhere: Canary
    let world: ProviderWorld
    let count = 0

    before(async () => {
      elsewhere = await openCanary()
      ldap = await openLdap(`ldap://127.0.0.1:${elsewhere.port}`)
      world = await openProviderWorld({ engine, timeoutMilliseconds: 5000 })
    })
    after(async () => {
      await world.dispose()
      elsewhere.close()
      await ldap.close()
    })

    const secure = () => `ldaps://localhost:${ldap.securePort}`
    const plain = () => `ldap://localhost:${ldap.plainPort}`
    const add = async (others: Given = {}) => {
      const request = {
        name: `Directory ${++count}`,
        servers: [secure()],
        rootCa: Buffer.from(ldap.ca),
        baseDn: BASE,
        bindDn: READER.dn,
        bindPassword: READER.password,
        userObjectClasses: ['inetOrgPerson'],
        userFilters: ['uid', 'mail'],
        attributes: ATTRIBUTES,
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
        ...others,
      }
      return (await world.call(ManagementService.method.addLDAPProvider, request, BOSS)).id
    }
    const enter = async (idpId: string, username: string, password: string) => {
      const content = { case: 'ldap', value: { username, password } } as const
      const reply = await world.call(UserService.method.startIdentityProviderIntent, { idpId, content }, BOSS)
      return reply.nextStep.case === 'idpIntent' ? reply.nextStep.value : assert.fail()
    }
    const lastReason = async () => {
      const failed = await world.store.events({ kinds: ['intent'], limit: 10_000 })
      return failed.filter(({ type }) => type === 'intent.failed.v1').at(-1)?.data
    }
    const failsAs = async (idpId: string, reason: string, name = 'ada', password = 'canary-ada-password') => {
      const code = reason === 'credentials_wrong' ? 'intent.credentials_wrong' : 'intent.provider_failed'
      await isRefused(enter(idpId, name, password), code)
      assert.deepEqual(await lastReason(), { idpId, reason })
    }

    test('succeeds at once with the right password, by ldaps and StartTLS, adds the user and keeps no password', async () => {
      const idpId = await add()
      const { idpIntentId, idpIntentToken, userId } = await enter(idpId, 'ada', 'canary-ada-password')
      assert.notEqual(userId, '')
      const { idpInformation } = await world.retrieve(idpIntentId, idpIntentToken)
      assert.ok(idpInformation?.access.case === 'ldap')
      assert.deepEqual(idpInformation.access.value.attributes?.mail, ['ada@example.com'])
      const { emailVerified, firstName, email } = idpInformation.rawInformation ?? {}
      assert.deepEqual(
        { emailVerified, firstName, email },
        { emailVerified: true, firstName: 'Ada', email: 'ada@example.com' },
      )
      assert.equal(idpInformation.userName, 'ada')
      assert.equal((await enter(idpId, 'ada@example.com', 'canary-ada-password')).userId, userId)
      await enter(await add({ servers: [plain()], startTls: true }), 'ada', 'canary-ada-password')
      const log = JSON.stringify(await world.store.events({ limit: 10_000 }))
      for (const secret of ['canary-ada-password', READER.password, idpIntentToken]) assert.ok(!log.includes(secret))
      const shown = await world.call(ManagementService.method.getProviderByID, { id: idpId }, BOSS)
      assert.ok(shown.idp?.config?.config.case === 'ldap')
      assert.deepEqual([...shown.idp.config.config.value.servers], [secure()])
    })

    test('fails alike for wrong, empty and foreign passwords, unknown and ambiguous names, and injected filters', async () => {
      const idpId = await add()
      await failsAs(idpId, 'credentials_wrong', 'ada', 'wrong')
      await failsAs(idpId, 'credentials_wrong', 'ada', 'bob-password')
      await failsAs(idpId, 'credentials_wrong', 'nobody', 'canary-ada-password')
      await failsAs(idpId, 'credentials_wrong', 'shared@example.com', 'bob-password')
      await failsAs(idpId, 'credentials_wrong', 'nopass', 'x')
      for (const name of [
        '*',
        'ad*',
        'ada)(uid=*',
        '*)(uid=ada',
        'ada\0',
        '\\61da',
        'ada)(|(uid=*))',
        'x)(|(uid=ada)',
      ]) {
        await failsAs(idpId, 'credentials_wrong', name)
      }
      // The server accepts binds without a password, as many do.
      const started = await world.start(idpId)
      const visit = { state: started.state, browser: undefined }
      assert.deepEqual(await answerWithCredentials(world.app, visit, { userName: 'ada', password: '' }), {
        type: 'wrong',
      })
    })

    test('counts wrong passwords for the entry that is found, whatever it is called', async () => {
      const idpId = await add()
      const names = ['ada', 'ada@example.com']
      for (let count = 0; count < 10; count++) {
        await failsAs(idpId, 'credentials_wrong', names[count % 2], `wrong ${count}`)
      }
      for (const name of names) await isRefused(enter(idpId, name, 'canary-ada-password'), 'attempts.too_many')
      await enter(await add(), 'ada', 'canary-ada-password')
    })

    test('needs a certificate of the known authority for the name of the server', async () => {
      for (const [servers, startTls] of [
        [[secure()], false],
        [[plain()], true],
      ] as const) {
        await failsAs(await add({ servers: [...servers], startTls, rootCa: new Uint8Array() }), 'unreachable')
        await failsAs(await add({ servers: [...servers], startTls, rootCa: Buffer.from(ldap.otherCa) }), 'unreachable')
      }
      await failsAs(await add({ servers: [`ldaps://127.0.0.1:${ldap.securePort}`] }), 'unreachable')
    })

    test('asks the next server when one does not answer, and no other after an answer', async (t) => {
      const silent = await openCanary()
      t.after(() => silent.close())
      await enter(
        await add({ servers: ['ldap://127.0.0.1:1', secure()], startTls: true }),
        'ada',
        'canary-ada-password',
      )
      const next = `ldap://127.0.0.1:${silent.port}`
      await failsAs(await add({ servers: [secure(), next], startTls: true }), 'credentials_wrong', 'ada', 'wrong')
      assert.equal(silent.connections(), 0)
      await failsAs(await add({ bindPassword: 'wrong' }), 'provider_error')
    })

    test('leaves a server that is silent after the time that was set, and asks the next one', async (t) => {
      const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
      t.after(() => silent.close())
      await once(silent, 'listening')
      const server = `ldap://127.0.0.1:${(silent.address() as AddressInfo).port}`
      const timeout = { nanos: 200_000_000 }
      await failsAs(await add({ servers: [server], startTls: true, timeout }), 'too_slow')
      const both = { servers: [server, plain()], startTls: true, timeout: { seconds: 1n } }
      await enter(await add(both), 'ada', 'canary-ada-password')
    })

    test('follows no referral: neither one among the entries that are found, nor one instead of them', async () => {
      // A search from the top comes upon it, as in the other tests.
      await enter(await add(), 'ada', 'canary-ada-password')
      await failsAs(await add({ baseDn: `ou=elsewhere,${BASE}` }), 'provider_error')
      assert.equal(elsewhere.connections(), 0)
    })

    test('slows down guessing of one name at one provider, and counts no outage', async () => {
      const idpId = await add()
      for (let n = 0; n < 10; n++) await failsAs(idpId, 'credentials_wrong', 'ada', `guess ${n}`)
      await isRefused(enter(idpId, ' ADA', 'canary-ada-password'), 'attempts.too_many')
      await enter(await add(), 'ada', 'canary-ada-password')
      const broken = await add({ bindPassword: 'wrong' })
      for (let n = 0; n < 11; n++) await failsAs(broken, 'provider_error')
    })

    test('continues on our page, where a wrong password can be typed again and the answer counts once', async () => {
      const idpId = await add()
      const { authUrl, state } = await world.start(idpId)
      assert.equal(new URL(authUrl).pathname, '/ui/login/directory')
      const visit = { state, browser: undefined }
      const answer = (password: string) => answerWithCredentials(world.app, visit, { userName: 'ada', password })
      assert.deepEqual(await answer('wrong'), { type: 'wrong' })
      const done = await answer('canary-ada-password')
      assert.ok(done.type === 'redirect' && done.url.startsWith(SUCCESS) && !done.url.startsWith(FAILURE))
      assert.deepEqual(await answer('canary-ada-password'), { type: 'unknown' })
      const other = await world.start(idpId)
      const code = await world.finishAt(new URLSearchParams({ state: other.state, code: 'x' }))
      assert.equal(code.searchParams.get('error'), 'sign_in_failed')
    })
  })
}

suite('the address of an LDAP directory', () => {
  test('is public unless the operator allows the private network; without TLS it is private', async (t) => {
    const canary = await openCanary()
    t.after(() => canary.close())
    const { checkDirectory } = await import('./directory.ts')
    const world = await openProviderWorld()
    t.after(() => world.dispose())
    const fails = (url: string, allowsPrivateNetwork: boolean, startTls: boolean) => {
      const app = { ...world.app, config: { ...world.app.config, allowsPrivateNetwork } }
      const connection = {
        ...({ protocol: 'ldap', servers: [url], startTls, baseDn: BASE, bindDn: READER.dn, userBase: '' } as const),
        ...{ userObjectClasses: ['person'], userFilters: ['uid'], timeoutMs: 500, attributes: {} },
      }
      const asked = { connection, bindPassword: 'x', userName: 'ada', password: 'x' }
      return assert.rejects(checkDirectory(app, asked), { reason: 'address_forbidden' }, url)
    }
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]', '169.254.169.254']) {
      for (const startTls of [true, false]) await fails(`ldap://${host}:${canary.port}`, false, startTls)
      await fails(`ldaps://${host}:${canary.port}`, false, false)
    }
    await fails(`ldap://169.254.169.254:${canary.port}`, true, true)
    await fails('ldap://1.1.1.1', true, false)
    assert.equal(canary.connections(), 0)
  })
})
