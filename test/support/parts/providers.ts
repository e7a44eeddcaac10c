/** Sign-ins with identity providers: a real clock, and providers on this machine. */
import assert from 'node:assert/strict'
import { AutoLinkingOption, EmailTrust } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Caller } from '../../../src/access/call.ts'
import { finishIntent } from '../../../src/features/sign-in-intents/index.ts'
import { type Clock, instant, systemClock } from '../../../src/kernel/instant.ts'
import type { GuardedFetch } from '../../../src/outbound/fetch.ts'
import { engines, type TestEngine } from '../engines.ts'
import { openWorld, type World, type WorldWith } from '../world.ts'

export const SUCCESS = 'https://app.example/in?from=test'
export const FAILURE = 'https://app.example/no'

const callers: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  owner: {
    userId: 'north-owner',
    organizationId: 'north',
    grants: [{ scope: { organizationId: 'north' }, roles: ['ORG_OWNER'] }],
  },
  settings: {
    userId: 'settings-manager',
    organizationId: 'north',
    grants: [{ scope: { organizationId: 'north' }, roles: ['ORG_SETTINGS_MANAGER'] }],
  },
  nobody: { userId: 'nobody', organizationId: 'north', grants: [] },
  south: {
    userId: 'south-manager',
    organizationId: 'south',
    grants: [{ scope: { organizationId: 'south' }, roles: ['ORG_OWNER'] }],
  },
}

export interface WorldOptions {
  readonly engine?: TestEngine | undefined
  readonly fetchOutside?: GuardedFetch
  readonly allowedRedirects?: 'any' | readonly string[]
  readonly timeoutMilliseconds?: number
}

export type ProviderSettings = Partial<{
  name: string
  isLinkingAllowed: boolean
  isCreationAllowed: boolean
  isAutoCreation: boolean
  isAutoUpdate: boolean
  autoLinking: AutoLinkingOption
  emailTrust: EmailTrust
  clientSecret: string
}>

function defaultEngine(): TestEngine {
  return engines[0] ?? assert.fail('no engine')
}

/** `north` is the organization, `boss` has all permissions, `owner` has all in `north`, `settings` manages its settings, `nobody` has none. The clock is real. */
export function withProviders() {
  const time = { offset: 0 }
  const clock = () => instant(systemClock() + time.offset)
  return {
    options: { organizations: ['north', 'south'], callers, clock, externalUrl: 'https://id.example' },
    given: (world: World) => given(world, time, clock),
  }
}

/** Opens a world with providers. */
export function openProviderWorld(options: WorldOptions = {}): Promise<ProviderWorld> {
  const { engine = defaultEngine(), fetchOutside, allowedRedirects = 'any', timeoutMilliseconds = 10_000 } = options
  const config = { allowedRedirects, longestWaitMs: timeoutMilliseconds }
  return openWorld({ engine, config, ...(fetchOutside && { fetchOutside }) }, withProviders())
}

function given({ app, store, call }: World, time: { offset: number }, clock: Clock) {
  let count = 0

  const addProvider = async (issuer: string, settings: ProviderSettings = {}): Promise<string> => {
    const { name = `provider ${++count}`, clientSecret = 'a secret: 1+1=2', ...others } = settings
    const { id } = await call(
      ManagementService.method.addGenericOIDCProvider,
      {
        name,
        issuer,
        clientId: 'signet-client',
        clientSecret,
        scopes: ['openid', 'profile', 'email'],
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, ...others },
      },
      { bearer: 'boss' },
    )
    return id
  }

  /** Starts a sign-in through the API; returns the URL of the response, with the ID of the intent in its state. */
  const start = async (idpId: string, urls: { successUrl?: string; failureUrl?: string; loginHint?: string } = {}) => {
    const reply = await call(
      UserService.method.startIdentityProviderIntent,
      { idpId, content: { case: 'urls', value: { successUrl: SUCCESS, failureUrl: FAILURE, ...urls } } },
      { bearer: 'boss' },
    )
    const authUrl = reply.nextStep.case === 'authUrl' ? reply.nextStep.value : ''
    const state = new URL(authUrl).searchParams.get('state') ?? ''
    return { authUrl, state, intentId: state.split('.')[0] ?? '' }
  }

  /** The browser returns. */
  const finish = (parameters: URLSearchParams, browser?: string) => finishIntent(app, { parameters, browser })

  /** The URL that the browser is redirected to. */
  const finishAt = async (parameters: URLSearchParams, browser?: string): Promise<URL> => {
    const finished = await finish(parameters, browser)
    assert.equal(finished.type, 'redirect')
    return new URL(finished.type === 'redirect' ? finished.url : '')
  }

  const retrieve = (idpIntentId: string, idpIntentToken: string) =>
    call(UserService.method.retrieveIdentityProviderIntent, { idpIntentId, idpIntentToken }, { bearer: 'nobody' })

  const eventsOf = async (id: string) =>
    (await store.events({ kinds: ['intent'], id, limit: 100 })).map(({ type, data }) => ({ type, data }))

  return { time, clock, vault: app.vault, addProvider, start, finish, finishAt, retrieve, eventsOf }
}

export type ProviderWorld = WorldWith<ReturnType<typeof given>>

/** The first test of everything: an honest sign-in. */
export async function signIn(world: ProviderWorld, answer: (authUrl: string) => URLSearchParams, idpId: string) {
  const { authUrl, intentId } = await world.start(idpId)
  const url = await world.finishAt(answer(authUrl))
  return { intentId, url, token: url.searchParams.get('token') ?? '', user: url.searchParams.get('user') }
}

export { AutoLinkingOption, EmailTrust }
