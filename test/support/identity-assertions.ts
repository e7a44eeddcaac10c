/** An application, a partner that gets assertions about users, and an issuer whose assertions are accepted. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AutoLinkingOption } from '../../contract/gen/signet/idp/v1/config_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { allowHere, openWeb } from './agents.ts'
import type { TestEngine } from './engines.ts'
import { askToken, type Parameters } from './openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from './openid-world.ts'
import { openingOn } from './opening.ts'
import { FILES, MCP, resource, setResources } from './resources.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const PARTNER = 'https://as.partner.example'
export const PARTNER_API = 'https://api.partner.example/v1'
export const ISSUER = 'https://idp.partner.example'
export const KEYS = `${ISSUER}/keys`

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** What an assertion says about itself, and who signs it. */
interface Header {
  readonly typ?: string
  readonly kid?: string
  readonly key?: KeyObject
}

export type AssertionScene = Awaited<ReturnType<typeof openAssertionScene>>

/** Opens the scene. Nothing is allowed yet; ada is linked to the account `account-of-ada` at the issuer. */
export async function openAssertionScene(engine: TestEngine) {
  const web = openWeb()
  web.publish(KEYS, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' }] })
  return openingOn(openOpenIdWorld({ engine, fetchOutside: web.fetchOutside }), (world) => withIssuer(world, web))
}

async function withIssuer(world: OpenIdWorld, web: ReturnType<typeof openWeb>) {
  const adaId = await world.addPerson('ada')
  const projectId = await world.addProject()
  await setResources(world, projectId, resource(MCP), resource(FILES))
  const application = await world.addApplication({ grantTypes: [0, 2, 4] }, projectId)
  const api = await world.addApi(projectId)
  const client = { clientId: 'signet', clientSecret: 'secret', issuer: ISSUER }
  const providerOptions = { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL }
  const provider = { name: 'Partner', ...client, providerOptions }
  const { id: providerId } = await world.call(AdminService.method.addGenericOIDCProvider, provider, world.owner)
  await world.call(AdminService.method.addIDPToLoginPolicy, { idpId: providerId }, world.owner)

  const link = () => {
    const idpLink = { idpId: providerId, userId: 'account-of-ada', userName: 'ada' }
    return world.call(UserService.method.addIDPLink, { userId: adaId, idpLink }, world.owner)
  }
  await link()

  /** The issuer, for applications. */
  const issuer = (...clientIds: readonly string[]) => {
    return { issuer: ISSUER, jwksUri: KEYS, identityProviderId: providerId, clientIds: [...clientIds] }
  }

  /** Switches both directions on. */
  const allow = (more: object = {}) => {
    const partner = {
      issuer: PARTNER,
      clients: [{ clientId: application.clientId, partnerClientId: 'client-there' }],
      resources: [PARTNER_API],
      scopes: ['files:read', 'files:write'],
    }
    const both = { issue: true, partners: [partner], accept: true, issuers: [issuer(application.clientId)] }
    return allowHere(world, { identityAssertions: { ...both, ...more } })
  }

  /** An assertion of the issuer; `claims` are set or, where undefined, left out. */
  const assertion = (
    claims: Readonly<Record<string, unknown>> = {},
    { typ = 'oauth-id-jag+jwt', kid = 'key-1', key = privateKey }: Header = {},
  ): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const all = {
      iss: ISSUER,
      sub: 'account-of-ada',
      aud: world.url,
      client_id: application.clientId,
      jti: randomUUID(),
      iat: now,
      exp: now + 300,
      auth_time: now - 60,
      resource: MCP,
      scope: 'tools:read',
      ...claims,
    }
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(key)
  }

  const show = (text: string, more: Parameters = {}, by = application, headers?: Parameters) =>
    askToken(world, by, { grant_type: JWT_BEARER, assertion: text, ...more }, headers)

  return { world, web, adaId, application, api, providerId, link, issuer, allow, assertion, show }
}
