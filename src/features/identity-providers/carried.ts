/** How identity providers are carried, with their secrets, and the choices of them. None is contacted before a user signs in with it. */
import { OWNERS_REACH, type Reach } from '../../access/paths.ts'
import { isKeyOfCertificate } from '../../crypto/certificate.ts'
import { MetadataProblem } from '../../crypto/xml/saml-metadata.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type BodyOf, type Draft, declare, nothingElse } from '../../module/carried.ts'
import type { Dates, Work } from '../../store/index.ts'
import { chooseProvider, isWithheld, restoreProviderChoices, type Settings, settings } from '../settings/index.ts'
import { checkProvider } from './check-provider.ts'
import { type GivenProvider, oauthConnection, oidcConnection } from './connections.ts'
import { isLiving } from './decider.ts'
import { identityProviders, providerSecrets, secretPlace } from './documents.ts'
import type { Connection, ProviderOptions, SamlConnection, SamlDescription, Styling } from './events.ts'
import { requireOwner, setSecret } from './handlers/change-provider.ts'
import { removeProviderIn } from './handlers/remove-provider.ts'
import { type ProviderType, rowOf } from './provider-types.ts'
import { identityProviderRefusals } from './refusals.ts'
import { readUpstream } from './saml/metadata.ts'

export interface IdentityProviderDraft extends Draft<'identity-provider'> {
  readonly name: string
  readonly isActive: boolean
  readonly type: ProviderType
  readonly clientId: string
  /** Of Apple: the private key. */
  readonly clientSecret?: string
  readonly values: ProviderValues
  /** Where users can choose it at sign-in, or cannot, if that is not how the instance has it; empty: the instance. */
  readonly choices?: readonly { readonly organizationId: string; readonly isOffered: boolean }[]
  readonly secretDates?: Dates
}

/** Endpoints, scopes and options; which there are depends on the type. */
export interface ProviderValues extends Omit<GivenProvider, 'clientId' | 'instanceRoles'> {
  readonly options: ProviderOptions
  readonly styling?: Styling
  readonly saml?: SamlDescription
  /** As Signet describes it, instead of the members above. */
  readonly connection?: Connection
}

type Body = BodyOf<IdentityProviderDraft>

/** `secret` belongs to it. */
function connectionOf({ type, clientId, values }: Body, secret: string): Connection {
  const { connection } = values
  if (connection !== undefined) return connection.protocol === 'saml' ? describedSaml(connection, secret) : connection
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

/** Has users of an organization, or of the instance, choose a provider at sign-in, or not. */
async function putChoice(app: App, work: Work, owner: string, idpId: string, isOffered: boolean): Promise<void> {
  await requireOwner(app, work, owner)
  if (!isOffered && (await isWithheld(app, work, owner, idpId))) return
  const type = isOffered ? 'offer_provider' : 'withhold_provider'
  await chooseProvider(app, work, owner, { type, idpId, by: OWNERS_REACH })
}

export const carriedProviders = declare(identityProviders, {
  as: 'identity-provider',
  after: ['text'],
  secrets: { clientSecret: 'optional' },
  lives: isLiving,
  async describe(state, { beside }): Promise<Body & { readonly reach?: Reach }> {
    const { status, styling, options, connection, owner: _, accountsVersion: __, search: ___, ...provider } = state
    const { type, name, reach, ...rest } = provider
    nothingElse(rest)
    const found = await beside(providerSecrets)
    const clientSecret = found?.unseal('value')
    const { clientId, scopes } = 'clientId' in connection ? connection : { clientId: '', scopes: [] }
    return {
      ...{ name, isActive: status === 'active', type, clientId, values: { options, scopes, styling, connection } },
      ...(reach && { reach }),
      ...(found !== undefined &&
        clientSecret !== undefined && {
          clientSecret,
          secretDates: { createdAt: found.createdAt, changedAt: found.changedAt },
        }),
    }
  },
  async put({ app, work, id, owner, reach: by = OWNERS_REACH, draft, dates, part }, before) {
    const { name, isActive, type: providerType, clientSecret: secret = '', values, ...others } = draft
    const { clientId: _, choices = [], secretDates, reach: __, ...rest } = others
    nothingElse(rest)
    const { options, styling = 'unspecified' } = values
    const provider = { providerType, name, options, connection: connectionOf(draft, secret) }
    checkProvider(provider)
    if (before === undefined) await requireOwner(app, work, owner)
    if (secretDates !== undefined) dates(providerSecrets, id, secretDates)
    const known = (await work.get(providerSecrets, id))?.state
    const opened = known?.status === 'set' ? await app.vault.open(secretPlace(id), known.secret.value) : ''
    const withSecret = secret !== '' && secret !== opened
    if (withSecret) await setSecret(app, work, { id, owner, secret })
    const command =
      before === undefined
        ? ({ type: 'add', by, owner, styling, ...provider } as const)
        : ({ type: 'change', by, withSecret, ...provider } as const)
    const { state } = await work.decide(identityProviders, id, command, owner)
    if (isActive !== (state.status === 'active')) {
      await work.decide(identityProviders, id, { type: isActive ? 'reactivate' : 'deactivate' })
    }
    for (const { organizationId, isOffered } of choices) {
      await part(`The choice of organization ${organizationId || 'of the instance'} to offer it`, () =>
        putChoice(app, work, organizationId || app.instanceId, id, isOffered),
      )
    }
  },
  remove: ({ work, id }) => removeProviderIn(work, id),
  removalContinues: true,
})

type WithChoices = Settings & Required<Pick<Settings, 'providers'>>

/** Which providers an organization, or the instance, offers or not, where it has chosen. */
export const carriedChoices = declare(settings, {
  as: 'provider-choices',
  after: ['identity-provider'],
  lives: (state: Settings): state is WithChoices => state.providers !== undefined,
  describe({ providers: { offered, withheld, search: _, ...rest }, reach }) {
    nothingElse(rest)
    return { offered, withheld, ...(reach?.providers && { reach: reach.providers }) }
  },
  idOf: ({ instanceId }, { organizationId }) => organizationId || instanceId,
  async put({ work, owner, reach, draft: { offered, withheld, reach: _, ...rest } }, before) {
    nothingElse(rest)
    if (before === undefined) await restoreProviderChoices(work, owner, { offered, withheld, ...(reach && { reach }) })
  },
  remove: 'with its holder',
})
