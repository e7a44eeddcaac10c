/**
 * Strangers name one address of a metadata document after the other, of good, hostile and missing ones, and of names that lead
 * back to this machine: none that is hostile is accepted, nothing is sent to this machine, and memory does not grow.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { documentAt } from '../../src/features/applications/agents/document-clients.ts'
import type { App } from '../../src/module/app.ts'
import { type GuardedFetch, OutboundFailed, openGuardedFetch } from '../../src/outbound/fetch.ts'
import { openCanary } from '../../test/support/canary.ts'
import { openWorld } from '../../test/support/world.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

/** Fewer than the places that the hosts of one domain have together. */
const AT_ONCE = 20
const MOST_MEGABYTES = 8

const KINDS = ['good', 'good', 'hostile', 'missing', 'good', 'good', 'internal', 'missing'] as const

function metadataAt(url: string): object {
  const redirectUris = Array.from({ length: 20 }, (_, index) => `https://agent.example/${index}/${'x'.repeat(200)}`)
  const secret = url.includes('hostile') ? { client_secret: 'secret' } : {}
  return { client_id: url, client_name: 'Agent', redirect_uris: redirectUris, ...secret }
}

/** The web as it is: an internal name is resolved to this machine, behind the real guard. */
function webWith(guarded: GuardedFetch): GuardedFetch {
  return async (url, request) => {
    if (url.includes('internal')) return guarded(url, request)
    if (url.includes('missing')) throw new OutboundFailed('unreachable')
    return Response.json(metadataAt(url))
  }
}

async function heapMegabytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) {
    collect()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().heapUsed / 2 ** 20
}

interface Asked {
  readonly accepted: number
  readonly hostile: number
}

/** Asks for this many addresses, all of them new. */
async function askFor(first: number, count: number, port: number, ask: (url: string) => Promise<unknown>) {
  const asked = { accepted: 0, hostile: 0 }
  for (let from = first; from < first + count; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, async (_, index) => {
      const kind = KINDS[index % KINDS.length] ?? 'good'
      const host = kind === 'internal' ? `internal.example:${port}` : 'agent.example'
      const isAccepted = typeof (await ask(`https://${host}/${kind}/${from + index}.json`)) === 'object'
      if (isAccepted) asked[kind === 'good' ? 'accepted' : 'hostile'] += 1
    })
    await Promise.all(some)
  }
  return asked satisfies Asked
}

/** The first half fills the memory; the second must not add to it. */
async function growth(half: (first: number) => Promise<Asked>, count: number) {
  const one = await half(0)
  const before = await heapMegabytes()
  const other = await half(count)
  const grownMegabytes = Math.round((await heapMegabytes()) - before)
  return { grownMegabytes, accepted: one.accepted + other.accepted, hostile: one.hostile + other.hostile }
}

async function measure(run: Run): Promise<Measured> {
  const count = roundsOf(run, 8_000, 100_000) / 2
  await using cleanUp = new AsyncDisposableStack()
  const canary = await openCanary()
  cleanUp.defer(() => canary.close())
  const resolve = (_: string, done: (error: null, found: { address: string; family: number }[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])
  const guarded = openGuardedFetch({ allowsPrivate: true, resolve: resolve as never })
  const world = await openWorld({ fetchOutside: webWith(guarded) })
  cleanUp.defer(() => world.dispose())
  const { app }: { readonly app: App } = world
  const ask = (url: string) => documentAt(app, url, () => true)
  const found = await growth((first) => askFor(first, count, canary.port, ask), count)
  const { grownMegabytes, accepted, hostile } = found
  const connections = canary.connections()
  return {
    done: `${grouped(2 * count)} addresses of metadata documents, ${grouped(accepted)} of them good`,
    figure: `${hostile} others accepted, ${connections} connections to this machine; ${grownMegabytes} MB more memory in the second half`,
    figures: { addresses: 2 * count, accepted, hostile, connections, grownMegabytes },
    isMet: accepted === count && hostile === 0 && connections === 0 && grownMegabytes < MOST_MEGABYTES,
  }
}

/** A memory that forgets nothing. */
async function rememberEverything(run: Run): Promise<Caught> {
  const count = roundsOf(run, 8_000, 100_000) / 2
  const kept = new Map<string, unknown>()
  const ask = async (url: string) => {
    kept.set(url, JSON.parse(JSON.stringify(metadataAt(url))))
    return kept.get(url)
  }
  const { grownMegabytes } = await growth((first) => askFor(first, count, 0, ask), count)
  const figure = `${grouped(kept.size)} remembered, ${grownMegabytes} MB more memory in the second half`
  return { figure, isCaught: grownMegabytes >= MOST_MEGABYTES }
}

export const clientDocuments: Scenario = {
  name: 'client-documents',
  title: 'strangers who name ever new metadata documents fill no memory and reach nothing here',
  required: `0 others accepted, 0 connections to this machine, less than ${MOST_MEGABYTES} MB more memory in the second half`,
  measure,
  control: { what: 'a memory without a limit', run: rememberEverything },
}
