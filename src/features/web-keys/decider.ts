/** The rules of the keys that sign tokens: at most one of them is active. Pure. */

import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { PublicMembers, WebKeyType } from '../../kernel/web-key-type.ts'
import type { RestoredKey, SealedPrivateKey, WebKeyEvent } from './events.ts'
import type { WebKeyRefusal } from './refusals.ts'

/** A published key. */
export interface WebKey {
  /** The `kid` in the header of tokens. */
  readonly keyId: string
  readonly keyType: WebKeyType
  readonly publicKey: PublicMembers
  readonly status: 'initial' | 'active' | 'inactive'
  readonly addedAt: Instant
  /** When its status changed last. */
  readonly changedAt: Instant
  /** When it began to sign; undefined before that. */
  readonly activatedAt?: Instant
  /** Whether a rotation replaced it, so that it is removed when no token needs it any more. */
  readonly isRetired: boolean
  /** Not there if it only verifies. */
  readonly secret?: SealedPrivateKey
}

/** All published keys, in the order in which they were added. Removed ones leave nothing behind. */
export interface WebKeys {
  readonly keys: readonly WebKey[]
  /** Whether the active key is to be replaced before its time. */
  readonly isRotationRequested: boolean
}

export type WebKeysCommand =
  | {
      readonly type: 'add'
      readonly keyId: string
      readonly keyType: WebKeyType
      readonly publicKey: PublicMembers
      /** The encrypted private key. */
      readonly privateKey: string
      readonly at: Instant
    }
  | {
      readonly type: 'bring'
      readonly keyId: string
      readonly keyType: WebKeyType
      readonly publicKey: PublicMembers
      readonly at: Instant
      readonly restored?: RestoredKey
    }
  | { readonly type: 'activate'; readonly keyId: string; readonly at: Instant; readonly isRotation: boolean }
  /** Removing a key that does not exist is not refused. */
  | { readonly type: 'remove'; readonly keyId: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly keyId: string; readonly before: string; readonly privateKey: string }
  | { readonly type: 'request_rotation' }

/** Every client that verifies a token fetches all of them. */
export const MOST_KEYS = 50

/** One of the published keys. */
export function findKey({ keys }: WebKeys, keyId: string): WebKey | undefined {
  return keys.find((key) => key.keyId === keyId)
}

/** The key that signs. */
export function activeKey({ keys }: WebKeys): WebKey | undefined {
  return keys.find(({ status }) => status === 'active')
}

function activated(key: WebKey, event: Extract<WebKeyEvent, { type: 'web_key.activated.v1' }>): WebKey {
  const { keyId, activatedAt, isRotation } = event.data
  if (key.keyId === keyId) return { ...key, status: 'active', changedAt: activatedAt, activatedAt, isRetired: false }
  if (key.status !== 'active') return key
  return { ...key, status: 'inactive', changedAt: activatedAt, isRetired: isRotation }
}

export const webKeysDecider: Decider<WebKeysCommand, WebKeys, WebKeyEvent, WebKeyRefusal> = {
  initial: { keys: [], isRotationRequested: false },

  evolve(state, event) {
    switch (event.type) {
      case 'web_key.added.v1': {
        const { addedAt } = event.data
        const added: WebKey = { ...event.data, status: 'initial', changedAt: addedAt, isRetired: false }
        return { ...state, keys: [...state.keys, added] }
      }
      case 'web_key.imported.v1': {
        const { addedAt } = event.data
        const added: WebKey = { status: 'inactive', changedAt: addedAt, isRetired: false, ...event.data }
        return { ...state, keys: [...state.keys, added] }
      }
      case 'web_key.activated.v1':
        return { isRotationRequested: false, keys: state.keys.map((key) => activated(key, event)) }
      case 'web_key.removed.v1':
        return { ...state, keys: state.keys.filter(({ keyId }) => keyId !== event.data.keyId) }
      case 'web_key.resealed.v1': {
        const { keyId, secret } = event.data
        return { ...state, keys: state.keys.map((key) => (key.keyId === keyId ? { ...key, secret } : key)) }
      }
      case 'web_key.rotation_requested.v1':
        return { ...state, isRotationRequested: true }
    }
  },

  decide(command, state) {
    if (command.type === 'request_rotation') {
      return state.isRotationRequested ? accept() : accept({ type: 'web_key.rotation_requested.v1', data: {} })
    }
    const key = findKey(state, command.keyId)
    switch (command.type) {
      case 'add': {
        if (key !== undefined) return refuse('web_key.id_taken')
        if (state.keys.length >= MOST_KEYS) return refuse('web_key.too_many')
        const { keyId, keyType, publicKey, privateKey, at } = command
        const data = { keyId, keyType, publicKey, addedAt: at, secret: { privateKey } }
        return accept({ type: 'web_key.added.v1', data })
      }
      case 'bring': {
        if (key !== undefined) return refuse('web_key.id_taken')
        if (state.keys.length >= MOST_KEYS) return refuse('web_key.too_many')
        const { keyId, keyType, publicKey, at, restored } = command
        if (restored?.status === 'active' && (restored.secret === undefined || activeKey(state) !== undefined)) {
          return refuse('web_key.only_verifies')
        }
        return accept({ type: 'web_key.imported.v1', data: { keyId, keyType, publicKey, addedAt: at, ...restored } })
      }
      case 'activate': {
        if (key === undefined) return refuse('web_key.not_found')
        if (key.secret === undefined) return refuse('web_key.only_verifies')
        if (key.status === 'active') return accept()
        const { keyId, at, isRotation } = command
        return accept({ type: 'web_key.activated.v1', data: { keyId, activatedAt: at, isRotation } })
      }
      case 'remove':
        if (key === undefined) return accept()
        if (key.status === 'active') return refuse('web_key.active')
        return accept({ type: 'web_key.removed.v1', data: { keyId: key.keyId } })
      case 'reseal': {
        const { keyId, before, privateKey } = command
        if (key?.secret?.privateKey !== before) return accept()
        return accept({ type: 'web_key.resealed.v1', data: { keyId, secret: { privateKey } } })
      }
    }
  },
}
