/** Signet's process without its modules: the real command line, port and router before a page that waits, fails or answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from '../../src/cli/program.ts'
import type { PageAnswer, PageRequest } from '../../src/http/page.ts'
import { openRouter } from '../../src/http/router.ts'

async function answer({ path }: PageRequest): Promise<PageAnswer> {
  const afterMs = Number(/^\/wait\/(\d+)$/.exec(path)?.[1] ?? 0)
  if (path === '/die') setTimeout(() => Promise.reject(new Error('nobody caught this')), 1)
  await sleep(afterMs)
  return { status: 200, contentType: 'text/plain', body: `${process.pid}` }
}

await runProgram(process.argv, async () => ({
  ping: async () => {},
  addMetrics: () => {},
  bootstrap: async () => ({ setupUrl: 'http://localhost/setup?code=canary', tokenFile: 'data/admin.pat' }),
  openRouter: async ({ pages, onFinish }) =>
    openRouter({
      authorize: () => Promise.reject(new Error('there are no methods')),
      pages: new Map([...pages, ['/*', { answer }]]),
      log: (fault) => console.error(fault),
      onFinish,
    }),
  openApi: () => '{"openapi":"3.1.1"}',
  startJobs: () => {},
  rotateKey: async () => ({ resealed: 3, removedKeys: 1 }),
  renewSetupLink: async () => 'http://localhost/setup?code=renewed',
  rebuild: async () => {},
  close: async () => {},
}))
