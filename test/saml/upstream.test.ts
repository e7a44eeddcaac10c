/** Users of one Signet sign in to another with SAML, by address and by form, with the hosted pages and with pages of others. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { SAMLBinding, SAMLNameIDFormat, SAMLSignatureAlgorithm } from '../../contract/gen/signet/idp/v1/config_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../support/engines.ts'
import { told } from '../support/openid-pages.ts'
import { type Browser, type OpenIdWorld, openOpenIdWorld, type Stop } from '../support/openid-world.ts'
import { formOf } from '../support/saml-world.ts'
import { isRefused } from '../support/small-world.ts'

const OPTIONS = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: true,
  isAutoUpdate: true,
  autoLinking: 0,
}
const URLS = { successUrl: 'http://localhost/in', failureUrl: 'http://localhost/no' }

for (const engine of engines) {
  suite(`sign-in with SAML at another Signet on ${engine.name}`, () => {
    let upstream: OpenIdWorld
    let world: OpenIdWorld
    let upstreamId: string
    let count = 0

    before(async () => {
      upstream = await openOpenIdWorld({ engine })
      world = await openOpenIdWorld({ engine })
      upstreamId = await upstream.addPerson('ada')
    })
    after(async () => {
      await Promise.all([upstream.dispose(), world.dispose()])
      assert.deepEqual([...upstream.faults, ...world.faults], [])
    })

    /** Adds the one as a provider of the other, each by the metadata of the other. */
    const connect = async (settings: object = {}) => {
      const metadata = await (await fetch(`${upstream.url}/saml/v2/metadata`)).text()
      const given = {
        name: `Upstream ${++count}`,
        metadata: { case: 'metadataXml', value: Buffer.from(metadata) },
        withSignedRequest: true,
        providerOptions: OPTIONS,
        ...settings,
      } as never
      const { id } = await world.call(AdminService.method.addSAMLProvider, given, world.owner)
      const own = await fetch(`${world.url}/idps/${id}/saml/metadata`)
      assert.equal(own.headers.get('content-type'), 'application/samlmetadata+xml')
      const value = { metadata: { case: 'metadataXml', value: Buffer.from(await own.text()) } }
      const application = {
        projectId: await upstream.addProject(),
        name: id,
        applicationType: { case: 'samlConfiguration', value },
      }
      await upstream.call(ApplicationService.method.createApplication, application as never, upstream.owner)
      return id
    }
    const start = (idpId: string) =>
      world.call(
        UserService.method.startIdentityProviderIntent,
        { idpId, content: { case: 'urls', value: URLS } } as never,
        world.owner,
      )
    const retrieve = (stop: Stop) => {
      const { searchParams } = new URL(stop.url)
      const [idpIntentId = '', idpIntentToken = ''] = ['id', 'token'].map((name) => searchParams.get(name) ?? '')
      return world.call(UserService.method.retrieveIdentityProviderIntent, { idpIntentId, idpIntentToken }, world.owner)
    }
    /** Signs in there, and brings the response back. */
    const answer = async (page: Stop, browser: Browser, there: Browser) => {
      const { action, fields } = formOf(await upstream.signIn(there, page, 'ada'))
      return browser.submit(action, new URLSearchParams(fields))
    }

    test('a person signs in on the hosted pages, and is added with name and address', async () => {
      await connect()
      const browser = world.browser()
      const page = await browser.open(`${world.url}/ui/login`)
      const link = /href="([^"]*ui\/login\/provider[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const there = upstream.browser()
      const asked = await there.open((await browser.open(new URL(link, world.url).href)).url)
      const account = await answer(asked, browser, there)
      assert.equal(new URL(account.url).pathname, '/ui/account', told(account))
      assert.match(told(account), /ada@/)
      // Another browser of the same person finds the same user.
      const again = world.browser()
      const elsewhere = upstream.browser()
      const second = await elsewhere.open((await again.open(new URL(link, world.url).href)).url)
      const { action, fields } = formOf(await upstream.signIn(elsewhere, second, 'ada'))
      const stranger = await world.browser().submit(action, new URLSearchParams(fields))
      assert.notEqual(new URL(stranger.url).pathname, '/ui/account', 'a browser that did not start the sign-in has it')
      const third = await elsewhere.open((await again.open(new URL(link, world.url).href)).url)
      const { fields: others } = formOf(third)
      const back = await again.submit(action, new URLSearchParams(others))
      assert.equal(new URL(back.url).pathname, '/ui/account', told(back))
    })

    test('a client gets the assertion, its attributes and a draft; the intent ends with the assertion', async () => {
      const idpId = await connect({
        binding: SAMLBinding.SAML_BINDING_POST,
        signatureAlgorithm: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512,
        providerOptions: { ...OPTIONS, isAutoCreation: false },
      })
      const { nextStep } = await start(idpId)
      assert.ok(nextStep.case === 'formData')
      assert.deepEqual(Object.keys(nextStep.value.fields), ['SAMLRequest', 'RelayState'])
      const there = upstream.browser()
      const asked = await there.submit(nextStep.value.url, new URLSearchParams(nextStep.value.fields))
      const stop = await answer(asked, world.browser(), there)
      assert.equal(new URL(stop.url).pathname, '/in', stop.url)
      const { idpInformation, addHumanUser } = await retrieve(stop)
      assert.ok(idpInformation?.access.case === 'saml')
      assert.match(
        Buffer.from(idpInformation.access.value.assertion).toString(),
        /^<saml:Assertion .*<\/saml:Assertion>$/s,
      )
      assert.equal(idpInformation.userId, upstreamId)
      const { id, attributes } = idpInformation.rawInformation as { id: string; attributes: Record<string, string[]> }
      assert.equal(id, upstreamId)
      assert.deepEqual(attributes.UserName, ['ada'])
      assert.equal(addHumanUser?.idpLinks[0]?.userId, upstreamId)
    })

    test('a name that changes each time identifies nobody; an attribute does, if one is named', async () => {
      const nameIdFormat = SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT
      for (const [attribute, path] of [
        ['', '/no'],
        ['Nothing', '/no'],
        ['constructor', '/no'],
        ['UserName', '/in'],
      ] as const) {
        const idpId = await connect({ nameIdFormat, transientMappingAttributeName: attribute, providerOptions: {} })
        const { nextStep } = await start(idpId)
        assert.ok(nextStep.case === 'authUrl')
        const there = upstream.browser()
        const stop = await answer(await there.open(nextStep.value), world.browser(), there)
        assert.equal(new URL(stop.url).pathname, path, attribute)
        if (path === '/in') assert.equal((await retrieve(stop)).idpInformation?.userId, 'ada')
      }
    })

    test('an address for responses takes those for its own provider, once, and only what was asked for', async () => {
      const [idpId, other] = [await connect({ providerOptions: {} }), await connect({ providerOptions: {} })]
      const { nextStep } = await start(idpId)
      assert.ok(nextStep.case === 'authUrl')
      const there = upstream.browser()
      const { action, fields } = formOf(await upstream.signIn(there, await there.open(nextStep.value), 'ada'))
      const post = (url: string, form: Record<string, string>) =>
        fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
      assert.equal((await post(action.replace(idpId, other), fields)).status, 400)
      assert.equal((await post(action, { ...fields, RelayState: '' })).status, 400)
      const first = await post(action, fields)
      assert.equal(first.status, 303)
      assert.match(first.headers.get('location') ?? '', /\/in\?id=/)
      assert.equal((await post(action, fields)).status, 400)
      const { url } = await world.serveAnother()
      assert.equal((await post(action.replace(world.url, url), fields)).status, 400)
      assert.equal((await fetch(`${world.url}/idps/none/saml/metadata`)).status, 404)
      assert.equal((await fetch(`${world.url}/idps/${idpId}/saml/nothing`)).status, 404)
      assert.match(await (await fetch(`${world.url}/idps/${idpId}/saml/certificate`)).text(), /BEGIN CERTIFICATE/)
    })

    test('a certificate is replaced, and requests are signed with the new key', async () => {
      const idpId = await connect({ providerOptions: {} })
      const certificate = async () => (await fetch(`${world.url}/idps/${idpId}/saml/certificate`)).text()
      const before = await certificate()
      await world.call(AdminService.method.regenerateSAMLProviderCertificate, { id: idpId }, world.owner)
      assert.notEqual(await certificate(), before)
      const { nextStep } = await start(idpId)
      assert.ok(nextStep.case === 'authUrl')
      // The provider still knows the former one.
      assert.equal((await upstream.browser().open(nextStep.value)).status, 400)
      const generic = { name: 'Generic', issuer: 'https://op.example', clientId: 'us', clientSecret: 'secret' }
      const { id } = await world.call(AdminService.method.addGenericOIDCProvider, generic as never, world.owner)
      await isRefused(
        world.call(AdminService.method.regenerateSAMLProviderCertificate, { id }, world.owner),
        'identity_provider.other_type',
      )
    })
  })
}
