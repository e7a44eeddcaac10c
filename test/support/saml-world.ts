/** A service provider by another implementation, registered as an application of a world that serves pages. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type CacheProvider, SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { pemOf, selfSigned } from '../../src/crypto/certificate.ts'
import type { Browser, OpenIdWorld, Stop } from './openid-world.ts'
import { type ProviderParts, serviceProvider } from './service-provider.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const SP_KEY = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
export const SP_CERTIFICATE = selfSigned({
  privateKey: keys.privateKey,
  commonName: 'sp',
  serial: Buffer.alloc(16, 7),
  notBefore: Date.UTC(2020, 0),
  notAfter: Date.UTC(2049, 0),
})

function memory(): CacheProvider {
  const kept = new Map<string, string>()
  return {
    async saveAsync(key, value) {
      kept.set(key, value)
      return { value, createdAt: Date.now() }
    },
    getAsync: async (key) => kept.get(key) ?? null,
    async removeAsync(key) {
      if (key !== null) kept.delete(key)
      return key
    },
  }
}

export interface Provider {
  readonly entityId: string
  /** Where its addresses begin. */
  readonly home: string
  readonly applicationId: string
  readonly sp: SAML
  /** The address that the service provider sends a browser to. */
  signOnUrl(relayState?: string): Promise<string>
}

export interface ProviderOptions {
  readonly parts?: ProviderParts
  readonly config?: Readonly<Record<string, unknown>>
  readonly options?: Partial<SamlConfig>
  readonly projectId?: string
  /** The name that the vendor of the product has for all of its customers; else each provider has one of its own. */
  readonly entityId?: string
}

let count = 0

/** Adds a service provider that signs what it sends. */
export async function addProvider(world: OpenIdWorld, given: ProviderOptions = {}): Promise<Provider> {
  const home = `https://sp${++count}.example`
  const entityId = given.entityId ?? home
  const parts = { signing: [SP_CERTIFICATE], signsRequests: true, ...given.parts }
  const projectId = given.projectId ?? (await world.addProject())
  const services = serviceProvider(home, parts).replace(`entityID="${home}"`, `entityID="${entityId}"`)
  const metadata = { case: 'metadataXml', value: Buffer.from(services) } as const
  const value = { metadata, ...given.config }
  const message = { projectId, name: home, applicationType: { case: 'samlConfiguration', value } } as never
  const { applicationId } = await world.call(ApplicationService.method.createApplication, message, world.owner)
  const sp = new SAML({
    callbackUrl: `${home}/acs`,
    entryPoint: `${world.url}/saml/v2/SSO`,
    logoutUrl: `${world.url}/saml/v2/SLO`,
    issuer: entityId,
    audience: entityId,
    idpIssuer: `${world.url}/saml/v2/metadata`,
    idpCert: await (await fetch(`${world.url}/saml/v2/certificate`)).text(),
    privateKey: SP_KEY,
    publicCert: pemOf(SP_CERTIFICATE),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: memory(),
    ...given.options,
  })
  return {
    entityId,
    home,
    applicationId,
    sp,
    signOnUrl: (relayState = '') => sp.getAuthorizeUrlAsync(relayState, undefined, {}),
  }
}

/** The form that a page sends by itself. */
export function formOf(page: Stop): { readonly action: string; readonly fields: Record<string, string> } {
  const action = /<form method="post" action="([^"]*)"/.exec(page.text)?.[1]
  assert.ok(action, `${page.status} ${page.url} ${page.text.slice(0, 1500)}`)
  const inputs = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const text = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, text(value)])) }
}

/** What the service provider reads in the response that a page brings. */
export async function readResponse({ sp, home }: Provider, page: Stop) {
  const { action, fields } = formOf(page)
  assert.equal(action, `${home}/acs`)
  const { profile } = await sp.validatePostResponseAsync(fields)
  return { profile: profile ?? assert.fail('there is no profile'), relayState: fields.RelayState }
}

/** Signs a person in for a service provider. */
export async function signOn(world: OpenIdWorld, provider: Provider, browser: Browser, name: string, relayState = '') {
  const page = await browser.open(await provider.signOnUrl(relayState))
  return world.signIn(browser, page, name)
}
