/** The durable job that rotates the keys: one for all nodes, so that another one continues when a node is lost. */
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { endlessPause } from '../../store/index.ts'
import { rotateKeys } from './handlers/rotate-keys.ts'

const ROTATION_JOB = 'web-key-rotation'

/** Shorter than the time for which a key is published before it signs. */
const EVERY_MS = 300_000
const POLL_MS = 30_000

/** The jobs of this module. */
export function webKeyJobs(app: App): readonly JobGroup[] {
  return [
    {
      repeats: ROTATION_JOB,
      handlers: {
        [ROTATION_JOB]: async ({ signal }) => {
          await rotateKeys(app, signal)
        },
      },
      options: { repeatMilliseconds: EVERY_MS, pollMilliseconds: POLL_MS, pauseAfter: endlessPause },
    },
  ]
}
