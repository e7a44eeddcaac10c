/** Adds identity providers that another product had, under their IDs. */
import { OWNERS_REACH, type Reach } from '../../../access/paths.ts'
import { isKeyOfCertificate } from '../../../crypto/certificate.ts'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { chooseProvider, isWithheld } from '../../settings/index.ts'
import { checkProvider } from '../check-provider.ts'
import { identityProviders, providerSecrets, secretPlace } from '../documents.ts'
import type {
  Connection,
  MappingField,
  ProviderOptions,
  ProviderType,
  SamlConnection,
  SamlDescription,
  Styling,
} from '../events.ts'
import * as readyMade from '../ready-made.ts'
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
export interface ImportedProviderValues {
  readonly options: ProviderOptions
  readonly scopes: readonly string[]
  readonly styling?: Styling
  readonly issuer?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly userEndpoint?: string
  readonly idAttribute?: string
  readonly usesPkce?: boolean
  readonly mapsIdToken?: boolean
  readonly displayNameMapping?: MappingField
  readonly userNameMapping?: MappingField
  readonly tenant?: string
  readonly trustsEmail?: boolean
  readonly teamId?: string
  readonly keyId?: string
  readonly saml?: SamlDescription
  /** How an export describes it, instead of the members above. */
  readonly connection?: Connection
}

function connectionOf({ type, clientId, secret, values }: ImportedProvider): Connection {
  const { scopes, issuer = '', usesPkce = true, mapsIdToken = false, idAttribute = '' } = values
  const { authorizationEndpoint = '', tokenEndpoint = '', userEndpoint = '' } = values
  const client = { clientId, scopes }
  const endpoints = { ...client, authorizationEndpoint, tokenEndpoint, userEndpoint }
  switch (type) {
    case 'oidc': {
      const { displayNameMapping = 'unspecified', userNameMapping = 'unspecified' } = values
      return {
        ...readyMade.genericOidc({ ...client, issuer, mapsIdToken, usesPkce }),
        displayNameMapping,
        userNameMapping,
      }
    }
    case 'oauth':
      return readyMade.genericOAuth({ ...endpoints, idAttribute, usesPkce })
    case 'azure_ad':
      return readyMade.entra({ ...client, tenant: values.tenant ?? 'common', trustsEmail: values.trustsEmail === true })
    case 'github':
      return readyMade.gitHub(client)
    case 'github_es':
      return readyMade.gitHubEnterpriseServer(endpoints)
    case 'gitlab':
      return readyMade.gitLab(client)
    case 'gitlab_self_hosted':
      return readyMade.gitLabSelfHosted({ ...client, issuer })
    case 'google':
      return readyMade.google(client)
    case 'apple':
      return readyMade.apple({ ...client, teamId: values.teamId ?? '', keyId: values.keyId ?? '' })
    case 'saml':
      if (values.saml === undefined) throw refused(identityProviderRefusals, 'identity_provider.other_type')
      return describedSaml(values.saml, secret)
    case 'ldap':
    case 'jwt':
    case 'zitadel':
      // Only an export describes them, as `values.connection`.
      throw refused(identityProviderRefusals, 'identity_provider.other_type')
  }
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
