import assert from 'node:assert/strict'
import { after, before, describe, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  SAMLBinding,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import { IdentityProviderService } from '../../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { UPSTREAM_CERTIFICATE, upstreamMetadata } from '../../../../test/support/response-forger.ts'
import { isRefused, refusalOf, type SmallWorld, withThreeOrganizations } from '../../../../test/support/small-world.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { OutboundFailed } from '../../../outbound/fetch.ts'
import { findProvider, providerSecrets } from '../documents.ts'
import { readUpstream } from './metadata.ts'

const ENTITY = 'https://upstream.example'
const GOOD = upstreamMetadata(ENTITY)
const KEY = /<md:KeyDescriptor.*<\/md:KeyDescriptor>/

describe('the metadata of an identity provider', () => {
  test('are read: services, keys and what it wants; of several entities, the first identity provider', () => {
    const wanted = {
      entityId: ENTITY,
      signOnServices: [
        { url: `${ENTITY}/sso`, binding: 'redirect' },
        { url: `${ENTITY}/sso`, binding: 'post' },
      ],
      logoutServices: [],
      signingCertificates: [UPSTREAM_CERTIFICATE],
      wantsSignedRequests: false,
    }
    assert.deepEqual(readUpstream(GOOD), wanted)
    const sp = '<md:EntityDescriptor entityID="https://sp.example"><md:SPSSODescriptor/></md:EntityDescriptor>'
    const other = upstreamMetadata('https://other.example').replace(/ xmlns:md="[^"]*"/, '')
    const all = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${sp}${GOOD}${other}</md:EntitiesDescriptor>`
    assert.deepEqual(readUpstream(all), wanted)
    const strict = upstreamMetadata(ENTITY, UPSTREAM_CERTIFICATE, 'WantAuthnRequestsSigned="true"')
    assert.equal(readUpstream(strict).wantsSignedRequests, true)
    // A key without a use is for both.
    assert.deepEqual(readUpstream(GOOD.replace(' use="signing"', '')).signingCertificates, [UPSTREAM_CERTIFICATE])
  })

  const bad: Readonly<Record<string, string>> = {
    'no XML': 'hello',
    'a document type': `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${GOOD}`,
    'a service provider': GOOD.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'),
    'another protocol': GOOD.replace('SAML:2.0:protocol', 'SAML:1.1:protocol'),
    'no entity ID': GOOD.replace('entityID', 'other'),
    'no key': GOOD.replace(KEY, ''),
    'a key for encryption alone': GOOD.replace('use="signing"', 'use="encryption"'),
    'a key that is none': GOOD.replace(UPSTREAM_CERTIFICATE, 'AAAA'),
    'too many keys': GOOD.replace(KEY, (key) => key.repeat(11)),
    'no service': GOOD.replaceAll('SingleSignOnService', 'Other'),
    'a service by artifact alone': GOOD.replaceAll(/bindings:HTTP-(?:Redirect|POST)/g, 'bindings:HTTP-Artifact'),
    'a service that is a script': GOOD.replaceAll(`${ENTITY}/sso`, 'javascript:alert(1)'),
    'a service without encryption': GOOD.replaceAll(`${ENTITY}/sso`, 'http://upstream.example/sso'),
    'too much': GOOD.replace('<md:IDPSSODescriptor', `<!--${'x'.repeat(200_000)}--><md:IDPSSODescriptor`),
  }
  for (const [what, xml] of Object.entries(bad)) {
    test(`are refused: ${what}`, () => {
      assert.throws(() => readUpstream(xml), MetadataProblem)
    })
  }
})

const v1 = ManagementService.method
const NORTH = { bearer: 'north' }
const xml = (text: string) => ({ case: 'metadataXml', value: Buffer.from(text) }) as const

for (const engine of engines) {
  suite(`SAML providers on ${engine.name}`, () => {
    let world: SmallWorld
    let fetched: Response | undefined
    const asked: string[] = []

    before(async () => {
      const fetchOutside = async (url: string) => {
        asked.push(url)
        if (fetched === undefined) throw new OutboundFailed('unreachable')
        return fetched
      }
      world = await openWorld({ engine, fetchOutside }, withThreeOrganizations)
    })
    after(() => world.dispose())

    const add = (given: object, as = NORTH) => world.call(v1.addSAMLProvider, given as never, as)
    const configOf = async (id: string) => {
      const { idp } = await world.call(v1.getProviderByID, { id }, NORTH)
      return idp?.config?.config.case === 'saml' ? idp.config.config.value : assert.fail()
    }

    test('are added, shown in v1 and v2 without their key, and changed with the key that they have', async () => {
      const { id } = await add({ name: 'One', metadata: xml(GOOD), withSignedRequest: true })
      const config = await configOf(id)
      assert.equal(Buffer.from(config.metadataXml).toString(), GOOD)
      assert.equal(config.nameIdFormat, SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT)
      assert.equal(config.transientMappingAttributeName, undefined)
      const { idp } = await world.call(IdentityProviderService.method.getIDPByID, { id }, { bearer: 'boss' })
      assert.equal(idp?.config?.config.case, 'saml')
      const before = (await findProvider(world.app, id))?.state.connection
      const secret = (await world.store.get(providerSecrets, id))?.state
      assert.ok(before?.protocol === 'saml' && secret?.status === 'set')
      assert.ok(
        !JSON.stringify([config, before], (_, value) => (typeof value === 'bigint' ? 0 : value)).includes('PRIVATE'),
      )
      const signatureAlgorithm = SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512
      const change = { id, name: 'Two', metadata: xml(upstreamMetadata('https://other.example')), signatureAlgorithm }
      await world.call(v1.updateSAMLProvider, change as never, NORTH)
      const after = await findProvider(world.app, id)
      assert.ok(after?.state.connection.protocol === 'saml')
      assert.deepEqual(after.state.connection.own, before.own)
      // Another entity has other accounts.
      assert.deepEqual(
        [after.state.connection.upstream.entityId, after.state.accountsVersion],
        ['https://other.example', 1],
      )
      await world.call(v1.regenerateSAMLProviderCertificate, { id }, NORTH)
      const fresh = (await findProvider(world.app, id))?.state.connection
      assert.ok(fresh?.protocol === 'saml' && fresh.own.certificate !== before.own.certificate)
      assert.notDeepEqual((await world.store.get(providerSecrets, id))?.state, secret)
    })

    test('are refused with the name of the field that is wrong', async () => {
      const good = { name: 'Bad', metadata: xml(GOOD) }
      const refused = (given: object, field: string) =>
        isRefused(add({ ...good, ...given }), 'identity_provider.field_invalid', field)
      await refused({ metadata: xml('hello') }, 'metadataXml')
      await refused({ metadata: { case: 'metadataXml', value: Buffer.from([0xff, 0xfe]) } }, 'metadataXml')
      await refused({ binding: SAMLBinding.SAML_BINDING_ARTIFACT }, 'binding')
      const redirectOnly = GOOD.replace(/<md:SingleSignOnService [^>]*HTTP-POST[^>]*>/, '')
      await refused({ metadata: xml(redirectOnly), binding: SAMLBinding.SAML_BINDING_POST }, 'binding')
      await refused({ signatureAlgorithm: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA1 }, 'signatureAlgorithm')
      await refused({ transientMappingAttributeName: 'u\nid' }, 'transientMappingAttributeName')
      await refused({ name: ' ' }, 'name')
    })

    test('have metadata that are fetched once; what else answers at the address is not said', async () => {
      const given = { name: 'Fetched', metadata: { case: 'metadataUrl', value: 'https://upstream.example/metadata' } }
      const answers = [
        undefined,
        new Response('', { status: 404 }),
        new Response('{"name":"a router"}'),
        new Response(Buffer.from([0xff])),
        new Response(GOOD.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')),
        new Response(GOOD.replaceAll('X509Certificate', 'Other')),
      ]
      const said = new Set<string>()
      for (fetched of answers) {
        const { code, violations } = await refusalOf(add(given))
        said.add(JSON.stringify([code, violations]))
      }
      assert.equal(said.size, 1, [...said].join('\n'))
      fetched = new Response(GOOD)
      const { id } = await add(given)
      assert.equal(Buffer.from((await configOf(id)).metadataXml).toString(), GOOD)
      assert.deepEqual(new Set(asked), new Set(['https://upstream.example/metadata']))
    })

    test('of another organization are not found, and nothing is fetched for them', async () => {
      const { id } = await add({ name: 'Ours', metadata: xml(GOOD) })
      const before = asked.length
      const metadata = { case: 'metadataUrl', value: 'https://scan.example/' }
      const change = { id, name: 'Theirs', metadata } as never
      const south = { bearer: 'south' }
      await isRefused(world.call(v1.updateSAMLProvider, change, south), 'identity_provider.not_found')
      await isRefused(world.call(v1.regenerateSAMLProviderCertificate, { id }, south), 'identity_provider.not_found')
      const boss = { bearer: 'boss' }
      await isRefused(world.call(AdminService.method.updateSAMLProvider, change, boss), 'identity_provider.not_found')
      assert.equal(asked.length, before)
    })
  })
}
