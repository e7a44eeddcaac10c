/** Providers of every type in the v1 services, for the organization of the call and for the instance. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { AzureADTenant, Options } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { appleKey } from './check-provider.ts'
import { type GivenProvider, oauthConnection, oidcConnection } from './connections.ts'
import { optionsOf, tenantOf } from './enums-v1.ts'
import type { Connection, InstanceRoles } from './events.ts'
import { addProvider, changeProvider, migrateProvider } from './handlers/change-provider.ts'
import { removeProvider } from './handlers/remove-provider.ts'
import { type GivenJwt, signedToken } from './jwt-connection.ts'
import { directory, type GivenDirectory } from './ldap-connection.ts'
import { providerV1 } from './messages.ts'
import { PROVIDER_ROWS, type ProviderType, rowOf } from './provider-types.ts'
import { identityProviderRefusals } from './refusals.ts'
import { type ProviderScope, providerScope } from './rpc-v1-scope.ts'
import { serveSaml } from './saml/rpc-v1.ts'

/** The fields of the requests of all types; each has some of them. Requests that change a provider also have an ID. */
type Request = { readonly name: string; readonly providerOptions?: Options | undefined } & GivenProvider &
  GivenDirectory &
  GivenJwt & {
    readonly id: string
    readonly clientSecret: string
    readonly privateKey: Uint8Array
    readonly usePkce: boolean
    readonly isIdTokenMapping: boolean
    readonly tenant?: AzureADTenant | undefined
    readonly emailVerified: boolean
    readonly instanceRolesInfo: readonly InstanceRoles[]
  }

function connectionOf(type: ProviderType, request: Request): Connection {
  const given = {
    ...request,
    usesPkce: request.usePkce,
    mapsIdToken: request.isIdTokenMapping,
    tenant: tenantOf(request.tenant),
    trustsEmail: request.emailVerified,
    instanceRoles: request.instanceRolesInfo,
  }
  switch (rowOf(type).protocol) {
    case 'oidc':
      return oidcConnection(type, given)
    case 'oauth':
      return oauthConnection(type, given)
    case 'ldap':
      return directory(request)
    case 'jwt':
      return signedToken(request)
    case 'saml':
      throw new Error('its connection is read from metadata')
  }
}

function readRequest(providerType: ProviderType, request: Request) {
  const { name, secret = 'none' } = rowOf(providerType)
  const secrets = {
    clientSecret: () => request.clientSecret,
    privateKey: () => appleKey(request.privateKey),
    bindPassword: () => request.bindPassword,
    none: () => '',
  }
  return {
    providerType,
    name: request.name || name,
    options: optionsOf(request.providerOptions),
    secret: secrets[secret](),
    connection: connectionOf(providerType, request),
  }
}

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

/** The methods for each type, with their names in both services. A SAML provider is served by itself: its metadata is fetched. */
function serveTypes(app: App, scope: ProviderScope) {
  const served = PROVIDER_ROWS.filter(([, { protocol }]) => protocol !== 'saml').flatMap(([type, { method }]) => {
    const add = async (request: Request, call: Call) => {
      const written = await addProvider(app, scope.ownerOf(call), readRequest(type, request))
      return { details: writtenV1(written), id: written.value.id }
    }
    const change = async (request: Request, call: Call) => ({
      details: writtenV1(await changeProvider(app, scope.ownerOf(call), request.id, readRequest(type, request))),
    })
    return [
      [`add${method}`, add],
      [`update${method}`, change],
    ] as const
  })
  return Object.fromEntries(served) as Implementation<typeof ManagementService> & Implementation<typeof AdminService>
}

/** What a generic provider is turned into. */
interface Migration {
  readonly id: string
  readonly template: { readonly case: string | undefined; readonly value?: unknown }
}

function serveMigration(app: App, scope: ProviderScope) {
  return {
    async migrateGenericOIDCProvider({ id, template }: Migration, call: Call) {
      const [type] =
        PROVIDER_ROWS.find(([, { migration }]) => migration !== undefined && migration === template.case) ?? []
      if (type === undefined) throw refused(identityProviderRefusals, 'identity_provider.other_type')
      const provider = readRequest(type, template.value as Request)
      const written = await migrateProvider(app, scope.ownerOf(call), id, provider, `${template.case}.`)
      return { details: writtenV1(written) }
    },
  }
}

/** The v1 methods for providers of every type. */
export function providerMethodsV1(app: App): readonly Method[] {
  const serve = (ownerOf: Parameters<typeof providerScope>[1]) => {
    const scope = providerScope(app, ownerOf)
    return {
      ...serveEvery(app, scope),
      ...serveTypes(app, scope),
      ...serveMigration(app, scope),
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
