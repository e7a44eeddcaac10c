/** Identity providers as drafts. */
import type { ProviderType, ProviderValues } from '../../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft } from '../../draft.ts'
import type { Dated, Parts } from '../fold.ts'
import { fold } from '../fold.ts'
import { clientOf, instanceProviders, organizationProviders, type ProviderState } from '../folds/providers.ts'
import { type Item, type Reading, remark, removed } from '../reading.ts'
import { describedConnection, describedProblem } from './described-provider.ts'
import { samlDescription, samlRemark } from './saml-provider.ts'

const TYPES: Readonly<Record<string, ProviderType>> = {
  oidc: 'oidc',
  oauth: 'oauth',
  azure: 'azure_ad',
  github: 'github',
  github_enterprise: 'github_es',
  gitlab: 'gitlab',
  gitlab_self_hosted: 'gitlab_self_hosted',
  google: 'google',
  apple: 'apple',
  jwt: 'jwt',
  ldap: 'ldap',
  'ldap.v2': 'ldap',
  zitadel: 'zitadel',
  saml: 'saml',
}

/** The types that there are here, too. */
export const CARRIED_TYPES: ReadonlySet<string> = new Set(Object.keys(TYPES))

const AUTO_LINKING = ['none', 'username', 'email'] as const
const MAPPINGS = ['unspecified', 'preferred_username', 'email'] as const

function valuesOf({ values, tenant, isGoogleStyled, type }: ProviderState): ProviderValues {
  const { idTokenMapping, usePKCE, isEmailVerified } = values
  const endpoints = ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'userEndpoint', 'idAttribute'] as const
  return {
    options: {
      isLinkingAllowed: values.isLinkingAllowed ?? false,
      isCreationAllowed: values.isCreationAllowed ?? false,
      isAutoCreation: values.isAutoCreation ?? false,
      isAutoUpdate: values.isAutoUpdate ?? false,
      autoLinking: AUTO_LINKING[values.autoLinkingOption ?? 0] ?? 'none',
    },
    scopes: values.scopes ?? [],
    ...(isGoogleStyled && { styling: 'google' }),
    ...Object.fromEntries(endpoints.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
    ...((type === 'oidc' || type === 'oauth') && { usesPkce: usePKCE ?? false }),
    ...(type === 'oidc' && { mapsIdToken: idTokenMapping ?? false }),
    ...(values.idpDisplayNameMapping && { displayNameMapping: MAPPINGS[values.idpDisplayNameMapping] }),
    ...(values.usernameMapping && { userNameMapping: MAPPINGS[values.usernameMapping] }),
    ...(type === 'azure' && { tenant, trustsEmail: isEmailVerified ?? false }),
    ...(values.teamId && { teamId: values.teamId }),
    ...(values.keyId && { keyId: values.keyId }),
  } as ProviderValues
}

/**
 * Where it can be chosen. There, only what a login policy lists is offered; here, everything that nobody has withheld.
 * `owner`: an organization; empty for the instance.
 */
function choicesOf(id: string, owner: string, { world, changed }: Reading): IdentityProviderDraft['choices'] {
  const isOffered = world.level.offered.has(id)
  // Of what changed it may have been different before: then each choice is said.
  if (owner !== '') {
    const own = world.offering.get(owner)?.has(id) ?? isOffered
    return own && !changed ? [] : [{ organizationId: owner, isOffered: own }]
  }
  const differing = [...world.offering].filter(([, offered]) => changed || offered.has(id) !== isOffered)
  return [
    ...(isOffered && !changed ? [] : [{ organizationId: '', isOffered }]),
    ...differing.map(([organizationId, offered]) => ({ organizationId, isOffered: offered.has(id) })),
  ]
}

/** Names that differ from each other: two providers of one owner may share a name there. */
class Names {
  readonly #taken = new Set<string>()

  unique(owner: string, name: string): string {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`
      const key = `${owner} ${candidate.toLowerCase()}`
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      return candidate
    }
  }
}

function* draftsOf(owner: string, parts: Parts<ProviderState>, reading: Reading, names: Names): Generator<Item> {
  for (const id of parts.gone) yield removed({ kind: 'identity-provider', id })
  for (const [id, provider] of parts.living) yield* draftOf(owner, id, provider, reading, names)
}

function* draftOf(
  owner: string,
  id: string,
  { value, createdAt, changedAt }: Dated<ProviderState>,
  reading: Reading,
  names: Names,
): Generator<Item> {
  const type = TYPES[value.type]
  const given = value.values.name || value.type
  const problem = value.isIncomplete ? 'it was never configured' : describedProblem(value)
  if (type === undefined || problem !== undefined) {
    const why = problem ?? `there is no type ${value.type} here`
    yield remark('identity-provider', id, `It stays behind: ${why}.`)
    return
  }
  const saml = type === 'saml' ? samlDescription(value) : undefined
  if (type === 'saml' && saml === undefined) {
    yield remark('identity-provider', id, 'It stays behind: its metadata or its certificate are missing.')
    return
  }
  const change = type === 'saml' ? samlRemark(value) : undefined
  if (change !== undefined) yield remark('identity-provider', id, change)
  const [{ clientId, secret }, connection] = [clientOf(value), describedConnection(value)]
  const name = names.unique(owner, given)
  if (name !== given) {
    yield remark('identity-provider', id, `Its name became "${name}", because another one is named "${given}", too.`)
  }
  if (!value.isActive) {
    yield remark(
      'identity-provider',
      id,
      'It was deactivated, which newer versions of ZITADEL do not show: it is here.',
    )
  }
  yield {
    kind: 'identity-provider',
    id,
    organizationId: owner,
    createdAt,
    changedAt,
    name,
    isActive: value.isActive,
    type,
    clientId,
    ...(secret && { clientSecret: reading.keys.open(secret, `the identity provider ${id}`) }),
    values: { ...valuesOf(value), ...(saml && { saml }), ...(connection && { connection }) },
    choices: choicesOf(id, owner, reading) ?? [],
  }
}

/** Those of the instance also when only an organization changed: what can be chosen depends on the policies of both. */
export async function* providerDrafts(reading: Reading): AsyncGenerator<Item> {
  const { log, world, changed } = reading
  if (changed && !changed.has('instance') && !changed.has('org')) return
  const names = new Names()
  for await (const { state } of fold(log, instanceProviders)) yield* draftsOf('', state, reading, names)
  const ids = changed === undefined || changed.has('instance') ? undefined : (changed.get('org') ?? [])
  for await (const { id, state } of fold(log, organizationProviders, ids)) {
    if (await world.organization(id)) yield* draftsOf(id, state, reading, names)
  }
}
