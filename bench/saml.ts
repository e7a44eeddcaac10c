/**
 * SAML responses beside ID tokens: a user who is signed in goes to an application, by two requests each. For an ID token
 * these are the authorization request and the token request, for a response the request of the service provider and the
 * page with the form. And whether XML libraries are loaded by those who need them alone.
 */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { selfSigned } from '../src/crypto/certificate.ts'
import { type ProviderParts, serviceProvider } from '../test/support/service-provider.ts'
import { besideFlows, FLOW_ROUNDS, type Flows, flowRow, runFlows } from './flows.ts'
import { openScene, type Scene } from './openid-scene.ts'
import { alternate } from './rounds.ts'
import type { Row } from './table.ts'

const SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const FLOWS = {
  idToken: 'ID token, authorize to token',
  response: 'SAML response, request to form',
  strict: 'SAML response, signed request and encrypted assertion',
} as const

const PROXY = { SIGNET_TRUSTED_PROXIES: '127.0.0.1' } as const

type Name = keyof typeof FLOWS

function newKey(): { readonly key: KeyObject; readonly certificate: string } {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const times = { notBefore: Date.UTC(2020, 0), notAfter: Date.UTC(2049, 0) }
  return { key, certificate: selfSigned({ privateKey: key, commonName: 'sp', serial: Buffer.alloc(16, 1), ...times }) }
}

function queryOf(home: string, issuer: string, key: KeyObject | undefined): string {
  const at = new Date().toISOString()
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at}" Destination="${home}/saml/v2/SSO"><saml:Issuer>${issuer}</saml:Issuer></samlp:AuthnRequest>`
  const text = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`
  if (key === undefined) return text
  const signed = `${text}&SigAlg=${encodeURIComponent(SHA256)}`
  return `${signed}&Signature=${encodeURIComponent(sign('sha256', Buffer.from(signed), key).toString('base64'))}`
}

/** Adds a service provider, and goes to it as the user does. */
async function flowTo(
  { call, projectId, port, cookie }: Scene,
  issuer: string,
  parts: ProviderParts,
  key?: KeyObject,
): Promise<() => Promise<void>> {
  const home = `http://localhost:${port}`
  const metadataXml = Buffer.from(serviceProvider(issuer, parts)).toString('base64')
  const body = { projectId, name: issuer, samlConfiguration: { metadataXml } }
  await call('/signet.application.v2.ApplicationService/CreateApplication', body)
  let count = 0
  return async () => {
    count += 1
    // Requests that are stored are counted by address, so that each comes from another one.
    const headers = { 'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}` }
    const asked = await fetch(`${home}/saml/v2/SSO?${queryOf(home, issuer, key)}`, { redirect: 'manual', headers })
    await asked.arrayBuffer()
    const [own = ''] = asked.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    const next = asked.headers.get('location') ?? ''
    const answer = await fetch(`${home}${next}`, { redirect: 'manual', headers: { cookie: `${cookie}; ${own}` } })
    if (!(await answer.text()).includes('name="SAMLResponse"')) throw new Error(`no response came: ${answer.status}`)
  }
}

async function benchScene(engine: string, scene: Scene): Promise<Row[]> {
  const { key, certificate } = newKey()
  const flows: Readonly<Record<Name, () => Promise<unknown>>> = {
    idToken: scene.flows.plain,
    response: await flowTo(scene, 'https://plain.example', {}),
    strict: await flowTo(
      scene,
      'https://strict.example',
      { signing: [certificate], encryption: certificate, signsRequests: true },
      key,
    ),
  }
  const names = Object.keys(FLOWS) as Name[]
  for (const name of names) await runFlows(flows[name])
  const contenders = names.map((name) => [name, () => runFlows(flows[name])] as const)
  const rounds: Readonly<Record<string, readonly Flows[]>> = await alternate(
    Object.fromEntries(contenders),
    FLOW_ROUNDS,
  )
  const of = `${FLOWS.idToken}, ${engine}`
  return names.map((name) => {
    const row = flowRow(`${FLOWS[name]}, ${engine}`, rounds[name] ?? [])
    if (name === 'idToken') return row
    const ratio = besideFlows(rounds[name] ?? [], rounds.idToken ?? [])
    return { ...row, ratio, of, ...(name === 'response' && { aim: '≥ 60 %' }) }
  })
}

/** Responses on both engines. */
export async function benchSaml(databaseUrl: string | undefined): Promise<Row[]> {
  const preload = [new URL('xml-libraries.ts', import.meta.url)]
  const scenes = [{ engine: 'SQLite', scene: await openScene(undefined, preload, PROXY) }]
  if (databaseUrl !== undefined)
    scenes.push({ engine: 'PostgreSQL', scene: await openScene(databaseUrl, preload, PROXY) })
  const rows: Row[] = []
  for (const { engine, scene } of scenes) {
    rows.push(...(await benchScene(engine, scene)))
    const files = Number(await scene.ask('xml'))
    rows.push({ what: `files of XML libraries loaded for these, ${engine}`, figure: String(files), aim: '0' })
    await scene.stop()
  }
  return rows
}
