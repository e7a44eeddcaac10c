/** The kind `target`: its search fields, its unique name and its sealed key. */
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader, type Work } from '../../store/index.ts'
import { isLivingTarget, type LivingTarget, type Target, target } from './decider.ts'
import { targetEvents } from './events.ts'
import { targetRefusals } from './refusals.ts'

const NAME_CLAIM = 'target-name'

/** How many targets there may be, and how many public keys one may have. */
const MOST_TARGETS = 2_000
const MOST_PUBLIC_KEYS = 10

export const targets = kind({
  name: 'target',
  ids: 'own',
  waits: false,
  path: { changedBy: 'Only the instance has it.' },
  version: 1,
  events: targetEvents,
  decider: target,
  refusals: targetRefusals,
  sortsByChange: true,
  fields: {
    name: { path: ['search', 'name'], type: 'text', beside: ['typedName'] },
    typedName: { path: ['name'], type: 'text', indexed: false },
    type: { path: ['type'], type: 'text', indexed: false },
    endpoint: { path: ['endpoint'], type: 'text', indexed: false },
    timeoutMs: { path: ['timeoutMs'], type: 'number', indexed: false },
    interrupts: { path: ['search', 'interrupts'], type: 'number', indexed: false },
  },
  claims: (state) =>
    isLivingTarget(state)
      ? [
          {
            kind: NAME_CLAIM,
            within: { instance: 'Only the instance has targets.' },
            value: state.name,
            taken: 'target.name_taken' as const,
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    if (!isLivingTarget(state)) return []
    const before = state.secret.signingKey
    return [
      { member: 'signingKey', text: before, reseal: (signingKey) => ({ type: 'reseal', before, signingKey }) as const },
    ]
  },
  limits: [
    { things: 'targets', holder: 'the instance', by: ['owner'], number: MOST_TARGETS },
    {
      things: 'public keys',
      holder: 'a target',
      inside: (state) => (isLivingTarget(state) ? state.publicKeys.length : 0),
      number: MOST_PUBLIC_KEYS,
    },
  ],
})

/** The place for which the key of a target is encrypted. */
export function signingKeyPlace(id: string) {
  return { kind: targets.name, id, member: 'signingKey' } as const
}

/** A target that exists. */
export async function findTarget(reader: Reader, id: string): Promise<Document<LivingTarget> | undefined> {
  const found = await reader.get(targets, id)
  return found !== undefined && isLivingTarget(found.state) ? (found as Document<LivingTarget>) : undefined
}

/** The key that signs what is sent to a target. */
export function signingKeyOf({ vault }: App, { id, state }: Document<LivingTarget>): Promise<string> {
  return vault.open(signingKeyPlace(id), state.secret.signingKey)
}

/** Removes a target as part of a write, also from the executions that call it. */
export async function removeTargetIn(app: App, work: Work, id: string): Promise<Document<Target>> {
  await app.lifecycle.whenTargetRemoved(app, work, id)
  return work.decide(targets, id, { type: 'remove' }, app.instanceId)
}
