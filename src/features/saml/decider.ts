/** The rules of the keys that sign SAML messages: one signs, the next is published long before it does. Pure. */

import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { SamlKeyEvent, SealedSamlKey } from './events.ts'
import type { SamlRefusal } from './refusals.ts'

/** A published key. */
export interface SamlKey {
  readonly keyId: string
  readonly certificate: string
  readonly addedAt: Instant
  readonly expiresAt: Instant
  readonly activatedAt?: Instant
  readonly retiredAt?: Instant
  readonly secret: SealedSamlKey
}

export interface SamlKeys {
  readonly keys: readonly SamlKey[]
}

export type SamlKeysCommand =
  | ({ readonly type: 'add'; readonly privateKey: string } & Omit<SamlKey, 'secret'>)
  | { readonly type: 'activate'; readonly keyId: string; readonly at: Instant }
  | { readonly type: 'remove'; readonly keyId: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly keyId: string; readonly before: string; readonly privateKey: string }

const DAY_MS = 86_400_000

/** Service providers keep a certificate that somebody copied: they need time to copy the next one. */
export const CERTIFICATE_MS = 3 * 365 * DAY_MS
const PUBLISHED_BEFORE_MS = 120 * DAY_MS
const ACTIVATED_BEFORE_MS = 30 * DAY_MS
const RETIRED_FOR_MS = 30 * DAY_MS

/** The key that signs; undefined before there is one. */
export function activeSamlKey({ keys }: SamlKeys): SamlKey | undefined {
  return keys.find(({ activatedAt, retiredAt }) => activatedAt !== undefined && retiredAt === undefined)
}

export type SamlRotation =
  | { readonly type: 'add' }
  | { readonly type: 'activate'; readonly keyId: string }
  | { readonly type: 'remove'; readonly keyId: string }

/** What rotation does next; undefined: nothing for now. */
export function nextRotation(state: SamlKeys, at: Instant): SamlRotation | undefined {
  const old = state.keys.find(({ retiredAt }) => retiredAt !== undefined && at - retiredAt >= RETIRED_FOR_MS)
  if (old !== undefined) return { type: 'remove', keyId: old.keyId }
  const active = activeSamlKey(state)
  const next = state.keys.find(({ activatedAt }) => activatedAt === undefined)
  const left = active === undefined ? 0 : active.expiresAt - at
  if (next === undefined) return left < PUBLISHED_BEFORE_MS ? { type: 'add' } : undefined
  return left < ACTIVATED_BEFORE_MS ? { type: 'activate', keyId: next.keyId } : undefined
}

function activated(key: SamlKey, keyId: string, at: Instant): SamlKey {
  if (key.keyId === keyId) return { ...key, activatedAt: at }
  return key.activatedAt !== undefined && key.retiredAt === undefined ? { ...key, retiredAt: at } : key
}

export const samlKeysDecider: Decider<SamlKeysCommand, SamlKeys, SamlKeyEvent, SamlRefusal> = {
  initial: { keys: [] },

  evolve(state, event) {
    switch (event.type) {
      case 'saml_key.added.v1':
        return { keys: [...state.keys, event.data] }
      case 'saml_key.activated.v1':
        return { keys: state.keys.map((key) => activated(key, event.data.keyId, event.data.activatedAt)) }
      case 'saml_key.removed.v1':
        return { keys: state.keys.filter(({ keyId }) => keyId !== event.data.keyId) }
      case 'saml_key.resealed.v1': {
        const { keyId, secret } = event.data
        return { keys: state.keys.map((key) => (key.keyId === keyId ? { ...key, secret } : key)) }
      }
    }
  },

  decide(command, state) {
    const key = state.keys.find(({ keyId }) => keyId === command.keyId)
    switch (command.type) {
      case 'add': {
        const { type: _, privateKey, ...data } = command
        return key === undefined
          ? accept({ type: 'saml_key.added.v1', data: { ...data, secret: { privateKey } } })
          : refuse('saml_key.unusable')
      }
      case 'activate': {
        if (key === undefined) return refuse('saml_key.not_found')
        if (key.activatedAt !== undefined) return accept()
        return accept({ type: 'saml_key.activated.v1', data: { keyId: key.keyId, activatedAt: command.at } })
      }
      case 'remove':
        return key === undefined ? accept() : accept({ type: 'saml_key.removed.v1', data: { keyId: key.keyId } })
      case 'reseal': {
        const { keyId, before, privateKey } = command
        if (key?.secret.privateKey !== before) return accept()
        return accept({ type: 'saml_key.resealed.v1', data: { keyId, secret: { privateKey } } })
      }
    }
  },
}
