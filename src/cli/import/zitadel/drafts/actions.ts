/** Targets and executions of actions as drafts. */
import type { TargetDraft } from '../../../../features/targets/index.ts'
import { type Folded, fold } from '../fold.ts'
import { type ExecutionState, executions, type TargetState, targets } from '../folds/actions.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'

type Settings = TargetDraft['settings']

const TYPES: readonly Settings['type'][] = ['webhook', 'call', 'async']
const PAYLOADS: readonly Settings['payloadType'][] = ['json', 'json', 'jwt', 'jwe']

function settingsOf({ settings }: TargetState): Settings | undefined {
  const { name = '', endpoint = '', timeout: timeoutMs = 0, targetType = 0, payloadType = 0 } = settings
  const [type, payload] = [TYPES[targetType], PAYLOADS[payloadType]]
  if (type === undefined || payload === undefined) return undefined
  const interruptOnError = type !== 'async' && (settings.interruptOnError ?? false)
  return { name, endpoint, type, interruptOnError, timeoutMs, payloadType: payload, signatureType: 'zitadel' }
}

function publicKeysOf({ keys }: TargetState): TargetDraft['publicKeys'] {
  return [...keys.living].map(([keyId, { value, createdAt: addedAt, changedAt }]) => {
    const { publicKey, ...rest } = value
    return { keyId, publicKey: Buffer.from(publicKey, 'base64').toString('latin1'), ...rest, addedAt, changedAt }
  })
}

export async function* targetDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { id, isAlive, state, createdAt, changedAt } of folded(reading, targets)) {
    if (!isAlive) {
      yield removed({ kind: 'target', id })
      continue
    }
    const settings = settingsOf(state)
    if (!settings) yield remark('target', id, 'It is of a type that there is not here.')
    else if (!state.signingKey)
      yield remark('target', id, 'It has no key that signs what is sent to it: create it anew.')
    else {
      const signingKey = reading.keys.open(state.signingKey, `the target ${id}`)
      const publicKeys = publicKeysOf(state)
      yield { kind: 'target', id, organizationId: '', createdAt, changedAt, settings, signingKey, publicKeys }
    }
  }
}

function* executionDraft(folding: Folded<ExecutionState>, living: ReadonlySet<string>): Generator<Item> {
  const { id: condition, state, changedAt } = folding
  const { included, since } = state
  const targetIds = state.targetIds.filter((id) => living.has(id))
  if (included.length > 0) {
    yield remark('executions', condition, `It includes what ${included.join(', ')} calls: name those targets in it.`)
  }
  if (since === undefined || targetIds.length === 0) {
    yield removed({ kind: 'executions', id: condition })
    return
  }
  const executions = [{ condition, targetIds, addedAt: since }]
  yield { kind: 'executions', id: condition, organizationId: '', createdAt: since, changedAt, executions }
}

/** Always all of them: each tells when something is called, and they come last. */
export async function* executionDrafts({ log }: Reading): AsyncGenerator<Item> {
  const living = new Set<string>()
  for await (const { id, isAlive } of fold(log, { ...targets, changes: {} })) if (isAlive) living.add(id)
  for await (const folding of fold(log, executions)) yield* executionDraft(folding, living)
}
