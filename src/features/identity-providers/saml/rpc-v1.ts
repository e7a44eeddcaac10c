/** SAML providers in the v1 services, for the organization of the call and for the instance. */
import type { Options } from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { optionsOf } from '../enums-v1.ts'
import { addProvider, changeProvider, requireOwn } from '../handlers/change-provider.ts'
import { replaceOwnKey } from '../handlers/replace-own-key.ts'
import { identityProviderRefusals } from '../refusals.ts'
import type { ProviderScope } from '../rpc-v1-scope.ts'
import { type GivenSaml, samlConnection } from './connection.ts'
import { newOwnKey } from './own-key.ts'

type Given = GivenSaml & { readonly name: string; readonly providerOptions?: Options | undefined }

/** The methods for SAML providers, with their names in both services. */
export function serveSaml(app: App, scope: ProviderScope) {
  const read = async (request: Given) => ({
    providerType: 'saml' as const,
    name: request.name,
    options: optionsOf(request.providerOptions),
    connection: await samlConnection(app, request),
  })
  return {
    async addSAMLProvider(request: Given, call: Call) {
      const { connection, ...provider } = await read(request)
      const { own, pem } = await newOwnKey(app)
      const added = { ...provider, connection: { ...connection, own }, secret: pem }
      const written = await addProvider(app, scope.ownerOf(call), added)
      return { details: writtenV1(written), id: written.value.id }
    },

    async updateSAMLProvider(request: Given & { readonly id: string }, call: Call) {
      const by = scope.ownerOf(call)
      // Nothing is fetched for a provider that the caller cannot change.
      const { connection: before } = (await requireOwn(app, app.store, request.id, by.owner)).state
      if (before.protocol !== 'saml') throw refused(identityProviderRefusals, 'identity_provider.other_type')
      const { connection, ...provider } = await read(request)
      const changed = { ...provider, connection: { ...connection, own: before.own }, secret: '' }
      return { details: writtenV1(await changeProvider(app, by, request.id, changed)) }
    },

    regenerateSAMLProviderCertificate: async ({ id }: { readonly id: string }, call: Call) => ({
      details: writtenV1(await replaceOwnKey(app, scope.ownerOf(call), id)),
    }),
  }
}
