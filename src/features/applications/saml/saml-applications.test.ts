import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { after, before, describe, suite, test } from 'node:test'
import { ApplicationType } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { SAMLAttributeSource } from '../../../../contract/gen/signet/application/v2/saml_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { type ApplicationWorld, withApplications } from '../../../../test/support/parts/applications.ts'
import { serviceProvider } from '../../../../test/support/service-provider.ts'
import { isRefused, refusalOf } from '../../../../test/support/small-world.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { pemOf, selfSigned } from '../../../crypto/certificate.ts'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { readProvider } from './metadata.ts'

function certificateOf(privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'] & object): string {
  const [notBefore, notAfter] = [Date.UTC(2026, 0), Date.UTC(2056, 0)]
  return selfSigned({
    privateKey: privateKey as never,
    commonName: 'sp',
    serial: Buffer.alloc(16, 7),
    notBefore,
    notAfter,
  })
}

const strong = certificateOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const weak = certificateOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
const ACS = 'AssertionConsumerService'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

test('a certificate is one that others can read', () => {
  const read = new X509Certificate(pemOf(strong))
  assert.equal(read.subject, 'CN=sp')
  assert.equal(read.verify(read.publicKey), true)
  assert.match(read.validTo, /2056/)
})

describe('metadata', () => {
  test('are read: services, keys, formats and what they want', () => {
    const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    const parts = { signing: [strong], encryption: strong, signsRequests: true, formats: [format] }
    assert.deepEqual(readProvider(serviceProvider('https://sp.example.com', parts)), {
      entityId: 'https://sp.example.com',
      responseServices: [{ url: 'https://sp.example.com/acs', binding: 'post', index: 0, isDefault: true }],
      logoutServices: [{ url: 'https://sp.example.com/slo', binding: 'redirect' }],
      nameIdFormats: [format],
      signingCertificates: [strong],
      encryptionCertificate: strong,
      wantsAssertionsSigned: true,
      signsRequests: true,
    })
  })

  test('name the ciphers that can be read; CBC is not one', () => {
    const cipherOf = (...names: readonly string[]) => {
      const methods = names.map((name) => `<md:EncryptionMethod Algorithm="http://www.w3.org/x#${name}"/>`).join('')
      const xml = serviceProvider('https://sp.example.com', { encryption: strong })
      const read = readProvider(xml.replace('</md:KeyDescriptor>', `${methods}</md:KeyDescriptor>`))
      return read.encryptionCertificate === undefined ? undefined : (read.encryptionCipher ?? 'aes256-gcm')
    }
    assert.equal(cipherOf('rsa-oaep-mgf1p'), 'aes256-gcm')
    assert.equal(cipherOf('aes128-cbc', 'aes128-gcm', 'aes256-gcm'), 'aes256-gcm')
    assert.equal(cipherOf('aes128-gcm', 'rsa-oaep-mgf1p'), 'aes128-gcm')
    assert.equal(cipherOf('aes128-cbc', 'aes256-cbc', 'rsa-oaep-mgf1p'), undefined)
  })

  const good = serviceProvider('https://sp.example.com')
  const refusals: Readonly<Record<string, string>> = {
    'no XML': 'metadata',
    'a document type': `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${good}`,
    'no service provider': good.replaceAll('SPSSODescriptor', 'IDPSSODescriptor'),
    'no entity ID': good.replace('entityID', 'other'),
    'another protocol': good.replace('SAML:2.0:protocol', 'SAML:1.1:protocol'),
    'no service for responses': serviceProvider('https://sp', { services: '<md:Nothing/>' }),
    'a service that is a script': serviceProvider('https://sp', {
      services: `<md:${ACS} Binding="${POST}" Location="javascript:alert(1)" index="0"/>`,
    }),
    'a service with a fragment': serviceProvider('https://sp', {
      services: `<md:${ACS} Binding="${POST}" Location="https://sp/#x" index="0"/>`,
    }),
    'a service with a line break': serviceProvider('https://sp', {
      services: `<md:${ACS} Binding="${POST}" Location="https://sp/&#10;x" index="0"/>`,
    }),
    'a logout service that is a script': good.replace('https://sp.example.com/slo', 'data:text/html,x'),
    'an answer to a logout that goes to a script': good.replace(
      'Location="https://sp.example.com/slo"',
      '$& ResponseLocation="javascript:alert(1)"',
    ),
    'entities in entities': `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${good.replace('sp.example.com/acs', '&b;')}`,
    'a processing instruction': good.replace('<md:SPSSODescriptor', '<?x?><md:SPSSODescriptor'),
    'two service providers': `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${`${good}${good}`.replaceAll('<?xml version="1.0"?>', '')}</md:EntitiesDescriptor>`,
    'more services than anybody has': serviceProvider('https://sp', {
      services: `<md:${ACS} Binding="${POST}" Location="https://sp/acs" index="0"/>`.repeat(51),
    }),
    'more depth than anything has': good.replace('<md:SPSSODescriptor', `${'<a>'.repeat(500)}<md:SPSSODescriptor`),
    'a weak key': serviceProvider('https://sp', { signing: [weak] }),
    'a key that is none': serviceProvider('https://sp', { signing: ['AAAA'] }),
    'requests that are signed by no key': serviceProvider('https://sp', { signsRequests: true }),
    'too much': good.replace('<!-- a comment -->', `<!--${'x'.repeat(200_000)}-->`),
  }
  for (const [what, xml] of Object.entries(refusals)) {
    test(`are refused: ${what}`, () => {
      assert.throws(() => readProvider(xml), MetadataProblem)
    })
  }
})

