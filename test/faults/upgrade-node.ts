/**
 * A node of one version: an operating system process with the store open on the PostgreSQL of its first argument, and the
 * boxes of the version in its second. It changes and reads boxes as it is told over the channel to its parent.
 */
import { Refused } from '../../src/kernel/refusal.ts'
import { NO_OBSERVER, openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { type CountedBox, countedBoxes } from '../support/box-versions.ts'
import { boxes, by, crates } from '../support/sample-kind.ts'

export type UpgradeRequest = { readonly number: number } & (
  | { readonly type: 'relabel'; readonly id: string; readonly label: string }
  | { readonly type: 'pack'; readonly id: string; readonly label: string }
  /** Compares the document, the list and the claim with what was acknowledged last. */
  | { readonly type: 'look'; readonly id: string; readonly label: string; readonly changes: number }
  | { readonly type: 'close' }
)

/** `answer` is `ok`, the code of a refusal, or what is wrong. */
export interface UpgradeReply {
  readonly number: number
  readonly answer: string
}

const [, , url = '', version = '1', marks = 'yes', retireAfterMs = '600000'] = process.argv
const isNext = version === '2'
// Both versions have these members, so that one program can play both.
const used = isNext ? countedBoxes : (boxes as unknown as typeof countedBoxes)
const engine = await openPostgres({
  url,
  poolSize: 4,
  marksOthers: marks === 'yes',
  heartbeatMs: 200,
  retireAfterMs: Number(retireAfterMs),
  release: `version ${version}`,
  observer: {
    ...NO_OBSERVER,
    building: ({ done, total }) => process.send?.({ number: -1, answer: `${done} of ${total}` } satisfies UpgradeReply),
  },
})
const store = await openStore(engine, [used, crates])

function problemOf(state: CountedBox | undefined, label: string, changes: number): string | undefined {
  if (state?.label !== label) return `document: ${state?.label} instead of ${label}`
  if (isNext && state.changes !== changes) return `document: ${state.changes} changes instead of ${changes}`
  return undefined
}

async function look(id: string, label: string, changes: number): Promise<string> {
  const document = await store.get(used, id)
  const { documents } = await store.find(used, { where: { field: 'label', equals: label }, limit: 2 })
  const holder = await store.findClaimHolder('label', label.toLowerCase())
  const wrong = problemOf(document?.state, label, changes) ?? problemOf(documents[0]?.state, label, changes)
  if (wrong !== undefined) return wrong
  return holder === id ? 'ok' : `claim: ${holder}`
}

async function answer(request: UpgradeRequest): Promise<string> {
  try {
    if (request.type === 'close') await store.close()
    else if (request.type === 'look') {
      return await store.asOneRequest(() => look(request.id, request.label, request.changes))
    } else {
      const { type, id, label } = request
      await store.asOneRequest(() =>
        store.write(by('tester'), (work) =>
          work.decide(used, id, type === 'pack' ? { type, label } : { type: 'label', label }, 'org-1'),
        ),
      )
    }
    return 'ok'
  } catch (error) {
    return error instanceof Refused ? error.code : String(error)
  }
}

process.on('message', async (request: UpgradeRequest) => {
  process.send?.({ number: request.number, answer: await answer(request) } satisfies UpgradeReply)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ number: 0, answer: 'ready' } satisfies UpgradeReply)
