import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { endOnEarlySignals, receiveSignals } from './stop-signals.ts'

suite('signals that ask the process to stop', () => {
  test('are not lost when they arrive just before the server takes them over', async () => {
    endOnEarlySignals()
    const received = new Promise<NodeJS.Signals>((resolve) => {
      // The process has it, but Node.js delivers it only after this callback.
      process.kill(process.pid, 'SIGTERM')
      receiveSignals(resolve)
    })
    // Pause: the longest wait for a signal that never comes; a signal ends it.
    const nothing = new Promise((resolve) => setTimeout(resolve, 5_000, 'nothing').unref())
    assert.equal(await Promise.race([received, nothing]), 'SIGTERM')
  })
})
