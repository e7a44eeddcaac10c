/** SMTP servers for tests: an honest one with `smtp-server` that refuses on demand, and raw ones that misbehave. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An email as the server received it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  /** Names in lower case, folded lines joined, in the order of the message. */
  readonly headers: readonly (readonly [string, string])[]
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

export interface SmtpOptions {
  readonly tls?: 'none' | 'starttls' | 'implicit'
  readonly key?: string
  readonly cert?: string
  /** The only accepted credentials. */
  readonly login?: { readonly user: string; readonly password: string }
  /** The only accepted access tokens (XOAUTH2); `says`: how another one is refused, by a challenge or at once. */
  readonly tokens?: {
    readonly user: string
    readonly accepts: (token: string) => boolean
    readonly says: 'challenge' | '535'
  }
  readonly port?: number
  /** The answer to a command instead of "go ahead": a number and a text. */
  readonly refuseMail?: () => readonly [number, string] | undefined
  readonly refuseRcpt?: (address: string) => readonly [number, string] | undefined
  readonly refuseData?: () => readonly [number, string] | undefined
  /** What happens to the connection after the final dot. The email counts as received. */
  readonly afterDot?: () => 'answer' | 'drop' | 'hang'
}

export interface TestSmtp {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** How many connections there were. */
  readonly connections: number
  close(): Promise<void>
}

function refusal(answer: readonly [number, string] | undefined): Error | undefined {
  return answer === undefined ? undefined : Object.assign(new Error(answer[1]), { responseCode: answer[0] })
}

/** The headers of a message, each with its folded lines in one. */
export function headersOf(raw: string): readonly (readonly [string, string])[] {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): readonly [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
}

/** Starts an SMTP server on this machine. */
export async function startSmtp(options: SmtpOptions = {}): Promise<TestSmtp> {
  const { tls = 'none', key, cert, login, tokens, refuseMail, refuseRcpt, refuseData, afterDot } = options
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const settings: SMTPServerOptions = {
    secure: tls === 'implicit',
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...((login ?? tokens) ? [] : ['AUTH'])],
    authOptional: (login ?? tokens) === undefined,
    ...(tokens && { authMethods: ['XOAUTH2'] }),
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    disableReverseLookup: true,
    ...(key === undefined || cert === undefined ? {} : { key, cert }),
    onAuth({ username, password, accessToken = '' }, _, done) {
      if (tokens !== undefined) {
        if (username === tokens.user && tokens.accepts(accessToken)) return done(null, { user: username })
        if (tokens.says === 'challenge') return done(null, { data: { status: '401', schemes: 'bearer' } })
        return done(Object.assign(new Error(`no: ${username} ${accessToken}`), { responseCode: 535 }))
      }
      const isRight = username === login?.user && password === login?.password
      if (isRight) done(null, { user: username })
      else done(Object.assign(new Error(`no: ${username} ${password}`), { responseCode: 535 }))
    },
    onConnect(_, done) {
      connections++
      done()
    },
    onMailFrom: (_, __, done) => done(refusal(refuseMail?.())),
    onRcptTo: ({ address }, _, done) => done(refusal(refuseRcpt?.(address))),
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch {
        // The client has left in the middle of the mail: there is no one to answer.
        return
      }
      const refused = refusal(refuseData?.())
      if (refused !== undefined) return done(refused)
      const raw = Buffer.concat(chunks).toString()
      const { mailFrom, rcptTo } = session.envelope
      mails.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
        headers: headersOf(raw),
        isEncrypted: session.secure,
        user: session.user as string | undefined,
      })
      const then = afterDot?.() ?? 'answer'
      if (then === 'drop') for (const socket of sockets) socket.destroy()
      if (then === 'answer') done()
    },
  }
  const server = new SMTPServer(settings)
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((ready) => server.listen(options.port ?? 0, '127.0.0.1', ready))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

/** A server that handles each connection with the given function. */
export async function startRaw(
  greet: (socket: Socket) => void,
  port = 0,
): Promise<{ readonly port: number; readonly connections: () => number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    greet(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
