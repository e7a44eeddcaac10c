/**
 * Every event that was ever written must stay readable. The lines beside this file are such events, one of each type and
 * version: a new type gets a new line; a line that has shipped never changes. `folded.json` holds the states that they
 * fold to: it changes only together with a kind's version.
 */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { AnyEvent } from '../../src/kernel/event.ts'
import { kinds as allKinds } from '../../src/modules.ts'

interface GoldenEvent extends AnyEvent {
  readonly kind: string
  readonly id: string
}

async function readGolden(): Promise<readonly GoldenEvent[]> {
  const files = await Array.fromAsync(glob('*.jsonl', { cwd: import.meta.dirname }))
  const texts = await Promise.all(files.sort().map((file) => readFile(join(import.meta.dirname, file), 'utf8')))
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): GoldenEvent => JSON.parse(line)),
  )
}

const kinds = new Map(allKinds.map((kind) => [kind.name, kind]))
const eventTypes = [...kinds.values()].flatMap(({ events }) => Object.keys(events))
const golden = await readGolden()

/** The state of every stream, through JSON after each event, as the store does it. */
function fold(): Record<string, unknown> {
  const states: Record<string, unknown> = {}
  for (const event of golden) {
    const kind = kinds.get(event.kind)
    assert.ok(kind, `there is no kind ${event.kind}`)
    const stream = `${event.kind}/${event.id}`
    const before = stream in states ? states[stream] : kind.decider.initial
    states[stream] = JSON.parse(JSON.stringify(kind.decider.evolve(before, event)))
  }
  return states
}

suite('events of the past', () => {
  test('are kept of every type that any module writes', () => {
    const kept = new Set(golden.map(({ type }) => type))
    assert.deepEqual(
      eventTypes.filter((type) => !kept.has(type)),
      [],
      'add a line for each of these types',
    )
  })

  test('are of types that some module still knows', () => {
    const known = new Set(eventTypes)
    assert.deepEqual(
      [...new Set(golden.map(({ type }) => type))].filter((type) => !known.has(type)),
      [],
    )
  })

  test('are named noun.past_participle.vN', () => {
    for (const type of eventTypes) assert.match(type, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*\.v[1-9]\d*$/)
  })

  test('reach every kind', () => {
    const reached = new Set(golden.map(({ kind }) => kind))
    assert.deepEqual(
      [...kinds.keys()].filter((kind) => !reached.has(kind)),
      [],
    )
  })

  test('fold to the same states as before', async () => {
    const expected = JSON.parse(await readFile(join(import.meta.dirname, 'folded.json'), 'utf8'))
    assert.deepEqual(fold(), expected)
  })
})
