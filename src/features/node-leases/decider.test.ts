import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { nodeLease } from './decider.ts'

function time(ms: number) {
  return instant(1_000_000 + ms)
}
function taken(holder: string, from: number, until: number) {
  return { type: 'node_lease.taken.v1', data: { holder, from: time(from), until: time(until) } } as const
}
function take(holder: string, at: number) {
  return { type: 'take', holder, at: time(at), lengthMs: 100 } as const
}
function released(until: number) {
  return { type: 'node_lease.released.v1', data: { until: time(until) } } as const
}

suite('a node number', () => {
  test('is taken while nobody holds it', () => {
    given(nodeLease)
      .when(take('a', 0))
      .then(taken('a', 0, 100))
    given(nodeLease, taken('a', 0, 100))
      .when(take('b', 99))
      .thenRefused('node_lease.held')
    given(nodeLease, taken('a', 0, 100))
      .when(take('b', 100))
      .then(taken('b', 100, 200))
    given(nodeLease, taken('a', 0, 100), released(50))
      .when(take('b', 60))
      .then(taken('b', 60, 160))
  })

  test('is taken from the end of the last lease when the clock is behind', () => {
    given(nodeLease, taken('a', 0, 100), released(50))
      .when(take('b', 20))
      .then(taken('b', 50, 150))
  })

  test('is held longer by its holder alone, and never shorter', () => {
    const renew = (holder: string, until: number) => ({ type: 'renew', holder, until: time(until) }) as const
    const renewed = { type: 'node_lease.renewed.v1', data: { until: time(200) } } as const
    given(nodeLease, taken('a', 0, 100))
      .when(renew('a', 200))
      .then(renewed)
    given(nodeLease, taken('a', 0, 100))
      .when(renew('a', 100))
      .then()
    given(nodeLease, taken('a', 0, 100))
      .when(renew('b', 200))
      .thenRefused('node_lease.lost')
    given(nodeLease, taken('a', 0, 100), renewed)
      .when(take('b', 150))
      .thenRefused('node_lease.held')
  })

  test('is released up to the first time that no ID has', () => {
    const release = (holder: string, unused: number) => ({ type: 'release', holder, unused: time(unused) }) as const
    given(nodeLease, taken('a', 10, 100))
      .when(release('a', 50))
      .then(released(50))
    given(nodeLease, taken('a', 10, 100))
      .when(release('a', 0))
      .then(released(10))
    given(nodeLease, taken('a', 10, 100))
      .when(release('a', 500))
      .then(released(100))
    given(nodeLease, taken('a', 10, 100))
      .when(release('b', 50))
      .thenRefused('node_lease.lost')
    given(nodeLease, taken('a', 10, 100), released(50))
      .when(release('a', 50))
      .thenRefused('node_lease.lost')
  })
})
