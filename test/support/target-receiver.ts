/** A real HTTP endpoint that actions call: it keeps what it got and answers as the test says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface ReceivedCall {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers a call: with an object as JSON, a text as it is, or by itself. */
export type Answers = (call: ReceivedCall, response: ServerResponse) => unknown

export interface Receiver {
  readonly url: string
  readonly calls: ReceivedCall[]
  /** How calls of a path are answered; others get 200 and nothing. */
  on(path: string, answers: Answers): string
  /** Waits until so many calls have arrived, and returns them. */
  received(count: number): Promise<readonly ReceivedCall[]>
  close(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export async function openReceiver(): Promise<Receiver> {
  const calls: ReceivedCall[] = []
  const answers = new Map<string, Answers>()
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    try {
      const call = { path: request.url ?? '', headers: request.headers, body: await readBody(request) }
      calls.push(call)
      for (const wake of waiting) wake()
      const answer = await answers.get(call.path)?.(call, response)
      if (answer === response) return
      response.end(answer === undefined ? '' : typeof answer === 'string' ? answer : JSON.stringify(answer))
    } catch {
      request.destroy()
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    calls,
    on(path, answer) {
      answers.set(path, answer)
      return url + path
    },
    async received(count) {
      while (calls.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
      return calls
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
