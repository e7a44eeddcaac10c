/**
 * Loaded into the server before it starts: answers for the host of a client's metadata document. The guard of the server reaches
 * nothing on this machine for strangers, so the document cannot be served from here.
 */
import { EventEmitter } from 'node:events'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { DOCUMENT, METADATA } from './agent.ts'

const { request } = https
const HEADERS = ['content-type', 'application/json', 'cache-control', 'max-age=86400']

function answer(callback: (incoming: unknown) => void) {
  const incoming = Readable.from([Buffer.from(JSON.stringify(METADATA))])
  const end = () =>
    setImmediate(callback, Object.assign(incoming, { statusCode: 200, headers: {}, rawHeaders: HEADERS }))
  return Object.assign(new EventEmitter(), { end, destroy() {} })
}

https.request = ((url: URL, options: object, callback: (incoming: unknown) => void) =>
  url.href === DOCUMENT ? answer(callback) : request(url, options, callback as never)) as never
syncBuiltinESMExports()
process.channel?.unref()
