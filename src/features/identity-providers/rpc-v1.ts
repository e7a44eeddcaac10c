/** The older methods of the v1 services, for the organization of the call and for the instance. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { IDPFieldName } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import type {
  AddOrgOIDCIDPRequest,
  UpdateOrgIDPOIDCConfigRequest,
  UpdateOrgIDPRequest,
} from '../../../contract/gen/signet/management/v1/idp_pb.ts'
import type {
  AddOrgJWTIDPRequest,
  UpdateOrgIDPJWTConfigRequest,
} from '../../../contract/gen/signet/management/v1/jwt_provider_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { type Violation, violationsOf } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { checkProvider } from './check-provider.ts'
import { oidcConnection } from './connections.ts'
import { mappings, stylings } from './enums-v1.ts'
import {
  addProvider,
  changeDisplay,
  changeJwt,
  changeOidc,
  type NewProvider,
  switchProvider,
} from './handlers/change-provider.ts'
import { removeProvider } from './handlers/remove-provider.ts'
import { type GivenJwt, signedToken } from './jwt-connection.ts'
import { idpV1 } from './messages.ts'
import { sortingOf } from './queries.ts'
import { type ProviderScope, providerScope } from './rpc-v1-scope.ts'

/** A message of either service. Both have the same fields. */
type Members<Message> = Omit<Message, '$typeName' | '$unknown'>

function mappingsOf(message: Pick<AddOrgOIDCIDPRequest, 'displayNameMapping' | 'usernameMapping'>) {
  return {
    displayNameMapping: mappings.read(message.displayNameMapping),
    userNameMapping: mappings.read(message.usernameMapping),
  }
}

/** What both types have in common. */
function commonOf({ name, stylingType, autoRegister }: Members<AddOrgOIDCIDPRequest | AddOrgJWTIDPRequest>) {
  return {
    name,
    styling: stylings.read(stylingType),
    // Older clients cannot set more: accounts can be linked and created.
    options: {
      isLinkingAllowed: true,
      isCreationAllowed: true,
      isAutoCreation: autoRegister,
      isAutoUpdate: false,
      autoLinking: 'none',
    },
  } as const
}

function newProviderOf(message: Members<AddOrgOIDCIDPRequest>): NewProvider {
  const { clientId, clientSecret: secret, issuer, scopes } = message
  return {
    ...commonOf(message),
    providerType: 'oidc',
    connection: oidcConnection('oidc', { clientId, issuer, scopes, ...mappingsOf(message) }),
    secret,
  }
}

function newJwtOf(message: Members<AddOrgJWTIDPRequest>): NewProvider {
  return { ...commonOf(message), providerType: 'jwt', connection: signedToken(message), secret: '' }
}

/** The invalid fields of a new provider. */
function violationsOfNew(message: Members<AddOrgOIDCIDPRequest>): readonly Violation[] {
  return violationsOf(() => checkProvider(newProviderOf(message)))
}

function violationsOfNewJwt(message: Members<AddOrgJWTIDPRequest>): readonly Violation[] {
  return violationsOf(() => checkProvider(newJwtOf(message)))
}

function serve(app: App, scope: ProviderScope) {
  return {
    get: async ({ idpId }: { readonly idpId: string }, call: Call) => ({
      idp: idpV1(await scope.find(call, idpId), app.instanceId),
    }),

    async list(
      {
        query,
        sortingColumn,
        queries,
      }: Omit<Parameters<ProviderScope['list']>[1], 'orderBy'> & { readonly sortingColumn: IDPFieldName },
      call: Call,
    ) {
      const page = await scope.list(call, { query, queries, orderBy: sortingOf(sortingColumn) })
      const result = page.documents.map((provider) => idpV1(provider, app.instanceId))
      return { details: listDetailsV1(page, call.at), sortingColumn, result }
    },

    async add(message: Members<AddOrgOIDCIDPRequest>, call: Call) {
      const written = await addProvider(app, scope.ownerOf(call), newProviderOf(message))
      return { details: writtenV1(written), idpId: written.value.id }
    },

    async change({ idpId, name, stylingType, autoRegister }: Members<UpdateOrgIDPRequest>, call: Call) {
      const display = { name, styling: stylings.read(stylingType), autoRegister }
      return { details: writtenV1(await changeDisplay(app, scope.ownerOf(call), idpId, display)) }
    },

    async changeOidc(message: Members<UpdateOrgIDPOIDCConfigRequest>, call: Call) {
      const { idpId, clientId, clientSecret: secret, issuer, scopes } = message
      const part = { clientId, issuer, scopes, secret, ...mappingsOf(message) }
      return { details: writtenV1(await changeOidc(app, scope.ownerOf(call), idpId, part)) }
    },

    async addJwt(message: Members<AddOrgJWTIDPRequest>, call: Call) {
      const written = await addProvider(app, scope.ownerOf(call), newJwtOf(message))
      return { details: writtenV1(written), idpId: written.value.id }
    },

    changeJwt: async ({ idpId, ...message }: Members<UpdateOrgIDPJWTConfigRequest> & GivenJwt, call: Call) => ({
      details: writtenV1(await changeJwt(app, scope.ownerOf(call), idpId, signedToken(message))),
    }),

    switchTo:
      (type: 'deactivate' | 'reactivate') =>
      async ({ idpId }: { readonly idpId: string }, call: Call) => ({
        details: writtenV1(await switchProvider(app, scope.ownerOf(call), idpId, type)),
      }),

    remove: async ({ idpId }: { readonly idpId: string }, call: Call) => ({
      details: detailsV1(await removeProvider(app, scope.ownerOf(call), idpId)),
    }),
  }
}

/** The older v1 methods of this module. */
export function idpMethodsV1(app: App): readonly Method[] {
  const own = serve(
    app,
    providerScope(app, ({ organizationId }) => organizationId),
  )
  const instance = serve(
    app,
    providerScope(app, () => app.instanceId),
  )
  return [
    ...methods(
      ManagementService,
      {
        getOrgIDPByID: own.get,
        listOrgIDPs: own.list,
        addOrgOIDCIDP: own.add,
        updateOrgIDP: own.change,
        deactivateOrgIDP: own.switchTo('deactivate'),
        reactivateOrgIDP: own.switchTo('reactivate'),
        async removeOrgIDP(message, call) {
          await own.remove(message, call)
          return {}
        },
        updateOrgIDPOIDCConfig: own.changeOidc,
        addOrgJWTIDP: own.addJwt,
        updateOrgIDPJWTConfig: own.changeJwt,
      },
      { addOrgOIDCIDP: violationsOfNew, addOrgJWTIDP: violationsOfNewJwt },
    ),
    ...methods(
      AdminService,
      {
        getIDPByID: instance.get,
        listIDPs: instance.list,
        addOIDCIDP: instance.add,
        updateIDP: instance.change,
        deactivateIDP: instance.switchTo('deactivate'),
        reactivateIDP: instance.switchTo('reactivate'),
        removeIDP: instance.remove,
        updateIDPOIDCConfig: instance.changeOidc,
        addJWTIDP: instance.addJwt,
        updateIDPJWTConfig: instance.changeJwt,
      },
      { addOIDCIDP: violationsOfNew, addJWTIDP: violationsOfNewJwt },
    ),
  ]
}
