/**
 * Compares what clients were told with what a fault left behind. It goes by unique content and never by stream and number:
 * a log that was overwritten has all its numbers.
 */
import type { Store, StoredEvent } from '../../src/store/index.ts'
import { boxes, crates } from '../../test/support/sample-kind.ts'

/** What clients said: contents they were going to write, and the sequence of those that were acknowledged. */
export interface History {
  readonly invoked: Set<string>
  readonly acknowledged: Map<string, number>
}

/** How far log and documents are from what was acknowledged; all but the last must be 0. */
export interface Verdict {
  /** Acknowledged, but not in the log. */
  lost: number
  /** More than once in the log. */
  doubled: number
  /** Wrong numbers, contents that were never written, and documents that differ from the log. */
  misplaced: number
  acknowledged: number
}

export function newVerdict(): Verdict {
  return { lost: 0, doubled: 0, misplaced: 0, acknowledged: 0 }
}

export function isSound({ lost, doubled, misplaced }: Verdict): boolean {
  return lost + doubled + misplaced === 0
}

export function addTo(sum: Verdict, { lost, doubled, misplaced, acknowledged }: Verdict): void {
  sum.lost += lost
  sum.doubled += doubled
  sum.misplaced += misplaced
  sum.acknowledged += acknowledged
}

/** Reads what `writing-child.ts` printed; a last line cut in half was not said. */
export function readHistory(output: string): History {
  const invoked = new Set<string>()
  const acknowledged = new Map<string, number>()
  for (const line of output.slice(0, output.lastIndexOf('\n') + 1).split('\n')) {
    const [word, content = '', sequence] = line.split(' ')
    if (word === 'invoke') invoked.add(content)
    if (word === 'ok') acknowledged.set(content, Number(sequence))
  }
  return { invoked, acknowledged }
}

/** Adds what a process said to a history of several. */
export function addHistory(history: History, said: History): void {
  for (const content of said.invoked) history.invoked.add(content)
  for (const [content, sequence] of said.acknowledged) history.acknowledged.set(content, sequence)
}

function contentOf({ kind, data }: StoredEvent): string | undefined {
  return kind === 'box' ? (data as { label?: string }).label : undefined
}

/** The whole log. */
async function readEvents(store: Store): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await store.events({ from: events.at(-1)?.sequence ?? 0, limit: 5000 })
    if (page.length === 0) return events
    events.push(...page)
  }
}

/** Two streams are packed in one write, whose sequence is that of the second. */
function acknowledgedAs({ type, sequence }: StoredEvent): number {
  return type === 'box.packed.v1' ? sequence + 1 : sequence
}

function judgeLog(history: History, events: readonly StoredEvent[]): Verdict {
  const verdict = newVerdict()
  verdict.acknowledged = history.acknowledged.size
  const seen = new Set<string>()
  const revisions = new Map<string, number>()
  for (const [index, event] of events.entries()) {
    const stream = `${event.kind} ${event.id}`
    const revision = (revisions.get(stream) ?? 0) + 1
    revisions.set(stream, revision)
    if (event.sequence !== index + 1 || event.revision !== revision) verdict.misplaced++
    const content = contentOf(event)
    if (content === undefined) continue
    if (seen.has(content)) verdict.doubled++
    seen.add(content)
    const sequence = history.acknowledged.get(content)
    const isElsewhere = sequence !== undefined && sequence !== acknowledgedAs(event)
    if (isElsewhere || !history.invoked.has(content)) verdict.misplaced++
  }
  for (const content of history.acknowledged.keys()) if (!seen.has(content)) verdict.lost++
  return verdict
}

/** Documents and claims that are not what the log says, and streams of a write without the other. */
async function countWrongDocuments(store: Store, events: readonly StoredEvent[]): Promise<number> {
  const last = new Map<string, StoredEvent>()
  for (const event of events) last.set(`${event.kind} ${event.id}`, event)
  let wrong = 0
  for (const event of last.values()) {
    const document = await store.get(event.kind === 'box' ? boxes : crates, event.id)
    if (document?.revision !== event.revision || document.sequence !== event.sequence) wrong++
    if (event.kind !== 'box') continue
    const content = contentOf(event) ?? ''
    const holder = await store.findClaimHolder('label', content)
    if (document?.state.label !== content || holder !== event.id || !last.has(`crate ${event.id}`)) wrong++
  }
  return wrong
}

/** Compares the log and the documents with a history; with `rebuilds`, also the documents that are folded again. */
export async function judge(history: History, store: Store, { rebuilds = false } = {}): Promise<Verdict> {
  const events = await readEvents(store)
  const verdict = judgeLog(history, events)
  verdict.misplaced += await countWrongDocuments(store, events)
  if (rebuilds) {
    await store.rebuild()
    verdict.misplaced += await countWrongDocuments(store, events)
  }
  return verdict
}
