/** The rules of a trusted transmitter. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { TokenHash, TransmitterSettings, TrustedTransmitterEvent } from './events.ts'
import type { TrustedTransmitterRefusal } from './refusals.ts'

export interface LivingTransmitter extends TransmitterSettings {
  readonly status: 'trusted'
  readonly secret: TokenHash
}

export type TrustedTransmitter = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingTransmitter

type Applied = Extract<TrustedTransmitterEvent, { type: 'trusted_transmitter.signal_applied.v1' }>['data']

export type TrustedTransmitterCommand =
  | { readonly type: 'add'; readonly settings: TransmitterSettings; readonly tokenHash: string }
  | { readonly type: 'change'; readonly settings: Partial<TransmitterSettings> }
  | { readonly type: 'note'; readonly applied: Applied }
  | { readonly type: 'remove' }

/** Whether a transmitter is trusted. */
export function isLiving(state: TrustedTransmitter): state is LivingTransmitter {
  return state.status === 'trusted'
}

/** The settings that differ from those before. */
function changed(state: LivingTransmitter, settings: Partial<TransmitterSettings>): Partial<TransmitterSettings> {
  const before: TransmitterSettings = { isPaused: false, ...state }
  const entries = Object.entries(settings).filter(
    ([name, value]) => value !== before[name as keyof TransmitterSettings],
  )
  return Object.fromEntries(entries)
}

export const trustedTransmitter: Decider<
  TrustedTransmitterCommand,
  TrustedTransmitter,
  TrustedTransmitterEvent,
  TrustedTransmitterRefusal
> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    switch (event.type) {
      case 'trusted_transmitter.added.v1':
        return { status: 'trusted', ...event.data }
      case 'trusted_transmitter.changed.v1':
        return isLiving(state) ? { ...state, ...event.data } : state
      case 'trusted_transmitter.signal_applied.v1':
        return state
      case 'trusted_transmitter.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('trusted_transmitter.id_taken')
      const { settings, tokenHash } = command
      return accept({ type: 'trusted_transmitter.added.v1', data: { ...settings, secret: { tokenHash } } })
    }
    if (!isLiving(state)) return refuse('trusted_transmitter.not_found')
    switch (command.type) {
      case 'change': {
        const data = changed(state, command.settings)
        return Object.keys(data).length === 0 ? accept() : accept({ type: 'trusted_transmitter.changed.v1', data })
      }
      case 'note':
        return accept({ type: 'trusted_transmitter.signal_applied.v1', data: command.applied })
      case 'remove':
        return accept({ type: 'trusted_transmitter.removed.v1', data: {} })
    }
  },
}
