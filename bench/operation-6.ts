/**
 * Operation 6, a machine user over gRPC to the whole server: token, permission, limits, decision, durable commit. Turn by
 * turn with a bare gRPC server that decodes and encodes the same messages.
 */
import { startServer } from './child.ts'
import { median, percentile } from './load.ts'
import { startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'
import { measure, protocols, ratioOf, type Speed } from './wire.ts'

const ROUNDS = 8
/** V8 compiles on the second core for so long; a server that runs for days has it behind itself. */
const WARM_UP_SECONDS = 10

export async function benchOperation6(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const [grpc] = protocols
  if (!grpc) throw new Error('gRPC comes first')
  const bare = await startServer(new URL('bare.ts', import.meta.url), [grpc.bare])
  const server = await startSignet(databaseUrl)
  const headers = { authorization: `Bearer ${server.token}` }
  const measureBare = (seconds: number) => measure(bare, (port) => grpc.load(port, {}), seconds)
  const measureOurs = (seconds: number) => measure(server, (port) => grpc.load(port, headers), seconds)
  await measureBare(WARM_UP_SECONDS)
  await measureOurs(WARM_UP_SECONDS)
  const bareSpeeds: Speed[] = []
  const ourSpeeds: Speed[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareSpeeds.push(await measureBare(1))
    ourSpeeds.push(await measureOurs(1))
  }
  await server.stop()
  await bare.stop()
  const rateOf = (speeds: readonly Speed[]) => median(speeds.map(({ perSecond }) => perSecond))
  const latencies = ourSpeeds.flatMap((speed) => speed.latencies)
  return [
    { what: `gRPC, bare runtime, beside operation 6`, figure: perSecond(rateOf(bareSpeeds)) },
    {
      what: `operation 6 end to end, ${engine}`,
      figure: perSecond(rateOf(ourSpeeds)),
      ratio: ratioOf(ourSpeeds, bareSpeeds, (speed) => speed.perSecond),
      of: 'bare gRPC',
      ...(engine === 'SQLite' ? { aim: '35 %' } : {}),
      note: `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms at 64 callers`,
    },
  ]
}
