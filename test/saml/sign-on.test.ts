/** Service providers sign users in and out, with another implementation of SAML. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ValidateInResponseTo } from '@node-saml/node-saml'
import { SAMLAttributeSource } from '../../contract/gen/signet/application/v2/saml_pb.ts'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { projectRoles } from '../../src/features/projects/index.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { addProvider, formOf, readResponse, SP_CERTIFICATE, SP_KEY, signOn } from '../support/saml-world.ts'

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

for (const engine of engines) {
  suite(`SAML on ${engine.name}`, () => {
    let world: OpenIdWorld
    let userId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      userId = await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('a user signs in by an address, and the service provider reads who it is', async () => {
      const provider = await addProvider(world)
      const browser = world.browser()
      const page = await signOn(world, provider, browser, 'ada', 'the state & more')
      const { profile, relayState } = await readResponse(provider, page)
      assert.equal(relayState, 'the state & more')
      assert.equal(profile.nameIDFormat, EMAIL)
      assert.match(profile.nameID, /@/)
      assert.equal(profile.UserID, userId)
      assert.equal(profile.UserName, 'ada')
      assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'sha256-/)
      // Who is signed in is not asked again.
      const again = await browser.open(await provider.signOnUrl())
      assert.equal((await readResponse(provider, again)).profile.UserID, userId)
      // A page that was shown cannot be asked for once more.
      assert.equal((await browser.open(page.url)).status, 400)
    })

    test('a user signs in by a form, with attributes and a name as the application asks for', async () => {
      const attributes = {
        items: [
          { name: 'mail', source: SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_EMAIL },
          { name: 'org', source: SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ORGANIZATION_ID },
        ],
      }
      const provider = await addProvider(world, {
        config: { attributes },
        options: { identifierFormat: PERSISTENT, authnRequestBinding: 'HTTP-POST' },
      })
      const message = await provider.sp.getAuthorizeMessageAsync('state', undefined, {})
      const browser = world.browser()
      const form = new URLSearchParams(message as Record<string, string>)
      const page = await world.signIn(browser, await browser.submit(`${world.url}/saml/v2/SSO`, form), 'ada')
      const { profile } = await readResponse(provider, page)
      assert.equal(profile.nameID, userId)
      assert.equal(profile.org, world.defaultOrganizationId)
      assert.equal(profile.UserID, undefined)
    })

    test('attributes that would make the response too large are cut, and the response says which', async () => {
      const projectId = await world.addProject()
      const roleKeys = Array.from({ length: 400 }, (_, index) => `role-${index}-`.padEnd(200, 'x'))
      await world.store.write(world.origin(), async (work) => {
        for (const key of roleKeys) {
          const texts = { displayName: key, group: '', addedAt: work.origin.at }
          const role = { type: 'add', projectId, key, ...texts } as const
          await work.decide(projectRoles, `${projectId} ${key}`, role, world.defaultOrganizationId)
        }
      })
      const given = { userId, projectId, organizationId: world.defaultOrganizationId, roleKeys }
      await world.call(AuthorizationService.method.createAuthorization, given, world.owner)
      const items = [
        { name: 'roles', source: SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ROLES },
        { name: 'id', source: SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_USER_ID },
      ]
      const provider = await addProvider(world, { projectId, config: { attributes: { items } } })
      const page = await signOn(world, provider, world.browser(), 'ada')
      const { profile } = await readResponse(provider, page)
      const said = profile.roles as readonly string[]
      assert.ok(said.length > 300 && said.length < 400, `${said.length} roles`)
      assert.equal(profile.id, userId)
      assert.equal(profile['urn:signet:left_out'], 'roles')
    })

    test('an assertion is encrypted where the metadata have a key', async () => {
      const provider = await addProvider(world, {
        parts: { encryption: SP_CERTIFICATE },
        options: { decryptionPvk: SP_KEY },
      })
      const page = await signOn(world, provider, world.browser(), 'ada')
      const xml = Buffer.from(formOf(page).fields.SAMLResponse ?? '', 'base64').toString()
      assert.match(xml, /EncryptedAssertion/)
      assert.ok(!xml.includes(userId))
      assert.equal((await readResponse(provider, page)).profile.UserID, userId)
    })

    test('a passive request is answered without a page, a forced one asks again', async () => {
      const passive = await addProvider(world, { options: { passive: true } })
      const nobody = await world.browser().open(await passive.signOnUrl())
      assert.match(Buffer.from(formOf(nobody).fields.SAMLResponse ?? '', 'base64').toString(), /status:NoPassive/)
      const browser = world.browser()
      const plain = await addProvider(world)
      await signOn(world, plain, browser, 'ada')
      const quiet = await browser.open(await passive.signOnUrl())
      assert.equal((await readResponse(passive, quiet)).profile.UserID, userId)
      const forced = await addProvider(world, { options: { forceAuthn: true } })
      const asked = await browser.open(await forced.signOnUrl())
      assert.match(asked.url, /\/ui\/login/)
      const page = await world.signIn(browser, asked, 'ada')
      assert.equal((await readResponse(forced, page)).profile.UserID, userId)
    })

    test('a level that the sign-in does not reach, and a user without access, are told to the service provider', async () => {
      const two = await addProvider(world, { options: { authnContext: ['https://refeds.org/profile/mfa'] } })
      const low = await signOn(world, two, world.browser(), 'ada')
      assert.match(Buffer.from(formOf(low).fields.SAMLResponse ?? '', 'base64').toString(), /status:NoAuthnContext/)
      const unknown = await addProvider(world, { options: { authnContext: ['urn:none'] } })
      const none = await world.browser().open(await unknown.signOnUrl())
      assert.match(Buffer.from(formOf(none).fields.SAMLResponse ?? '', 'base64').toString(), /status:NoAuthnContext/)
      const projectId = await world.addProject({ authorizationRequired: true })
      const closed = await addProvider(world, { projectId })
      const denied = await signOn(world, closed, world.browser(), 'ada')
      assert.match(Buffer.from(formOf(denied).fields.SAMLResponse ?? '', 'base64').toString(), /status:RequestDenied/)
      await assert.rejects(closed.sp.validatePostResponseAsync(formOf(denied).fields), /has no access/)
    })

    test('users begin here only where the application allows it', async () => {
      const closed = await addProvider(world)
      assert.equal((await world.browser().open(`${world.url}/saml/v2/start/${closed.applicationId}`)).status, 404)
      const open = await addProvider(world, {
        config: { allowUnsolicited: true },
        options: { validateInResponseTo: ValidateInResponseTo.never },
      })
      const browser = world.browser()
      const page = await world.signIn(
        browser,
        await browser.open(`${world.url}/saml/v2/start/${open.applicationId}`),
        'ada',
      )
      assert.equal((await readResponse(open, page)).profile.UserID, userId)
    })

    test('a service provider logs a user out: the session has ended, and it is told so', async () => {
      const provider = await addProvider(world)
      const browser = world.browser()
      const { profile } = await readResponse(provider, await signOn(world, provider, browser, 'ada'))
      const away = await browser.open(await provider.sp.getLogoutUrlAsync(profile, 'bye', {}))
      const url = new URL(away.url)
      assert.equal(`${url.origin}${url.pathname}`, `${provider.entityId}/slo`)
      assert.equal(url.searchParams.get('RelayState'), 'bye')
      const { loggedOut } = await provider.sp.validateRedirectAsync(
        Object.fromEntries(url.searchParams),
        url.search.slice(1),
      )
      assert.equal(loggedOut, true)
      // Also a browser that kept its cookie must sign in again.
      const asked = await browser.open(await provider.signOnUrl())
      assert.match(asked.url, /\/ui\/login/)
    })
  })
}
