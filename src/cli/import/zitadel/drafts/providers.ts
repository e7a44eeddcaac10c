/** Identity providers as drafts. */
import type { ProviderType } from '../../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft, ProviderValues } from '../../draft.ts'
import type { Dated, Parts } from '../fold.ts'
import { fold } from '../fold.ts'
import { clientOf, instanceProviders, organizationProviders, type ProviderState } from '../folds/providers.ts'
import { type Item, type Reading, remark, removed } from '../reading.ts'
import type { World } from '../world.ts'

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
function choicesOf(id: string, owner: string, { level, offeredIn }: World): IdentityProviderDraft['choices'] {
  const isOffered = level.offered.has(id)
  if (owner !== '') {
    const own = offeredIn.get(owner)?.has(id) ?? isOffered
    return own ? [] : [{ organizationId: owner, isOffered: false }]
  }
  const differing = [...offeredIn].filter(([, offered]) => offered.has(id) !== isOffered)
  return [
    ...(isOffered ? [] : [{ organizationId: '', isOffered: false }]),
    ...differing.map(([organizationId]) => ({ organizationId, isOffered: !isOffered })),
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
  for (const id of parts.gone) yield removed('identity-provider', id)
  for (const [id, provider] of parts.living) yield* draftOf(owner, id, provider, reading, names)
}

function* draftOf(
  owner: string,
  id: string,
  { value, createdAt, changedAt }: Dated<ProviderState>,
  { keys, world }: Reading,
  names: Names,
): Generator<Item> {
  const type = TYPES[value.type]
  const given = value.values.name || value.type
  if (type === undefined || value.isIncomplete) {
    const why = value.isIncomplete ? 'it was never configured' : `there is no type ${value.type} here`
    yield remark('identity-provider', id, `It stays behind: ${why}.`)
    return
  }
  const { clientId, secret } = clientOf(value)
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
    ...(secret && { clientSecret: keys.open(secret, `the identity provider ${id}`) }),
    values: valuesOf(value),
    choices: choicesOf(id, owner, world) ?? [],
  }
}

/** All of them also when only some changed: what can be chosen depends on the policies of others. */
export async function* providerDrafts(reading: Reading): AsyncGenerator<Item> {
  const { log, world, changed } = reading
  if (changed && !changed.has('instance') && !changed.has('org')) return
  const names = new Names()
  for await (const { state } of fold(log, instanceProviders)) yield* draftsOf('', state, reading, names)
  for await (const { id, state } of fold(log, organizationProviders)) {
    if (world.organizations.has(id)) yield* draftsOf(id, state, reading, names)
  }
}
