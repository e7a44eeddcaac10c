/** `signet import compare --realm`: a server that speaks what a Keycloak answered, and ours, which a realm was moved to. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { compareAccess } from '../../src/cli/import/compare/access.ts'
import type { DifferentObject } from '../../src/cli/import/compare/compare.ts'
import { Keycloak } from '../../src/cli/import/compare/keycloak.ts'
import type { AnyDraft } from '../../src/cli/import/draft.ts'
import { openKeycloak } from '../../src/cli/import/keycloak/source.ts'
import { runMove } from '../../src/cli/import/move.ts'
import { engines } from '../support/engines.ts'
import { client, folderWith, user } from '../support/foreign-exports.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const REALM = '5a000000-0000-4000-8000-000000000009'
const PARTNER = '5a000000-0000-4000-8000-00000000000a'
const LOCAL = 'http://localhost:3000/cb'
const CB = 'https://web.example/cb'

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return [privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')]
}

const providers = [
  {
    ...{ alias: 'corp', internalId: 'idp-corp', providerId: 'oidc', enabled: true },
    config: {
      ...{ clientId: 'c', clientSecret: 's', issuer: 'https://idp.example', authorizationUrl: 'https://idp.example/a' },
      ...{ filteredByClaim: 'true', claimFilterName: 'department', claimFilterValue: 'staff' },
    },
  },
  {
    ...{ alias: 'gh', internalId: 'idp-gh', providerId: 'github', enabled: true },
    config: {
      ...{ clientId: 'c', clientSecret: 's' },
      ...{ baseUrl: 'https://github.corp.example', apiUrl: 'https://github.corp.example/api/v3' },
    },
  },
  {
    ...{ alias: 'gone', internalId: 'idp-gone', providerId: 'google', enabled: false },
    config: { clientId: 'c', clientSecret: 's' },
  },
]
const clients = [
  client('web', { redirectUris: [CB] }),
  client('pushed', { redirectUris: [CB], attributes: { 'require.pushed.authorization.requests': 'true' } }),
  client('wild', { redirectUris: ['https://*.corp.example/cb', 'https://wild.example/cb', LOCAL] }),
  client('job', { serviceAccountsEnabled: true, standardFlowEnabled: false }),
  client('late', {
    ...{ serviceAccountsEnabled: true, standardFlowEnabled: false },
    attributes: { 'client.secret.expiration.time': '1' },
  }),
]
const users = [
  user('anna', { email: 'anna@x.example', clientRoles: { 'realm-management': ['manage-realm', 'manage-users'] } }),
  user('bert', { email: 'bert@x.example', enabled: false }),
  ...['job', 'late'].map((name) => user(`service-account-${name}`, { serviceAccountClientId: name })),
]
const keyOf = (kid: string, config: object) => ({
  ...{ name: kid, providerId: 'rsa-generated' },
  config: { privateKey: signingKey(), kid: [kid], ...config },
})
const EXPORT = {
  ...{ id: REALM, realm: 'acme', clients, users, identityProviders: providers, organizationsEnabled: true },
  organizations: [{ id: PARTNER, name: 'Partner', alias: 'partner' }],
  components: { 'org.keycloak.keys.KeyProvider': [keyOf('now', {}), keyOf('revoked', { enabled: ['false'] })] },
}

/** What a Keycloak 26 says to a plain request: the page, an error page, or the error at the client. */
function authorize(query: URLSearchParams): readonly [status: number, location?: string] {
  const [id, uri] = [query.get('client_id'), query.get('redirect_uri')]
  if (id === 'pushed' && uri === CB) return [302, `${CB}?error=invalid_request&state=compare`]
  return (id === 'web' && uri === CB) || (id === 'wild' && (uri === 'https://wild.example/cb' || uri === LOCAL))
    ? [200]
    : [400]
}

function administration(path: string): unknown {
  if (path === '') return { id: REALM, realm: 'acme', organizationsEnabled: true }
  if (path.startsWith('/organizations?')) return [{ id: PARTNER }]
  if (path === '/identity-provider/instances') return providers
  if (path.startsWith('/authentication/flows/'))
    return [{ providerId: 'idp-create-user-if-unique', requirement: 'ALTERNATIVE' }]
  if (path === '/clients?clientId=realm-management') return [{ id: 'management' }]
  if (path === '/clients') return clients
  if (path.endsWith('/client-secret'))
    return { type: 'secret', value: clients.find(({ id }) => path === `/clients/${id}/client-secret`)?.secret }
  if (path.startsWith('/users?')) return users.map(({ id, username, enabled }) => ({ id, username, enabled }))
  if (path.endsWith('/role-mappings/clients/management/composite'))
    return path.includes('anna') ? [{ name: 'manage-realm' }, { name: 'manage-users' }] : []
  if (path === '/keys')
    return {
      keys: [
        { kid: 'now', status: 'ACTIVE' },
        { kid: 'revoked', status: 'DISABLED' },
      ],
    }
  return undefined
}

const TOKEN = `e30.${Buffer.from(JSON.stringify({ aud: 'account' })).toString('base64url')}.x`

