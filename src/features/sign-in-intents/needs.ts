/** What this room is given by whoever wires the house: its tools, and ports to rooms that stand beside it. */
import type { NewId } from '../../kernel/id.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Reader, Store, Work } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { HumanDraft } from '../users/index.ts'
import type { AllowedRedirects } from './redirects.ts'
import type { RelyingParty } from './relying-party.ts'

/** From which claim a name is taken; `unspecified`: preferred user name, and `name` for the display name. */
export type ClaimMapping = 'unspecified' | 'preferred_username' | 'email'

/** An identity provider, as far as signing in with it goes. */
export interface Provider {
  readonly id: string
  /** The organization whose people sign in with it, or the instance: then everybody. */
  readonly owner: string
  readonly state: 'active' | 'inactive'
  readonly name: string
  /** `oauth`: no discovery and no id token; who it is says the user endpoint. */
  readonly type: 'oidc' | 'oauth'
  readonly issuer?: string | undefined
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  readonly userEndpoint?: string | undefined
  /** Member of the user endpoint's answer that is the account's id; not given: `sub`, else `id`. */
  readonly idAttribute?: string | undefined
  /** Where a provider tells which addresses of the account are verified, as GitHub does. */
  readonly emailsEndpoint?: string | undefined
  readonly clientId: string
  /** In clear; empty: the provider knows us by the id alone. */
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** The provider sends its answer as a form. */
  readonly responseMode?: 'form_post' | undefined
  /** Who it is says the id token alone, although there is a userinfo endpoint. */
  readonly mapsIdToken?: boolean | undefined
  /** The address counts as verified although the provider does not say so. */
  readonly trustsEmail?: boolean | undefined
  /** Microsoft Entra ID for several tenants: the token names the one that its issuer stands for. */
  readonly acceptsTenants?: boolean | undefined
  readonly usernameMapping: ClaimMapping
  readonly displayNameMapping: ClaimMapping
  readonly options: {
    readonly isLinkingAllowed: boolean
    readonly isCreationAllowed: boolean
    readonly isAutoCreation: boolean
    readonly isAutoUpdate: boolean
    readonly autoLinking: 'none' | 'username' | 'email'
  }
}

/** A checked person, who is added as part of a write by calling this; resolves with the id. */
export type AddPreparedHuman = (work: Work) => Promise<string>

/** What decides whether people can sign in with a provider at all. */
export type ProviderState = Pick<Provider, 'owner' | 'state'>

export interface IntentsNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly newId: NewId
  readonly clock: Clock
  readonly instanceId: string
  /** The provider as it is now, with its secret; undefined when there is none. */
  readonly findProvider: (idpId: string) => Promise<Provider | undefined>
  /** The same without its secret. */
  readonly findProviderState: (reader: Reader, idpId: string) => Promise<ProviderState | undefined>
  /** Whether people of an organization may sign in with a provider; its login policy can leave out any. */
  readonly isOffered: (reader: Reader, idpId: string, organizationId: string) => Promise<boolean>
  /** Checks a person for an organization; throws what the room of users refuses. */
  readonly prepareHuman: (organizationId: string, draft: HumanDraft) => Promise<AddPreparedHuman>
  readonly relyingParty: RelyingParty
  readonly allowedRedirects: AllowedRedirects
}
