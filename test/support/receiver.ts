/** A server that receives deliveries: it keeps what it got and answers as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One request that arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The status of an answer, or with its headers and body; `hangUp` closes the connection without one. */
export type ReceiverAnswer =
  | number
  | 'hangUp'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface Receiver {
  readonly url: string
  /** Everything that arrived, in order. */
  readonly received: Received[]
  /** How it answers the next requests. */
  answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer>
  /** Waits until this many requests have arrived. */
  count(number: number): Promise<void>
  close(): Promise<void>
}

/** Opens a receiver on the loopback interface, which accepts everything. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    request.on('error', () => {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    const answer = await receiver.answer(one)
    received.push(one)
    if (answer === 'hangUp') return request.socket.destroy()
    const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer
    return response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: () => 204,
    async count(number) {
      while (received.length < number) await sleep(3)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
