/** Operation 6, a machine user over gRPC to the whole server: token, permission, limits, decision, durable commit. */
import { median, percentile, sleep } from './load.ts'
import { startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'
import { measure, protocols } from './wire.ts'

/** `bareGrpc` is what the bare server did in the same run. */
export const benchOperation6 = async (
  engine: string,
  databaseUrl: string | undefined,
  bareGrpc: number,
): Promise<Row[]> => {
  const server = await startSignet(databaseUrl)
  const headers = { authorization: `Bearer ${server.token}` }
  const [grpc] = protocols
  if (!grpc) throw new Error('gRPC comes first')
  const speeds = []
  for (let round = 0; round < 3; round++) {
    speeds.push(await measure(server, (port) => grpc.load(port, headers), 2))
    await sleep(200)
  }
  await server.stop()
  const rate = median(speeds.map((speed) => speed.perSecond))
  const latencies = speeds.flatMap((speed) => speed.latencies)
  return [
    {
      what: `operation 6 end to end, ${engine}`,
      figure: perSecond(rate),
      ratio: rate / bareGrpc,
      of: 'bare gRPC',
      ...(engine === 'SQLite' ? { aim: '35 %' } : {}),
      note: `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms at 64 callers`,
    },
  ]
}
