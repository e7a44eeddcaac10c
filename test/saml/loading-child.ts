/** Says which XML libraries a server has loaded: after a start, after requests that do not need them, and after one that does. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\/(xml-crypto|@xmldom\/xmldom|@node-saml\/node-saml|xpath|xml2js)\//.exec(url) ?? []
    if (name !== undefined) loaded.add(name)
    return next(url, context)
  },
})

const { openOpenIdWorld } = await import('../support/openid-world.ts')
const { spMetadata } = await import('../support/service-provider.ts')
const { signatureOf } = await import('../../src/crypto/xml/sign.ts')
const { selfSigned } = await import('../../src/crypto/certificate.ts')
const { element } = await import('../../src/crypto/xml/write.ts')
const { ApplicationService } = await import('../../contract/gen/signet/application/v2/application_service_pb.ts')

const world = await openOpenIdWorld()
const seen: Record<string, readonly string[]> = { start: [...loaded] }
for (const path of ['/ui/login', '/.well-known/openid-configuration', '/saml/v2/metadata', '/saml/v2/certificate']) {
  const answer = await fetch(`${world.url}${path}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
}
seen.pages = [...loaded]

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const privateKey = createPrivateKey(pem)
const times = { notBefore: Date.UTC(2020, 0), notAfter: Date.UTC(2049, 0) }
const certificate = selfSigned({ privateKey, commonName: 'sp', serial: Buffer.alloc(16, 1), ...times })
const issuer = 'https://sp.example.com'
const value = spMetadata(issuer, { signing: [certificate] })
const applicationType = { case: 'samlConfiguration', value }
const message = { projectId: await world.addProject(), name: 'SAML', applicationType } as never
await world.call(ApplicationService.method.createApplication, message, world.owner)

async function send(id: string, isSigned: boolean): Promise<void> {
  const written = (...more: readonly { readonly xml: string }[]) =>
    element(
      'samlp:AuthnRequest',
      {
        'xmlns:samlp': 'urn:oasis:names:tc:SAML:2.0:protocol',
        ID: id,
        IssueInstant: new Date().toISOString().replace(/\.\d+/, '.000'),
        Version: '2.0',
      },
      [element('saml:Issuer', { 'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion' }, issuer), ...more],
    )
  const plain = written()
  const { xml } = isSigned ? written(signatureOf(plain, id, { privateKey, certificate })) : plain
  const body = new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') })
  const answer = await fetch(`${world.url}/saml/v2/SSO`, { method: 'POST', body, redirect: 'manual' })
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`)
}

await send('_1', false)
seen.plain = [...loaded]
await send('_2', true)
seen.signed = [...loaded]
await world.dispose()
console.log(JSON.stringify(seen))
