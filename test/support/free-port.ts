/**
 * Hands out ports that must be known before anything listens on them: for an external URL, for a restart on the same port,
 * for a server that cannot choose one. They lie below the range that the system takes ports from by itself, and no two
 * processes hand out the same one: each keeps the first port of its blocks open for as long as it lives.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

const FIRST = 12_000
const BLOCK = 20
const SYSTEM_RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

/** Where the range of the system begins, or where Linux has it by default, whichever is lower. */
function end(): number {
  const begins = existsSync(SYSTEM_RANGE) ? Number.parseInt(readFileSync(SYSTEM_RANGE, 'utf8'), 10) : 32_768
  return Math.min(begins, 32_768)
}

const blocks = Math.floor((end() - FIRST) / BLOCK)

/** Listens on a port, on all addresses or one; undefined when somebody else does. */
function listenOn(port: number, host?: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(error)
    })
    server.listen({ port, ...(host !== undefined && { host }) }, () => resolve(server))
  })
}

/** Asks about all addresses and about 127.0.0.1 alone: either can be taken without the other. */
async function isFree(port: number): Promise<boolean> {
  for (const host of [undefined, '127.0.0.1']) {
    const server = await listenOn(port, host)
    if (server === undefined) return false
    await new Promise((closed) => server.close(closed))
  }
  return true
}

/** The first port of a block that belongs to this process until it ends. */
async function takeBlock(): Promise<number> {
  const first = process.pid % blocks
  for (let tried = 0; tried < blocks; tried++) {
    const port = FIRST + ((first + tried) % blocks) * BLOCK
    const lock = await listenOn(port, '127.0.0.1')
    if (lock === undefined) continue
    lock.unref()
    return port
  }
  throw new Error(`all ports from ${FIRST} to ${end()} are in use`)
}

let next = 0
let left = 0

async function nextPort(): Promise<number> {
  for (;;) {
    if (left === 0) {
      next = await takeBlock()
      left = BLOCK - 1
    }
    next += 1
    left -= 1
    const port = next
    if (await isFree(port)) return port
  }
}

let last: Promise<unknown> = Promise.resolve()

/** A port on which nothing listens, and that nobody else gets. */
export function freePort(): Promise<number> {
  const port = last.then(nextPort)
  last = port.catch(() => {})
  return port
}