const v1 = ManagementService.method
const v2 = ApplicationService.method
const asNorth = { bearer: 'north' }
const projectId = 'shop'
const xml = (entityId: string) => ({ case: 'metadataXml', value: Buffer.from(serviceProvider(entityId)) }) as const

for (const engine of engines) {
  suite(`SAML applications on ${engine.name}`, () => {
    let world: ApplicationWorld
    let fetched = ''
    before(async () => {
      const fetchOutside = async () => new Response(fetched, { status: fetched === '' ? 404 : 200 })
      world = await openWorld({ engine, fetchOutside }, withApplications)
    })
    after(() => world.dispose())

    const create = (name: string, value: object) =>
      world.call(
        v2.createApplication,
        { projectId, name, applicationType: { case: 'samlConfiguration', value } as never },
        asNorth,
      )
    const configOf = async (applicationId: string) => {
      const { application } = await world.call(v2.getApplication, { applicationId }, asNorth)
      assert.ok(application?.configuration.case === 'samlConfiguration')
      return application.configuration.value
    }

    test('are created from metadata, shown, filtered and changed', async () => {
      const attributes = { items: [{ name: 'mail', source: SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_EMAIL }] }
      const metadata = xml('https://one.example.com')
      const { applicationId } = await create('One', { metadata, attributes, allowUnsolicited: true })
      const config = await configOf(applicationId)
      assert.equal(Buffer.from(config.metadataXml).toString(), serviceProvider('https://one.example.com'))
      assert.equal(config.entityId, 'https://one.example.com')
      assert.deepEqual(config.assertionConsumerServices, ['https://one.example.com/acs'])
      assert.equal(config.allowUnsolicited, true)
      const list = (value: object) =>
        world.call(v2.listApplications, { filters: [{ filter: value as never }] }, asNorth)
      const byId = await list({ case: 'entityIdFilter', value: { entityId: 'https://one.example.com' } })
      assert.deepEqual(
        byId.applications.map(({ name }) => name),
        ['One'],
      )
      assert.equal((await list({ case: 'typeFilter', value: ApplicationType.SAML })).applications.length, 1)
      const change = (value: object) =>
        world.call(
          v2.updateApplication,
          { applicationId, projectId, applicationType: { case: 'samlConfiguration', value } as never },
          asNorth,
        )
      await change({ metadata: xml('https://two.example.com') })
      const after = await configOf(applicationId)
      assert.equal(after.entityId, 'https://two.example.com')
      assert.equal(after.attributes?.items[0]?.name, 'mail')
      await change({ attributes: { items: [] }, allowUnsolicited: false })
      assert.equal((await configOf(applicationId)).attributes, undefined)
      // The former entity ID is free again.
      await create('Two', { metadata: xml('https://one.example.com') })
    })

    test('have an entity ID of their own in an organization, and with an address in the whole instance', async () => {
      await create('Three', { metadata: xml('https://three.example.com') })
      await isRefused(create('Four', { metadata: xml('https://three.example.com') }), 'application.entity_id_taken')
      const other = { projectId: 'depot', name: 'Five', metadata: xml('https://three.example.com') }
      await isRefused(world.call(v1.addSAMLApp, other, { bearer: 'south' }), 'application.entity_id_taken')
      const elsewhere = serviceProvider('https://five.example.com').replace('five.example.com"', 'three.example.com"')
      const metadata = { case: 'metadataXml', value: Buffer.from(elsewhere) }
      await world.call(v1.addSAMLApp, { ...other, metadata } as never, { bearer: 'south' })
    })

    test('are fetched from a URL once; what cannot be fetched or read is refused', async () => {
      const metadata = { case: 'metadataUrl', value: 'https://six.example.com/metadata' } as const
      const said = new Set<string>()
      for (fetched of ['', '<html/>', '{}', serviceProvider('https://six.example.com').replaceAll('SPSSO', 'IDPSSO')]) {
        const { code, violations } = await refusalOf(create('Six', { metadata }))
        said.add(JSON.stringify([code, violations]))
      }
      // What answers in a network is not told.
      assert.equal(said.size, 1, [...said].join('\n'))
      fetched = serviceProvider('https://six.example.com')
      const { applicationId } = await create('Six', { metadata })
      assert.equal((await configOf(applicationId)).metadataUrl, metadata.value)
    })

    test('are added and changed by v1, where a change without effect is refused', async () => {
      const { appId } = await world.call(
        v1.addSAMLApp,
        { projectId, name: 'Seven', metadata: xml('https://seven.example.com') },
        asNorth,
      )
      const update = (metadata: object) =>
        world.call(v1.updateSAMLAppConfig, { projectId, appId, metadata } as never, asNorth)
      await isRefused(update(xml('https://seven.example.com')), 'application.unchanged')
      await update(xml('https://eight.example.com'))
      const { app } = await world.call(v1.getAppByID, { projectId, appId }, asNorth)
      assert.ok(app?.config.case === 'samlConfig' && app.config.value.metadata.case === 'metadataXml')
      assert.match(Buffer.from(app.config.value.metadata.value).toString(), /eight/)
      const oidc = await world.addOidc()
      await isRefused(
        world.call(
          v1.updateSAMLAppConfig,
          { projectId, appId: oidc.id, metadata: xml('https://x.example.com') },
          asNorth,
        ),
        'application.other_type',
      )
      await isRefused(
        world.call(v2.generateClientSecret, { applicationId: appId, projectId }, asNorth),
        'application.other_type',
      )
    })
  })
}
