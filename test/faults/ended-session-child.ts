/**
 * A port whose answers are large, and peers that do not read them. Needs `--expose-gc`: Node frees an ended session when
 * its memory is collected, and ends the process when a stream of it still holds header fields. The argument is what the
 * peers do after their request.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { handleOf } from '../../src/http/port/session-lifetime.ts'
import { emptied, openHostile } from './hostile-support.ts'
import {
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  getSlash,
  HEADERS,
  meet,
  PREFACE,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
} from './raw-http2.ts'

const LARGE = Buffer.alloc(8_000_000)
const PEERS = 4
/** Exit code: memory of sessions is not given back. */
const KEPT = 3
const widestWindow = Buffer.concat([Buffer.from([0, 4]), uint32(0x7fffffff)])
const opening = Buffer.concat([
  PREFACE,
  frame(SETTINGS, 0, 0, widestWindow),
  frame(WINDOW_UPDATE, 0, 0, uint32(0x7fff0000)),
  frame(HEADERS, END_HEADERS, 1, getSlash),
])
const aField = field('x-a', 'some value')
const trailers: Readonly<Record<string, Buffer>> = {
  'trailers without end': frame(HEADERS, END_STREAM, 1, aField),
  'trailers that cannot be decoded': frame(
    HEADERS,
    END_STREAM | END_HEADERS,
    1,
    Buffer.concat([aField, Buffer.alloc(8, 0xff)]),
  ),
  'too many trailers': frame(HEADERS, END_STREAM | END_HEADERS, 1, Buffer.concat(Array(300).fill(aField))),
}

/** What Node frees of each session. */
const sessions: WeakRef<object>[] = []
const port = await openHostile(
  {},
  {
    router: {
      http1: () => assert.fail('nobody speaks HTTP/1.1 here'),
      http2: (stream) => {
        const handle = stream.session && handleOf(stream.session)
        assert.ok(handle)
        sessions.push(new WeakRef(handle))
        stream.respond({ ':status': 200 })
        stream.end(LARGE)
      },
    },
  },
)
const peers = Array.from({ length: PEERS }, () => meet(port.number, opening))
for (const { socket } of peers) {
  socket.pause()
  await once(socket, 'connect')
}
while (sessions.length < PEERS) await sleep(5)
for (const { socket } of peers) socket.write(trailers[process.argv[2] ?? ''] ?? '')
// Each has its turn at the server.
for (let turn = 0; turn < 10; turn++) await sleep(10)
for (const { socket } of peers) socket.resetAndDestroy()
await emptied(port)
for (let turn = 0; turn < 50 && hasSessions(); turn++) {
  // A reference that was read is kept for this turn.
  await sleep(10)
  globalThis.gc?.()
}
process.exit(hasSessions() ? KEPT : 0)

function hasSessions(): boolean {
  return sessions.some((session) => session.deref() !== undefined)
}
