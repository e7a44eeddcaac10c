/** Rotates the keys step by step. What is done so far is in the store, so that any node can continue. */

import { instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Origin } from '../../../store/index.ts'
import { longestTokenLifetime } from '../../settings/index.ts'
import type { WebKeys } from '../decider.ts'
import { webKeys } from '../documents.ts'
import { nextStep, type RotationStep, type RotationTimes, retiredKeys } from '../rotation.ts'
import { addNewKey, ensureWebKeys, newWebKey } from './add-key.ts'

function originOf({ clock }: App): Origin {
  return { actor: 'server', at: clock() }
}

async function timesOf(app: App, state: WebKeys): Promise<RotationTimes> {
  const since = retiredKeys(state).map(({ activatedAt, addedAt }) => activatedAt ?? addedAt)
  const longestLifetimeMs = since.length === 0 ? 0 : await longestTokenLifetime(app, instant(Math.min(...since)))
  return { at: app.clock(), rotationMs: app.config.webKeyRotationMs, longestLifetimeMs }
}

/** Takes a step, unless another node took one meanwhile. */
async function takeStep(app: App, step: RotationStep, times: RotationTimes): Promise<void> {
  const { store, instanceId } = app
  const key = step.type === 'add' ? await newWebKey(app, step.keyType) : undefined
  await store.write(originOf(app), async (work) => {
    const document = await work.get(webKeys, instanceId)
    const now = document && nextStep(document.state, times)
    if (now?.type !== step.type) return
    if (now.type === 'add') {
      if (key !== undefined) await addNewKey(app, work, key)
    } else if (now.type === 'activate') {
      const command = { type: 'activate', keyId: now.keyId, at: work.origin.at, isRotation: true } as const
      await work.decide(webKeys, instanceId, command)
    } else {
      await work.decide(webKeys, instanceId, { type: 'remove', keyId: now.keyId })
    }
  })
}

/** Does everything that rotation has to do now, and returns which steps it took. */
export async function rotateKeys(app: App, signal?: AbortSignal): Promise<readonly RotationStep['type'][]> {
  const taken: RotationStep['type'][] = []
  for (;;) {
    signal?.throwIfAborted()
    const { state } = await ensureWebKeys(app)
    const times = await timesOf(app, state)
    const step = nextStep(state, times)
    if (step === undefined) return taken
    await takeStep(app, step, times)
    taken.push(step.type)
    app.log.info({ step: step.type }, 'web key rotation')
  }
}

/** Replaces the active key as soon as the next one has been published for long enough. Returns whether that was now. */
export async function requestRotation(app: App): Promise<{ readonly isActivated: boolean }> {
  await ensureWebKeys(app)
  await app.store.write(originOf(app), (work) => work.decide(webKeys, app.instanceId, { type: 'request_rotation' }))
  return { isActivated: (await rotateKeys(app)).includes('activate') }
}
