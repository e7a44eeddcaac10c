/** Each protocol of the port against the bare runtime, turn by turn in one run. */
import { startServer } from './child.ts'
import { type Load, median, sleep } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { loadHttp2 } from './load-http2.ts'
import { binaryRequest, frameMessage, jsonRequest } from './messages.ts'
import { perSecond, type Row } from './table.ts'

export const METHOD_PATH = '/signet.management.v1.ManagementService/AddMachineUser'
const CONCURRENCY = 64
const ROUNDS = 5

interface Protocol {
  readonly name: string
  /** Which bare server answers the same. */
  readonly bare: string
  load(port: number, headers: Readonly<Record<string, string>>): Load
}

export const protocols: readonly Protocol[] = [
  {
    name: 'gRPC',
    bare: 'grpc',
    load: (port, headers) =>
      loadHttp2(
        port,
        {
          path: METHOD_PATH,
          headers: { 'content-type': 'application/grpc', te: 'trailers', ...headers },
          body: () => frameMessage(binaryRequest()),
        },
        4,
        CONCURRENCY / 4,
      ),
  },
  http1('gRPC-web', 'grpc-web', METHOD_PATH, 'application/grpc-web+proto', () => frameMessage(binaryRequest())),
  http1('Connect (proto)', 'proto', METHOD_PATH, 'application/proto', binaryRequest),
  http1('Connect (JSON)', 'json', METHOD_PATH, 'application/json', jsonRequest),
  http1('REST (JSON)', 'json', '/management/v1/users/machine', 'application/json', jsonRequest),
]

function http1(name: string, bare: string, path: string, type: string, body: () => Uint8Array): Protocol {
  return {
    name,
    bare,
    load: (port, headers) =>
      loadHttp1(port, { method: 'POST', path, headers: { 'content-type': type, ...headers }, body }, CONCURRENCY),
  }
}

export interface Speed {
  readonly perSecond: number
  /** Requests for one second of processor time of the server. */
  readonly perProcessorSecond: number
  readonly latencies: readonly number[]
}

/** One protocol against one server, after a warm-up. */
export async function measure(
  server: { readonly port: number; processorSeconds(): Promise<number> },
  start: (port: number) => Load,
  seconds: number,
): Promise<Speed> {
  const load = start(server.port)
  await sleep(1500)
  load.take()
  const processor = await server.processorSeconds()
  const began = performance.now()
  await sleep(seconds * 1000)
  const taken = load.take()
  const elapsed = (performance.now() - began) / 1000
  const used = (await server.processorSeconds()) - processor
  load.stop()
  if (taken.failed > 0) throw new Error(`${taken.failed} requests failed under load`)
  return { perSecond: taken.ok / elapsed, perProcessorSecond: taken.ok / used, latencies: taken.latencies }
}

/** Round by round, because neighbours in time share what else the machine was doing; then the median. */
export function ratioOf(ours: readonly Speed[], bare: readonly Speed[], of: (speed: Speed) => number): number {
  return median(
    ours.map((speed, round) => {
      const other = bare[round]
      return other === undefined ? Number.NaN : of(speed) / of(other)
    }),
  )
}

export async function benchWire(): Promise<Row[]> {
  const rows: Row[] = []
  const ours = await startServer(new URL('wire-server.ts', import.meta.url))
  for (const protocol of protocols) {
    const bare = await startServer(new URL('bare.ts', import.meta.url), [protocol.bare])
    const bareSpeeds: Speed[] = []
    const ourSpeeds: Speed[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bareSpeeds.push(await measure(bare, (port) => protocol.load(port, {}), 1.5))
      ourSpeeds.push(await measure(ours, (port) => protocol.load(port, {}), 1.5))
    }
    await bare.stop()
    const bareRate = median(bareSpeeds.map((speed) => speed.perSecond))
    const ourRate = median(ourSpeeds.map((speed) => speed.perSecond))
    const processor = ratioOf(ourSpeeds, bareSpeeds, ({ perProcessorSecond }) => perProcessorSecond)
    rows.push({ what: `${protocol.name}, bare runtime`, figure: perSecond(bareRate) })
    rows.push({
      what: `${protocol.name}, Signet's port`,
      figure: perSecond(ourRate),
      ratio: ratioOf(ourSpeeds, bareSpeeds, ({ perSecond }) => perSecond),
      of: 'bare runtime',
      aim: '60 %',
      note: `${(processor * 100).toFixed(0)} % by processor time`,
    })
  }
  await ours.stop()
  return rows
}
