/** Providers of every type in the v1 services, for the organization of the call and for the instance. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { AzureADTenant, Options } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { appleKey } from './check-provider.ts'
import { optionsOf, tenantOf } from './enums-v1.ts'
import type { Connection, InstanceRoles, OAuthConnection, ProviderType } from './events.ts'
import { addProvider, changeProvider, migrateProvider } from './handlers/change-provider.ts'
import { removeProvider } from './handlers/remove-provider.ts'
import { type GivenJwt, signedToken } from './jwt-connection.ts'
import { directory, type GivenDirectory } from './ldap-connection.ts'
import { providerV1 } from './messages.ts'
import * as readyMade from './ready-made.ts'
import { identityProviderRefusals } from './refusals.ts'
import { type ProviderScope, providerScope } from './rpc-v1-scope.ts'
import { serveSaml } from './saml/rpc-v1.ts'

/** The common fields of the requests of all types. Requests that change a provider also have an ID. */
interface Named {
  readonly name: string
  readonly providerOptions?: Options | undefined
}

interface Common extends Named {
  readonly clientId: string
  readonly scopes: string[]
}

interface WithSecret extends Common {
  readonly clientSecret: string
}

type Entra = WithSecret & { readonly tenant?: AzureADTenant | undefined; readonly emailVerified: boolean }

/** What a generic provider is turned into. */
interface Migration {
  readonly id: string
  readonly template:
    | { readonly case: 'azure'; readonly value: Entra }
    | { readonly case: 'google'; readonly value: WithSecret }
    | { readonly case: undefined; readonly value?: undefined }
}

type Endpoints = Pick<OAuthConnection, 'authorizationEndpoint' | 'tokenEndpoint' | 'userEndpoint'>

/** Adding and changing providers of one type. */
function serveType<Request extends Named>(
  app: App,
  scope: ProviderScope,
  type: ProviderType,
  connect: (request: Request) => Connection,
  { secretOf, usualName = '' }: { secretOf: (request: Request) => string; usualName?: string },
) {
  const read = (request: Request) => ({
    providerType: type,
    name: request.name || usualName,
    options: optionsOf(request.providerOptions),
    secret: secretOf(request),
    connection: connect(request),
  })
  return {
    async add(request: Request, call: Call) {
      const written = await addProvider(app, scope.ownerOf(call), read(request))
      return { details: writtenV1(written), id: written.value.id }
    },
    change: async (request: Request & { readonly id: string }, call: Call) => ({
      details: writtenV1(await changeProvider(app, scope.ownerOf(call), request.id, read(request))),
    }),
    migrate: async (id: string, request: Request, call: Call, prefix: string) => ({
      details: writtenV1(await migrateProvider(app, scope.ownerOf(call), id, read(request), prefix)),
    }),
  }
}

const clientSecret = { secretOf: (request: WithSecret) => request.clientSecret }

/** The methods for providers of any type, with their names in both services. */
function serveEvery(app: App, scope: ProviderScope) {
  return {
    getProviderByID: async ({ id }: { readonly id: string }, call: Call) => ({
      idp: providerV1(await scope.find(call, id), app.instanceId),
    }),
    async listProviders({ query, queries }: Omit<Parameters<ProviderScope['list']>[1], 'orderBy'>, call: Call) {
      const page = await scope.list(call, { query, queries, orderBy: 'createdAt' })
      const result = page.documents.map((provider) => providerV1(provider, app.instanceId))
      return { details: listDetailsV1(page, call.at), result }
    },
    deleteProvider: async ({ id }: { readonly id: string }, call: Call) => ({
      details: detailsV1(await removeProvider(app, scope.ownerOf(call), id)),
    }),
  }
}

