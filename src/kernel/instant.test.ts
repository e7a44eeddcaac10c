import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './instant.ts'

test('the system clock is never behind a caller who measures fractions of milliseconds', () => {
  for (let round = 0; round < 1000; round++) {
    const millisecond = Date.now()
    // Anything that the caller measured within that millisecond is before this.
    assert.ok(systemClock() >= millisecond + 1)
  }
})
