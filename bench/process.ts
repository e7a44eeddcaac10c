/** Time to ready on a first start and memory when idle, beside a bare HTTP server of the same runtime. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sleep } from './load.ts'
import { residentMegabytes, startSignet } from './signet.ts'
import type { Row } from './table.ts'

const BARE = `require('node:http').createServer((q, s) => s.end('ok')).listen(0, () => console.log('ready'))`

export async function benchProcess(): Promise<Row[]> {
  const began = performance.now()
  const bare = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(bare.stdout, 'data')
  const bareReady = performance.now() - began
  await sleep(2000)
  const bareMemory = await residentMegabytes(bare.pid as number)
  bare.kill()

  const server = await startSignet()
  await sleep(2000)
  const memory = await server.residentMegabytes()
  await server.stop()
  return [
    { what: 'time to ready, bare runtime', figure: `${bareReady.toFixed(0)} ms` },
    {
      what: 'time to ready, first start, SQLite',
      figure: `${server.readyAfterMs.toFixed(0)} ms`,
      ratio: server.readyAfterMs / bareReady,
      of: 'bare runtime',
      aim: '< 2 000 ms',
    },
    { what: 'memory when idle, bare runtime', figure: `${bareMemory.toFixed(0)} MB` },
    {
      what: 'memory when idle, SQLite',
      figure: `${memory.toFixed(0)} MB`,
      ratio: memory / bareMemory,
      of: 'bare runtime',
      aim: '< 150 MB',
    },
  ]
}
