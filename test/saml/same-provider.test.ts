/** The vendor of a product has one entity ID for all of its customers: nobody takes it from another organization. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { proveDomain } from '../support/proven-domain.ts'
import { addProvider, formOf, readResponse, signOn } from '../support/saml-world.ts'

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

for (const engine of engines) {
  suite(`a service provider of several organizations on ${engine.name}`, () => {
    let world: OpenIdWorld
    let other: string
    let ids: { readonly ada: string; readonly mallory: string }
    let vendors = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Next door' },
        world.owner,
      )
      other = organizationId
      await proveDomain(world, world.defaultOrganizationId, 'example.com')
      const ada = await world.addPerson('ada')
      const organisation = { org: { case: 'orgId', value: other } }
      ids = { ada, mallory: await world.addPerson('mallory', { organisation }) }
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** The product of a vendor, which the organization next door has registered before. */
    const product = async (given: Parameters<typeof addProvider>[1] = {}) => {
      const entityId = `https://vendor${++vendors}.example`
      const theirs = await addProvider(world, {
        entityId,
        projectId: await world.addProject({ organizationId: other }),
        ...given,
      })
      return { theirs, own: await addProvider(world, { entityId, ...given }) }
    }

    test('whoever registers it first sends nobody of another organization to an address of theirs', async () => {
      const { own } = await product()
      const page = await signOn(world, own, world.browser(), 'ada')
      assert.equal((await readResponse(own, page)).profile.UserID, ids.ada)
    })

    test('each organization has its own users there, whichever came first', async () => {
      const { theirs } = await product()
      const page = await signOn(world, theirs, world.browser(), 'mallory')
      assert.equal((await readResponse(theirs, page)).profile.UserID, ids.mallory)
    })

    test('a request that names no address goes where the application of the user is', async () => {
      const { theirs, own } = await product({ options: { disableRequestAcsUrl: true } })
      // The same request came, whoever sent it: the user decides.
      const page = await signOn(world, theirs, world.browser(), 'ada')
      assert.equal(formOf(page).action, `${own.home}/acs`)
      const browser = world.browser()
      await signOn(world, own, browser, 'ada')
      const again = await browser.open(await theirs.signOnUrl())
      assert.equal(formOf(again).action, `${own.home}/acs`)
    })

    test('a request by a form without an address is kept for each organization, too', async () => {
      const { theirs, own } = await product({
        options: { authnRequestBinding: 'HTTP-POST', disableRequestAcsUrl: true },
      })
      const browser = world.browser()
      const message = await theirs.sp.getAuthorizeMessageAsync('state', undefined, {})
      const form = new URLSearchParams(message as Record<string, string>)
      const page = await world.signIn(browser, await browser.submit(`${world.url}/saml/v2/SSO`, form), 'ada')
      assert.equal(formOf(page).action, `${own.home}/acs`)
    })

    test('a user who may use neither application, or several that are not of their organization, is sent nowhere', async () => {
      const entityId = `https://vendor${++vendors}.example`
      const options = { disableRequestAcsUrl: true }
      const closed = { organizationId: other, authorizationRequired: true }
      await addProvider(world, { entityId, options, projectId: await world.addProject(closed) })
      const own = await addProvider(world, {
        entityId,
        options,
        projectId: await world.addProject({ authorizationRequired: true }),
      })
      const page = await signOn(world, own, world.browser(), 'ada')
      assert.equal(page.status, 400)
      assert.doesNotMatch(page.text, /SAMLResponse/)
    })

    test('an address that only an administrator confirmed is not said where another organization was first', async () => {
      await world.addPerson('grace', {
        email: { email: 'grace@elsewhere.example', verification: { case: 'isVerified', value: true } },
      })
      const { own } = await product({ options: { identifierFormat: PERSISTENT } })
      const { profile } = await readResponse(own, await signOn(world, own, world.browser(), 'grace'))
      assert.equal(profile.Email, undefined)
      const alone = await addProvider(world, { options: { identifierFormat: PERSISTENT } })
      const known = await readResponse(alone, await signOn(world, alone, world.browser(), 'grace'))
      assert.equal(known.profile.Email, 'grace@elsewhere.example')
    })

    test('a logout ends the session that it names, in the application that it was opened for', async () => {
      const { own } = await product()
      const browser = world.browser()
      const { profile } = await readResponse(own, await signOn(world, own, browser, 'ada'))
      const away = await browser.open(await own.sp.getLogoutUrlAsync(profile, 'bye', {}))
      assert.ok(away.url.startsWith(`${own.home}/slo?`), away.url)
      assert.match((await browser.open(await own.signOnUrl())).url, /\/ui\/login/)
    })

    test('an address that another organization has for it is refused: assertions for it would be good there', async () => {
      const entityId = `https://vendor${++vendors}.example`
      const own = await addProvider(world, { entityId })
      const name = 'urn:oasis:names:tc:SAML:2.0'
      const services = [own.home, 'https://elsewhere.example']
        .map(
          (home, index) =>
            `<md:AssertionConsumerService xmlns:md="${name}:metadata" Binding="${name}:bindings:HTTP-POST" Location="${home}/acs" index="${index}"/>`,
        )
        .join('')
      const projectId = await world.addProject({ organizationId: other })
      await assert.rejects(addProvider(world, { entityId, projectId, parts: { services } }), {
        code: 'application.entity_id_taken',
      })
    })
  })
}
