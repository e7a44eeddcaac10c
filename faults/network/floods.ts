/** Floods and broken frames over HTTP/2, each by one client (trust N5). */
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  field,
  flood,
  frame,
  getSlash,
  HEADERS,
  type Peer,
  PING,
  RST_STREAM,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
} from '../../test/faults/raw-http2.ts'

const CANCEL = uint32(8)

/** How many frames a flood has at most. */
export const FLOOD_ROUNDS = 20_000

/** What a client does after the opening of HTTP/2; it ends when the frames are sent or the server has hung up. */
export const floods: Readonly<Record<string, (peer: Peer) => Promise<void>>> = {
  'rapid reset': (peer) =>
    flood(peer, FLOOD_ROUNDS, (round) => {
      const stream = round * 2 + 1
      return Buffer.concat([
        frame(HEADERS, END_STREAM | END_HEADERS, stream, getSlash),
        frame(RST_STREAM, 0, stream, CANCEL),
      ])
    }),
  'CONTINUATION flood': async (peer) => {
    peer.socket.write(frame(HEADERS, END_STREAM, 1, getSlash))
    await flood(peer, FLOOD_ROUNDS, (round) => frame(CONTINUATION, 0, 1, field(`x-${round}`, 'y'.repeat(100))))
  },
  'empty CONTINUATION flood': async (peer) => {
    peer.socket.write(frame(HEADERS, END_STREAM, 1, getSlash))
    await flood(peer, FLOOD_ROUNDS, () => frame(CONTINUATION, 0, 1))
  },
  'SETTINGS flood': (peer) => flood(peer, FLOOD_ROUNDS, () => frame(SETTINGS, 0, 0)),
  'PING flood': (peer) => flood(peer, FLOOD_ROUNDS, () => frame(PING, 0, 0, Buffer.alloc(8))),
  'empty DATA flood': async (peer) => {
    peer.socket.write(frame(HEADERS, END_HEADERS, 1, getSlash))
    await flood(peer, FLOOD_ROUNDS, () => frame(DATA, 0, 1))
  },
  'DATA on a stream that never was': (peer) => flood(peer, FLOOD_ROUNDS, () => frame(DATA, 0, 5, Buffer.from('x'))),
  'WINDOW_UPDATE overflow': (peer) => flood(peer, FLOOD_ROUNDS, () => frame(WINDOW_UPDATE, 0, 0, uint32(0x7fffffff))),
  'HPACK garbage': (peer) => flood(peer, 1, () => frame(HEADERS, END_STREAM | END_HEADERS, 1, Buffer.alloc(50, 0xff))),
  'a frame larger than allowed': (peer) => flood(peer, 1, () => frame(DATA, 0, 1, Buffer.alloc(100_000))),
}
