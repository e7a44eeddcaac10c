/** The rooms in which people sign in, wired to each other: sessions, sign-in elsewhere, and whose a bearer is. */
import type { AuthorizationOptions } from '../access/authorization.ts'
import { SESSION_TOKEN_PREFIX } from '../crypto/tokens.ts'
import { findProvider, openProvider } from '../features/identity-providers/index.ts'
import { identifyByPersonalAccessToken } from '../features/machines/index.ts'
import { identifyBySessionToken, type SessionsNeeds } from '../features/sessions/index.ts'
import { effectiveSettings } from '../features/settings/index.ts'
import { checkIntent, type IntentsNeeds, openRelyingParty } from '../features/sign-in-intents/index.ts'
import { addHuman, fieldsOfHuman, prepareHuman } from '../features/users/index.ts'
import type { Store } from '../store/index.ts'
import type { Outside } from './outside.ts'
import type { People } from './people.ts'

/** Where providers send browsers back to. */
const CALLBACK_PATH = '/idps/callback'

/** Whose bearer it is; what it starts with tells which kind it is. */
function identifyBearer(store: Store, instanceId: string): AuthorizationOptions['identify'] {
  const byPersonalAccessToken = identifyByPersonalAccessToken(store)
  const bySessionToken = identifyBySessionToken(store, instanceId)
  return (bearer, at) =>
    bearer.startsWith(SESSION_TOKEN_PREFIX) ? bySessionToken(bearer, at) : byPersonalAccessToken(bearer, at)
}

export interface SigningIn {
  readonly intents: IntentsNeeds
  readonly sessions: SessionsNeeds
  /** Whose bearer it is, for the gate. */
  readonly identify: AuthorizationOptions['identify']
}

/** Opens the rooms in which people sign in. */
export function openSigningIn(outside: Outside, { users, passwords, passkeys, oneTimeCodes }: People): SigningIn {
  const { store, vault, newId, clock, instanceId, externalUrl, longestWaitMilliseconds } = outside

  const intents: IntentsNeeds = {
    store,
    vault,
    newId,
    clock,
    instanceId,
    findProvider: (idpId) => openProvider({ store, vault }, idpId, clock()),
    async findProviderState(reader, idpId) {
      const provider = await findProvider(reader, idpId)
      return provider && { owner: provider.owner, state: provider.state.status }
    },
    async isOffered(reader, idpId, organizationId) {
      const { withheldProviders } = await effectiveSettings(reader, organizationId, instanceId)
      return !withheldProviders.includes(idpId)
    },
    async prepareHuman(organizationId, draft) {
      const prepared = await prepareHuman(users, organizationId, draft, fieldsOfHuman())
      return async (work) => (await addHuman(users, work, prepared)).user.id
    },
    relyingParty: openRelyingParty({
      fetch: outside.fetchOutside,
      clock,
      redirectUri: new URL(CALLBACK_PATH, externalUrl).href,
      timeoutMilliseconds: Math.min(20_000, longestWaitMilliseconds),
    }),
    allowedRedirects: outside.allowedRedirects,
  }

  const sessions: SessionsNeeds = {
    store,
    newId,
    instanceId,
    checks: passwords.checks,
    passkeys,
    oneTimeCodes,
    checkIntent: (work, intent) => checkIntent(intents, work, intent),
  }

  return { intents, sessions, identify: identifyBearer(store, instanceId) }
}
