/** Each protocol of the port against the bare runtime, turn by turn in one run. */
import { METHOD_PATH } from './calls.ts'
import { startServer } from './child.ts'
import type { Load } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { loadHttp2 } from './load-http2.ts'
import { binaryRequest, frameMessage, jsonRequest } from './messages.ts'
import { bareRow, measureInTurn, speedRow } from './speed.ts'
import type { Row } from './table.ts'

const CONCURRENCY = 64
const PLAN = { rounds: 16, seconds: 0.25, warmUpMs: 4_000 }

interface Protocol {
  readonly name: string
  /** Which bare server answers the same. */
  readonly bare: string
  load(port: number): Load
}

const protocols: readonly Protocol[] = [
  {
    name: 'gRPC',
    bare: 'grpc',
    load: (port) =>
      loadHttp2(
        port,
        {
          path: METHOD_PATH,
          headers: { 'content-type': 'application/grpc', te: 'trailers' },
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
    load: (port) => loadHttp1(port, { method: 'POST', path, headers: { 'content-type': type }, body }, CONCURRENCY),
  }
}

export async function benchWire(): Promise<Row[]> {
  const rows: Row[] = []
  const server = await startServer(new URL('wire-server.ts', import.meta.url))
  for (const { name, bare: form, load } of protocols) {
    const bareServer = await startServer(new URL('bare.ts', import.meta.url), [form])
    const { bare, ours } = await measureInTurn({ bare: { server: bareServer, load }, ours: { server, load } }, PLAN)
    await bareServer.stop()
    rows.push(bareRow(`${name}, bare runtime`, bare, CONCURRENCY))
    const comparison = { to: bare, of: 'bare runtime', aim: '60 %', callers: CONCURRENCY }
    rows.push(speedRow(`${name}, Signet's port`, ours, comparison))
  }
  await server.stop()
  return rows
}
