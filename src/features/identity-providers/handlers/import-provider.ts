/** Adds identity providers that another product had, under their IDs. */
import { OWNERS_REACH, type Reach } from '../../../access/paths.ts'
import { isKeyOfCertificate } from '../../../crypto/certificate.ts'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { chooseProvider, isWithheld } from '../../settings/index.ts'
import { checkProvider } from '../check-provider.ts'
import { type GivenProvider, oauthConnection, oidcConnection } from '../connections.ts'
import { identityProviders, providerSecrets, secretPlace } from '../documents.ts'
import type { Connection, ProviderOptions, SamlConnection, SamlDescription, Styling } from '../events.ts'
import { type ProviderType, rowOf } from '../provider-types.ts'
import { identityProviderRefusals } from '../refusals.ts'
import { readUpstream } from '../saml/metadata.ts'
import { requireOwner, setSecret } from './change-provider.ts'

export interface ImportedProvider {
  readonly id: string
  /** An organization, or the instance. */
  readonly owner: string
  readonly type: ProviderType
  readonly name: string
  readonly isActive: boolean
  readonly clientId: string
  readonly secret: string
  readonly values: ImportedProviderValues
  /** How far whoever changed it last reaches; not given: as far as an owner. */
  readonly reach?: Reach
}

/** Endpoints, scopes and options; which there are depends on the type. */
export interface ImportedProviderValues extends Omit<GivenProvider, 'clientId' | 'instanceRoles'> {
  readonly options: ProviderOptions
  readonly styling?: Styling
  readonly saml?: SamlDescription
  /** How an export describes it, instead of the members above. */
  readonly connection?: Connection
}

function connectionOf({ type, clientId, secret, values }: ImportedProvider): Connection {
  const { protocol } = rowOf(type)
  if (protocol === 'saml' && values.saml !== undefined) return describedSaml(values.saml, secret)
  // Only an export describes the others, as `values.connection`.
  if (protocol === 'oauth') return oauthConnection(type, { ...values, clientId })
  if (protocol === 'oidc' && type !== 'zitadel') return oidcConnection(type, { ...values, clientId })
  throw refused(identityProviderRefusals, 'identity_provider.other_type')
}

/** The connection of a SAML provider. What its metadata say is read here, whoever described it. */
function describedSaml(saml: SamlDescription, secret: string): SamlConnection {
  // Without a key, one must be made before it can be used.
  if (secret !== '' && !isKeyOfCertificate(secret, saml.own.certificate)) {
    const violations = [{ field: 'secret', description: 'must be the key of the certificate' }]
    throw refused(identityProviderRefusals, 'identity_provider.field_invalid', { violations })
  }
  try {
    return { ...saml, protocol: 'saml', upstream: readUpstream(saml.metadataXml) }
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    const violations = [{ field: 'metadataXml', description: error.message }]
    throw refused(identityProviderRefusals, 'identity_provider.field_invalid', { violations })
  }
}

function givenConnection(given: ImportedProvider): Connection {
  const { connection } = given.values
  if (connection === undefined) return connectionOf(given)
  return connection.protocol === 'saml' ? describedSaml(connection, given.secret) : connection
}

/** Adds a provider as part of a write. It is not contacted before a user signs in with it. */
export async function importProvider(app: App, work: Work, given: ImportedProvider): Promise<void> {
  const { id, owner, type: providerType, name, isActive, secret, values } = given
  const { options, styling = 'unspecified' } = values
  const by = given.reach ?? OWNERS_REACH
  const provider = { providerType, name, options, connection: givenConnection(given) }
  checkProvider(provider)
  await requireOwner(app, work, owner)
  if (secret !== '') await setSecret(app, work, { id, owner, secret })
  await work.decide(identityProviders, id, { type: 'add', by, owner, styling, ...provider }, owner)
  if (!isActive) await work.decide(identityProviders, id, { type: 'deactivate' })
}

/** Has users of an organization, or of the instance, choose a provider at sign-in, or not. */
export async function importProviderChoice(
  app: App,
  work: Work,
  { id, owner, isOffered }: { readonly id: string; readonly owner: string; readonly isOffered: boolean },
): Promise<void> {
  if ((await work.get(identityProviders, id)) === undefined) {
    throw refused(identityProviderRefusals, 'identity_provider.not_found')
  }
  await requireOwner(app, work, owner)
  if (!isOffered && (await isWithheld(app, work, owner, id))) return
  const type = isOffered ? 'offer_provider' : 'withhold_provider'
  await chooseProvider(app, work, owner, { type, idpId: id, by: OWNERS_REACH })
}

/** Changes a provider to what another product has now, as part of a write. */
export async function followProvider(app: App, work: Work, given: ImportedProvider): Promise<void> {
  const { id, owner, type: providerType, name, isActive, secret, values } = given
  const change = { providerType, name, options: values.options, connection: givenConnection(given) }
  checkProvider(change)
  const known = (await work.get(providerSecrets, id))?.state
  const opened = known?.status === 'set' ? await app.vault.open(secretPlace(id), known.secret.value) : ''
  const withSecret = secret !== '' && secret !== opened
  if (withSecret) await setSecret(app, work, { id, owner, secret })
  const { state } = await work.decide(identityProviders, id, {
    type: 'change',
    by: OWNERS_REACH,
    withSecret,
    ...change,
  })
  if (state.status === 'active' && !isActive) await work.decide(identityProviders, id, { type: 'deactivate' })
  if (state.status === 'inactive' && isActive) await work.decide(identityProviders, id, { type: 'reactivate' })
}
