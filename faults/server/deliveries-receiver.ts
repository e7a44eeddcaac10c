/** A receiver of webhooks that counts what arrives, and that can be dead for a while. */
import { createServer, type Server } from 'node:http'
import { freePort } from '../../test/support/free-port.ts'

/** What arrived at one path. */
interface Arrived {
  /** By object, the revisions in the order of their first arrival. */
  readonly seen: Map<string, number[]>
  readonly known: Set<string>
  total: number
}

export interface Receiver {
  readonly url: string
  /** All requests. */
  total(): number
  /** Requests of which another with the same event had arrived. */
  doubled(): number
  /** Distinct events. */
  distinct(): number
  /** How many of the events of an object have not arrived at a path. */
  missing(path: string, object: string, events: number): number
  /** Objects of which an event arrived before an earlier one did. */
  misplaced(): number
  die(): Promise<void>
  live(): Promise<void>
}

function readBody(body: string): { readonly id: string; readonly revision: number } {
  const { data } = JSON.parse(body) as { readonly data: { readonly object: { readonly id: string; revision: number } } }
  return data.object
}

/** Opens a receiver. A careless one answers before it has stored the event, and loses every tenth. */
export async function openReceiver(cleanUp: AsyncDisposableStack, isCareless: boolean): Promise<Receiver> {
  const port = await freePort()
  const paths = new Map<string, Arrived>()
  const all = () => [...paths.values()]
  const take = (path: string, body: string) => {
    const { id, revision } = readBody(body)
    const arrived = paths.get(path) ?? { seen: new Map(), known: new Set(), total: 0 }
    paths.set(path, arrived)
    arrived.total++
    const key = `${id} ${revision}`
    if (arrived.known.has(key) || (isCareless && arrived.total % 10 === 0)) return
    arrived.known.add(key)
    const revisions = arrived.seen.get(id) ?? []
    revisions.push(revision)
    arrived.seen.set(id, revisions)
  }
  let server: Server | undefined
  const live = async (): Promise<void> => {
    const next = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer)
      } catch {
        return
      }
      take(request.url ?? '', Buffer.concat(chunks).toString())
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve))
    server = next
  }
  const die = async (): Promise<void> => {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  }
  await live()
  cleanUp.defer(die)
  const distinct = () => all().reduce((sum, { known }) => sum + known.size, 0)
  const total = () => all().reduce((sum, arrived) => sum + arrived.total, 0)
  return {
    url: `http://127.0.0.1:${port}`,
    total,
    distinct,
    doubled: () => total() - distinct(),
    missing: (path, object, events) => Math.max(0, events - (paths.get(path)?.seen.get(object)?.length ?? 0)),
    misplaced: () =>
      all()
        .flatMap(({ seen }) => [...seen.values()])
        .filter((revisions) => revisions.some((revision, at) => revision < (revisions[at - 1] ?? 0))).length,
    die,
    live,
  }
}
