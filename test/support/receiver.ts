/** A server that receives deliveries: it keeps what it got and answers as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterwards } from './afterwards.ts'

/** One request that arrived. */
export interface Received {
  readonly path: string
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
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
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

/** A receiver for the time of a test; `answers` are given one after the other, and 204 after the last. */
export async function startReceiver(t: TestContext, ...answers: number[]): Promise<Receiver> {
  const receiver = await openReceiver()
  afterwards(t, () => receiver.close())
  receiver.answer = () => {
    const status = answers.shift() ?? 204
    return { status, headers: status === 302 ? { location: '/elsewhere' } : {} }
  }
  return receiver
}

/** The signature of a webhook for messages: when it was made, and the code. */
export function signatureOf({ headers }: Received): { readonly seconds: string; readonly mac: string } {
  const [, seconds = '', mac = ''] = /^t=(\d+),v1=(.*)$/.exec(String(headers['signet-signature'])) ?? []
  return { seconds, mac }
}
