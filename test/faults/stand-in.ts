/** Signet's process without its rooms: the real command line and port before a front that waits, fails or answers. */
import { runProgram } from '../../src/cli/program.ts'

function answerTo(path: string): { readonly afterMs: number; readonly text: string } {
  const afterMs = Number(/^\/wait\/(\d+)$/.exec(path)?.[1] ?? 0)
  if (path === '/die') setTimeout(() => Promise.reject(new Error('nobody caught this')), 1)
  return { afterMs, text: `${process.pid}` }
}

await runProgram(process.argv, async () => ({
  ping: async () => {},
  addMetrics: () => {},
  bootstrap: async () => ({ setupUrl: 'http://localhost/setup?code=canary', tokenFile: 'data/admin.pat' }),
  openFront: async (onFinish) => {
    const finish = (protocol: string) =>
      onFinish({ method: 'stand.In/Wait', protocol, code: 0, status: 200, durationMs: 1, requestId: 'r' })
    return {
      http1(request, response) {
        const { afterMs, text } = answerTo(request.url ?? '')
        setTimeout(() => {
          response.end(text)
          finish('rest')
        }, afterMs)
      },
      http2(stream, headers) {
        const { afterMs, text } = answerTo(headers[':path'] ?? '')
        setTimeout(() => {
          if (stream.destroyed) return
          stream.respond({ ':status': 200 })
          stream.end(text)
          finish('grpc')
        }, afterMs)
      },
    }
  },
  openPages: () => new Map(),
  openApi: () => '{"openapi":"3.1.1"}',
  startJobs: () => {},
  rotateKey: async () => ({ resealed: 3, removedKeys: 1 }),
  renewSetupLink: async () => 'http://localhost/setup?code=renewed',
  rebuild: async () => {},
  close: async () => {},
}))