/** The methods for OpenID providers of each type, with their names in both services. */
function serveOpenId(app: App, scope: ProviderScope) {
  type GenericOidc = WithSecret & {
    readonly issuer: string
    readonly isIdTokenMapping: boolean
    readonly usePkce: boolean
  }
  const oidc = serveType(
    app,
    scope,
    'oidc',
    ({ isIdTokenMapping, usePkce, ...client }: GenericOidc) =>
      readyMade.genericOidc({ ...client, mapsIdToken: isIdTokenMapping, usesPkce: usePkce }),
    clientSecret,
  )
  const azure = serveType(
    app,
    scope,
    'azure_ad',
    (request: Entra) =>
      readyMade.entra({ ...request, tenant: tenantOf(request.tenant), trustsEmail: request.emailVerified }),
    clientSecret,
  )
  const gitLab = serveType(app, scope, 'gitlab', readyMade.gitLab, { ...clientSecret, usualName: 'GitLab' })
  const gitLabSelfHosted = serveType(
    app,
    scope,
    'gitlab_self_hosted',
    (request: WithSecret & { readonly issuer: string }) => readyMade.gitLabSelfHosted(request),
    clientSecret,
  )
  const google = serveType(app, scope, 'google', readyMade.google, { ...clientSecret, usualName: 'Google' })
  type Apple = Common & { readonly teamId: string; readonly keyId: string; readonly privateKey: Uint8Array }
  const apple = serveType(app, scope, 'apple', (request: Apple) => readyMade.apple(request), {
    secretOf: ({ privateKey }) => appleKey(privateKey),
    usualName: 'Apple',
  })
  type Zitadel = WithSecret & { readonly issuer: string; readonly instanceRolesInfo: readonly InstanceRoles[] }
  const zitadel = serveType(app, scope, 'zitadel', (request: Zitadel) => readyMade.zitadel(request), clientSecret)

  return {
    addGenericOIDCProvider: oidc.add,
    updateGenericOIDCProvider: oidc.change,
    addAzureADProvider: azure.add,
    updateAzureADProvider: azure.change,
    addGitLabProvider: gitLab.add,
    updateGitLabProvider: gitLab.change,
    addGitLabSelfHostedProvider: gitLabSelfHosted.add,
    updateGitLabSelfHostedProvider: gitLabSelfHosted.change,
    addGoogleProvider: google.add,
    updateGoogleProvider: google.change,
    addAppleProvider: apple.add,
    updateAppleProvider: apple.change,
    addZitadelProvider: zitadel.add,
    updateZitadelProvider: zitadel.change,
    async migrateGenericOIDCProvider({ id, template }: Migration, call: Call) {
      if (template.case === 'azure') return azure.migrate(id, template.value, call, 'azure.')
      if (template.case === 'google') return google.migrate(id, template.value, call, 'google.')
      throw refused(identityProviderRefusals, 'identity_provider.other_type')
    },
  }
}

/** The methods for each type with another protocol, with their names in both services. */
function serveOthers(app: App, scope: ProviderScope) {
  const oauth = serveType(
    app,
    scope,
    'oauth',
    ({ usePkce, ...client }: WithSecret & Endpoints & { readonly idAttribute: string; readonly usePkce: boolean }) =>
      readyMade.genericOAuth({ ...client, usesPkce: usePkce }),
    clientSecret,
  )
  const gitHub = serveType(app, scope, 'github', readyMade.gitHub, { ...clientSecret, usualName: 'GitHub' })
  const gitHubEs = serveType(
    app,
    scope,
    'github_es',
    (request: WithSecret & Endpoints) => readyMade.gitHubEnterpriseServer(request),
    clientSecret,
  )
  const ldap = serveType(app, scope, 'ldap', (request: Named & GivenDirectory) => directory(request), {
    secretOf: ({ bindPassword }) => bindPassword,
  })
  const jwt = serveType(app, scope, 'jwt', (request: Named & GivenJwt) => signedToken(request), { secretOf: () => '' })

  return {
    addGenericOAuthProvider: oauth.add,
    updateGenericOAuthProvider: oauth.change,
    addGitHubProvider: gitHub.add,
    updateGitHubProvider: gitHub.change,
    addGitHubEnterpriseServerProvider: gitHubEs.add,
    updateGitHubEnterpriseServerProvider: gitHubEs.change,
    addLDAPProvider: ldap.add,
    updateLDAPProvider: ldap.change,
    addJWTProvider: jwt.add,
    updateJWTProvider: jwt.change,
  }
}

/** The v1 methods for providers of every type. */
export function providerMethodsV1(app: App): readonly Method[] {
  const serve = (ownerOf: Parameters<typeof providerScope>[1]) => {
    const scope = providerScope(app, ownerOf)
    return {
      ...serveEvery(app, scope),
      ...serveOpenId(app, scope),
      ...serveOthers(app, scope),
      ...serveSaml(app, scope),
    }
  }
  return [
    ...methods(
      ManagementService,
      serve(({ organizationId }) => organizationId),
    ),
    ...methods(
      AdminService,
      serve(() => app.instanceId),
    ),
  ]
}
