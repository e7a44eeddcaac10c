/** Targets and executions of actions, from the events of `target` and `execution`. */
import type { Instant } from '../../../../kernel/instant.ts'
import {
  anything,
  type CryptoValue,
  crypto,
  flag,
  type Members,
  milliseconds,
  need,
  object,
  optional,
  type PeerEvent,
  take,
  text,
  time,
  whole,
} from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'

const SETTINGS = {
  name: text,
  endpoint: text,
  timeout: milliseconds,
  targetType: whole,
  payloadType: whole,
  interruptOnError: flag,
}

/** A key that payloads are encrypted for. */
interface TargetKey {
  /** PEM in base64. */
  readonly publicKey: string
  readonly expiresAt?: Instant
  readonly isActive: boolean
}

export interface TargetState {
  settings: Members<typeof SETTINGS>
  signingKey?: CryptoValue
  keys: Parts<TargetKey>
}

function setTarget(state: TargetState, event: PeerEvent): void {
  state.settings = { ...state.settings, ...take(event, SETTINGS) }
  const signingKey = optional(event, 'signingKey', crypto)
  if (signingKey) state.signingKey = signingKey
}

function keyId(event: PeerEvent): string {
  return need(event, 'keyId', text)
}

/** One key at a time is active. */
function activate({ keys }: TargetState, event: PeerEvent): void {
  for (const [id, { value }] of keys.living) {
    const isActive = id === keyId(event)
    if (value.isActive !== isActive) keys.change(id, event, (key) => ({ ...key, isActive }))
  }
}

const KEY_CHANGES: Changes<TargetState> = {
  'target.key.added'({ keys }, event) {
    const expiresAt = optional(event, 'expirationDate', time)
    const publicKey = need(event, 'publicKey', text)
    // The zero time of the source stands for none.
    keys.add(keyId(event), { publicKey, isActive: false, ...(expiresAt && expiresAt > 0 && { expiresAt }) }, event)
  },
  'target.key.activated': activate,
  'target.key.deactivated': ({ keys }, event) =>
    keys.change(keyId(event), event, (key) => ({ ...key, isActive: false })),
  'target.key.removed': ({ keys }, event) => keys.remove(keyId(event)),
}

export const targets: Folding<TargetState> = {
  aggregateType: 'target',
  initial: () => ({ settings: {}, keys: new Parts() }),
  begins: ['target.added'],
  ends: ['target.removed'],
  dating: /^target\.(added|changed)$/,
  changes: { 'target.added': setTarget, 'target.changed': setTarget, ...KEY_CHANGES },
}

/** What a condition calls, in the order of the calls. Nothing: it was switched off. */
export interface ExecutionState {
  targetIds: readonly string[]
  /** Conditions whose calls are included; only old versions have them. */
  included: readonly string[]
  since?: Instant
}

/** The number of a target among the things that an execution calls. */
const TARGET = 2

function setExecution(state: ExecutionState, event: PeerEvent): void {
  const listed = optional(event, 'targets', anything) ?? []
  const called = Array.isArray(listed) ? listed.map((one) => object(one) ?? {}) : []
  const named = called.flatMap(({ type, target }) => (typeof target === 'string' ? [{ type, target }] : []))
  state.targetIds = named.filter(({ type }) => type === TARGET).map(({ target }) => target)
  state.included = named.filter(({ type }) => type !== TARGET).map(({ target }) => target)
  if (named.length === 0) delete state.since
  else state.since ??= event.at
}

/** The ID of an execution is its condition: `event/user.human.added`. */
export const executions: Folding<ExecutionState> = {
  aggregateType: 'execution',
  initial: () => ({ targetIds: [], included: [] }),
  ends: ['execution.removed'],
  changes: { 'execution.set': setExecution, 'execution.v2.set': setExecution },
}
