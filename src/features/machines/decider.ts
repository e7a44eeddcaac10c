/** The rules of tokens, keys and secrets of machine users. The handlers check that the user may have one. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { MachineKeyEvent, MachineSecretEvent, PersonalAccessTokenEvent, SecretHash } from './events.ts'
import type { MachineRefusal } from './refusals.ts'

/** A credential that never existed, or was removed. */
type Absent = { readonly status: 'unknown' } | { readonly status: 'removed' }

interface Held {
  readonly status: 'active'
  readonly userId: string
  readonly expiresAt: Instant
  /** What it is for. */
  readonly name?: string
}

/** One without a hash was issued by another product. */
export type PersonalAccessToken = Absent | (Held & { readonly secret?: SecretHash })

export type PersonalAccessTokenCommand =
  | {
      readonly type: 'add'
      readonly userId: string
      readonly expiresAt: Instant
      /** Hash of the token's secret part. */
      readonly hash: string
      readonly name?: string
      readonly at: Instant
    }
  | { readonly type: 'bring'; readonly userId: string; readonly expiresAt: Instant; readonly at: Instant }
  | { readonly type: 'remove' }

export const personalAccessToken: Decider<
  PersonalAccessTokenCommand,
  PersonalAccessToken,
  PersonalAccessTokenEvent,
  MachineRefusal
> = {
  initial: { status: 'unknown' },

  evolve(_, event) {
    if (event.type === 'personal_access_token.removed.v1') return { status: 'removed' }
    return { status: 'active', ...event.data }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'active'
        ? accept({ type: 'personal_access_token.removed.v1', data: {} })
        : refuse('machine.token_not_found')
    }
    if (state.status !== 'unknown') return refuse('machine.token_id_taken')
    if (command.expiresAt <= command.at) return refuse('machine.expiration_past')
    const { userId, expiresAt } = command
    if (command.type === 'bring') {
      return accept({ type: 'personal_access_token.imported.v1', data: { userId, expiresAt } })
    }
    const { hash, name = '' } = command
    const named = name === '' ? {} : { name }
    return accept({ type: 'personal_access_token.added.v1', data: { userId, expiresAt, secret: { hash }, ...named } })
  },
}

export type MachineKey = Absent | (Held & { readonly publicKey: string })

export type MachineKeyCommand =
  | {
      readonly type: 'add'
      readonly userId: string
      readonly expiresAt: Instant
      /** SPKI in PEM, checked. */
      readonly publicKey: string
      readonly name?: string
      readonly at: Instant
    }
  | { readonly type: 'remove' }

export const machineKey: Decider<MachineKeyCommand, MachineKey, MachineKeyEvent, MachineRefusal> = {
  initial: { status: 'unknown' },

  evolve(_, event) {
    if (event.type === 'machine_key.removed.v1') return { status: 'removed' }
    return { status: 'active', ...event.data }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'active'
        ? accept({ type: 'machine_key.removed.v1', data: {} })
        : refuse('machine.key_not_found')
    }
    if (state.status !== 'unknown') return refuse('machine.key_id_taken')
    if (command.expiresAt <= command.at) return refuse('machine.expiration_past')
    const { userId, publicKey, expiresAt, name = '' } = command
    const named = name === '' ? {} : { name }
    return accept({ type: 'machine_key.added.v1', data: { userId, publicKey, expiresAt, ...named } })
  },
}

/** One for each machine user, with the same ID. It can be set again after a removal. */
export type MachineSecret = { readonly status: 'none' } | { readonly status: 'set'; readonly secret: SecretHash }

export type MachineSecretCommand =
  | { readonly type: 'set'; readonly hash: string }
  /** Nothing happens when the secret is another one meanwhile. */
  | { readonly type: 'rehash'; readonly from: string; readonly hash: string }
  | { readonly type: 'remove' }

export const machineSecret: Decider<MachineSecretCommand, MachineSecret, MachineSecretEvent, MachineRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    return event.type === 'machine_secret.removed.v1'
      ? { status: 'none' }
      : { status: 'set', secret: event.data.secret }
  },

  decide(command, state) {
    if (command.type === 'set') {
      return accept({ type: 'machine_secret.set.v1', data: { secret: { hash: command.hash } } })
    }
    if (command.type === 'rehash') {
      return state.status === 'set' && state.secret.hash === command.from
        ? accept({ type: 'machine_secret.rehashed.v1', data: { secret: { hash: command.hash } } })
        : accept()
    }
    return state.status === 'set'
      ? accept({ type: 'machine_secret.removed.v1', data: {} })
      : refuse('machine.no_secret')
  },
}
