/**
 * The judge of what a fault left behind. It goes by unique content and never by stream and number: a log that was
 * overwritten has all its numbers.
 */
import assert from 'node:assert/strict'
import type { Store, StoredEvent } from '../../src/store/index.ts'
import { boxes, crates } from '../support/sample-kind.ts'

/** What clients said: contents they were going to write, and the sequence of those that were acknowledged. */
export interface History {
  readonly invoked: Set<string>
  readonly acknowledged: Map<string, number>
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

function contentOf({ kind, data }: StoredEvent): string | undefined {
  return kind === 'box' ? (data as { label?: string }).label : undefined
}

/** Acknowledged contents that are not in the log. */
export function lostOf(history: History, events: readonly StoredEvent[]): readonly string[] {
  const present = new Set(events.map(contentOf))
  return [...history.acknowledged.keys()].filter((content) => !present.has(content))
}

/** The whole log. */
export async function readEvents(store: Store): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await store.events({ from: events.at(-1)?.sequence ?? 0, limit: 5000 })
    if (page.length === 0) return events
    events.push(...page)
  }
}

/** Nothing acknowledged is lost, nothing is there twice or uninvited, and the numbers have no gap. */
export function checkHistory(history: History, events: readonly StoredEvent[]): void {
  assert.deepEqual(lostOf(history, events), [])
  const seen = new Set<string>()
  const revisions = new Map<string, number>()
  for (const [index, event] of events.entries()) {
    assert.equal(event.sequence, index + 1)
    const stream = `${event.kind} ${event.id}`
    assert.equal(event.revision, (revisions.get(stream) ?? 0) + 1, `revision of ${stream}`)
    revisions.set(stream, event.revision)
    const content = contentOf(event)
    if (content === undefined) continue
    assert.ok(!seen.has(content), `${content} is there twice`)
    assert.ok(history.invoked.has(content), `nobody wrote ${content}`)
    seen.add(content)
    const sequence = history.acknowledged.get(content)
    // Two streams are packed in one write, whose sequence is that of the second.
    if (sequence !== undefined)
      assert.equal(sequence, event.type === 'box.packed.v1' ? event.sequence + 1 : event.sequence)
  }
}

/** The documents and claims are what the log says, and no stream of a write is there without the other. */
export async function checkDocuments(store: Store, events: readonly StoredEvent[]): Promise<void> {
  const last = new Map<string, StoredEvent>()
  for (const event of events) last.set(`${event.kind} ${event.id}`, event)
  for (const event of last.values()) {
    const document = await store.get(event.kind === 'box' ? boxes : crates, event.id)
    assert.equal(document?.revision, event.revision)
    assert.equal(document.sequence, event.sequence)
    if (event.kind !== 'box') continue
    assert.equal(document.state.label, contentOf(event))
    assert.equal(await store.findClaimHolder('label', contentOf(event) ?? ''), event.id)
    assert.ok(last.has(`crate ${event.id}`))
  }
}