function keycloak(): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://keycloak')
    const end = (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const [, path = ''] = /^\/auth\/admin\/realms\/acme(.*)$/.exec(request.url ?? '') ?? [undefined, undefined]
    if (url.pathname.startsWith('/auth/admin/')) {
      const found = request.headers.authorization === 'Bearer admin' ? administration(path) : undefined
      return end(found === undefined ? 404 : 200, found)
    }
    const [, protocol] = /^\/auth\/realms\/acme\/protocol\/openid-connect\/(\w+)$/.exec(url.pathname) ?? []
    if (protocol === 'certs') return end(200, { keys: [{ kid: 'now' }] })
    if (protocol === 'token') {
      const [id] = Buffer.from(String(request.headers.authorization).slice(6), 'base64').toString().split(':')
      return id === 'job' ? end(200, { access_token: TOKEN }) : end(401, { error: 'unauthorized_client' })
    }
    const [status, location] = authorize(url.searchParams)
    return end(status, {}, location === undefined ? {} : { location })
  })
}

/** An importer that rounds up: everything that a realm restricts is dropped. */
function opened(draft: AnyDraft): AnyDraft {
  switch (draft.kind) {
    case 'identity-provider': {
      const options = { ...draft.values.options, isCreationAllowed: true, isAutoCreation: true }
      const type = draft.type === 'github_es' ? 'github' : draft.type
      return { ...draft, type, isActive: true, values: { ...draft.values, options } }
    }
    case 'application': {
      if (draft.config.type !== 'oidc') return draft
      const { requirePushedAuthorizationRequests: _, ...config } = draft.config
      const redirectUris = [...config.redirectUris, ...(draft.clientId === 'wild' ? ['https://*.corp.example/cb'] : [])]
      return { ...draft, config: { ...config, redirectUris, developmentMode: draft.clientId === 'wild' } }
    }
    case 'machine':
      return draft.userName === 'late' ? { ...draft, state: 'active', secret: { plain: 's-late' } } : draft
    case 'human':
      return { ...draft, state: 'active' }
    case 'settings':
      if (draft.section !== 'login' || draft.organizationId !== PARTNER) return draft
      return { ...draft, values: { ...draft.values, allowsRegistration: true, allowsExternal: true } }
    case 'administrator':
      return { ...draft, roles: ['ORG_OWNER'] }
    case 'web-key':
      return { ...draft, id: 'revoked', key: { ...draft.key, kid: 'revoked' } }
    default:
      return draft
  }
}

for (const engine of engines)
  suite(`a Keycloak and ${engine.name} are asked who gets in`, () => {
    let source: Server
    let url: string
    const worlds: OpenIdWorld[] = []
    before(async () => {
      source = keycloak()
      await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
      url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/auth`
    })
    after(async () => {
      for (const world of worlds) await world.dispose()
      source.close()
    })

    async function compare(change: (draft: AnyDraft) => AnyDraft) {
      const world = await openOpenIdWorld({ engine })
      worlds.push(world)
      const path = await folderWith({ 'acme-realm.json': EXPORT })
      const moved = await openKeycloak({ path, target: 'organization', oldKeys: true })
      const read = async function* () {
        for await (const item of moved.read()) yield 'kind' in item ? change(item) : item
      }
      const { kinds } = await runMove(world.app, { ...moved, read }, { isQuiet: true })
      assert.deepEqual(
        Object.values(kinds).filter(({ refused }) => refused > 0),
        [],
      )
      const found: DifferentObject[] = []
      const results = await compareAccess({
        keycloak: new Keycloak(url, 'acme', 'admin'),
        target: { url: world.url, token: world.owner.bearer ?? '', side: 'target' },
        onDifference: (one) => found.push(one),
      })
      for (const { question, unanswered } of results) assert.equal(unanswered, undefined, question)
      return { results, found: found.map(({ question, id }) => `${question}: ${id}`).sort() }
    }

    test('nobody gets in who did not, after an import', async () => {
      const { results, found } = await compare((draft) => draft)
      assert.deepEqual(found, [])
      for (const { question, objects } of results) assert.ok(objects > 0, question)
    })

    test('whatever an import opened to more people is named', async () => {
      const { found } = await compare(opened)
      const pkce = ['', ' with PKCE']
      assert.deepEqual(
        found,
        [
          ...['corp', 'gone'].map((alias) => `strangers at providers: ${alias}`),
          'sign-in with providers: gone',
          'servers of providers: gh',
          ...pkce.map((how) => `plain requests of clients: pushed ${CB}${how}`),
          ...pkce.map((how) => `plain requests of clients: wild https://probe.corp.example/cb${how}`),
          ...pkce.map((how) => `plain requests of clients: wild http://localhost:9999/cb${how}`),
          'tokens of clients for themselves: late',
          'keys: revoked',
          `registration: ${PARTNER}`,
          `sign-in with providers in organizations: ${PARTNER}`,
          'rights of administrators: id-anna ORG_OWNER',
          'disabled users: id-bert',
        ].sort(),
      )
    })
  })
