/** The rules of a target and its public keys. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { SealedKey, TargetEvent, TargetSettings } from './events.ts'
import type { TargetRefusal } from './refusals.ts'

/** A key that payloads can be encrypted for. */
export interface TargetPublicKey {
  readonly keyId: string
  /** PEM. */
  readonly publicKey: string
  readonly fingerprint: string
  readonly expiresAt?: Instant
  readonly isActive: boolean
  readonly addedAt: Instant
  readonly changedAt: Instant
}

export interface LivingTarget extends TargetSettings {
  readonly status: 'living'
  readonly publicKeys: readonly TargetPublicKey[]
  readonly secret: SealedKey
  /** What lists are filtered and sorted by. */
  readonly search: { readonly name: string; readonly interrupts: number }
}

export type Target = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingTarget

export type TargetCommand =
  | { readonly type: 'add'; readonly settings: TargetSettings; readonly signingKey: string }
  /** Without `signingKey`, the current one is kept. */
  | { readonly type: 'change'; readonly settings: Partial<TargetSettings>; readonly signingKey?: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly signingKey: string }
  | { readonly type: 'remove' }
  | {
      readonly type: 'add_key'
      readonly keyId: string
      readonly publicKey: string
      readonly fingerprint: string
      readonly expiresAt?: Instant
      readonly at: Instant
    }
  | {
      readonly type: 'activate_key' | 'deactivate_key' | 'remove_key'
      readonly keyId: string
      readonly at: Instant
    }

type TargetDecision = Decision<TargetEvent, TargetRefusal>

export function isLivingTarget(state: Target): state is LivingTarget {
  return state.status === 'living'
}

function withSettings(state: Omit<LivingTarget, 'search'>): LivingTarget {
  return { ...state, search: { name: searchText(state.name), interrupts: Number(state.interruptOnError) } }
}

function evolveLiving(state: LivingTarget, event: TargetEvent): Target {
  const { publicKeys } = state
  switch (event.type) {
    case 'target.added.v1':
      return state
    case 'target.changed.v1':
      return withSettings({ ...state, ...event.data })
    case 'target.key_resealed.v1':
      return { ...state, secret: event.data.secret }
    case 'target.removed.v1':
      return { status: 'removed' }
    case 'target.public_key_added.v1': {
      const { at, ...key } = event.data
      return { ...state, publicKeys: [...publicKeys, { ...key, isActive: false, addedAt: at, changedAt: at }] }
    }
    case 'target.public_key_activated.v1':
    case 'target.public_key_deactivated.v1': {
      const { keyId, at } = event.data
      const activates = event.type === 'target.public_key_activated.v1'
      const changed = publicKeys.map((key) => {
        const isActive = key.keyId === keyId ? activates : key.isActive && !activates
        return isActive === key.isActive ? key : { ...key, isActive, changedAt: at }
      })
      return { ...state, publicKeys: changed }
    }
    case 'target.public_key_removed.v1':
      return { ...state, publicKeys: publicKeys.filter(({ keyId }) => keyId !== event.data.keyId) }
  }
}

/** Those of the settings that differ. */
function changesOf(state: LivingTarget, settings: Partial<TargetSettings>): Partial<TargetSettings> {
  const names = Object.keys(settings) as (keyof TargetSettings)[]
  return Object.fromEntries(
    names.filter((name) => settings[name] !== state[name]).map((name) => [name, settings[name]]),
  )
}

type KeyCommand = Extract<TargetCommand, { readonly type: 'activate_key' | 'deactivate_key' | 'remove_key' }>

function decideOnKey({ type, keyId, at }: KeyCommand, state: LivingTarget): TargetDecision {
  const key = state.publicKeys.find((one) => one.keyId === keyId)
  if (type === 'remove_key') {
    if (key?.isActive) return refuse('target.public_key_active')
    return key === undefined ? accept() : accept({ type: 'target.public_key_removed.v1', data: { keyId } })
  }
  if (key === undefined) return refuse('target.public_key_not_found')
  if (type === 'deactivate_key') {
    return key.isActive ? accept({ type: 'target.public_key_deactivated.v1', data: { keyId, at } }) : accept()
  }
  if (key.expiresAt !== undefined && key.expiresAt <= at) return refuse('target.public_key_expired')
  return key.isActive ? accept() : accept({ type: 'target.public_key_activated.v1', data: { keyId, at } })
}

function decideOnLiving(command: Exclude<TargetCommand, { type: 'add' }>, state: LivingTarget): TargetDecision {
  switch (command.type) {
    case 'change': {
      const { signingKey } = command
      // An asynchronous call interrupts nothing.
      const isAsync = (command.settings.type ?? state.type) === 'async'
      const changes = changesOf(state, { ...command.settings, ...(isAsync && { interruptOnError: false }) })
      if (signingKey === undefined && Object.keys(changes).length === 0) return accept()
      const secret = signingKey === undefined ? {} : { secret: { signingKey } }
      return accept({ type: 'target.changed.v1', data: { ...changes, ...secret } })
    }
    case 'reseal': {
      if (state.secret.signingKey !== command.before) return accept()
      return accept({ type: 'target.key_resealed.v1', data: { secret: { signingKey: command.signingKey } } })
    }
    case 'remove':
      return accept({ type: 'target.removed.v1', data: {} })
    case 'add_key': {
      const { type: _, ...key } = command
      return accept({ type: 'target.public_key_added.v1', data: key })
    }
    default:
      return decideOnKey(command, state)
  }
}

export const target: Decider<TargetCommand, Target, TargetEvent, TargetRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'target.added.v1') {
      return state.status === 'unknown' ? withSettings({ status: 'living', publicKeys: [], ...event.data }) : state
    }
    return isLivingTarget(state) ? evolveLiving(state, event) : state
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('target.id_taken')
      const { settings, signingKey } = command
      return accept({ type: 'target.added.v1', data: { ...settings, secret: { signingKey } } })
    }
    if (isLivingTarget(state)) return decideOnLiving(command, state)
    // A public key of something that is not there is a precondition, as it is with a key that is not there.
    return refuse(/_key$/.test(command.type) ? 'target.public_key_not_found' : 'target.not_found')
  },
}
