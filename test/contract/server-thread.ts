/** A server in a thread of its own: client and server that share one take turns, and never meet in the middle. */
import { parentPort } from 'node:worker_threads'
import { startServer } from './server.ts'

const { url } = await startServer(undefined)
parentPort?.postMessage(url)
