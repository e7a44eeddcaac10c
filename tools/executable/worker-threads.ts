/**
 * Takes the place of `node:worker_threads` in the executable file: a thread does not see the embedded files, so it gets
 * its script as text.
 */
import { readFileSync } from 'node:fs'
import { Worker as NodeWorker, type WorkerOptions } from 'node:worker_threads'

export { parentPort, workerData } from 'node:worker_threads'

export class Worker extends NodeWorker {
  constructor(script: URL, options?: WorkerOptions) {
    super(new URL(`data:text/javascript;base64,${readFileSync(script, 'base64')}`), options)
  }
}
