/** The rules of logouts, without a database. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../../test/support/given.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { isComplete, type StartedLogout, samlLogout } from './decider.ts'
import type { SamlLogoutEvent } from './events.ts'

const NOON = 1_800_000_000_000
const at = (milliseconds: number): Instant => instant(NOON + milliseconds)
const MINUTE = 60_000

const step = (applicationId: string) => ({
  applicationId,
  name: { format: 'persistent', value: 'ada' },
  indexes: ['1'],
})
const steps = [step('wiki'), step('mail')]
const start = { sessionIds: ['session'], secret: { target: '/' }, expiresAt: at(10 * MINUTE) }
const started: SamlLogoutEvent = { type: 'saml_logout.started.v1', data: start }
const plan = { sessionIds: ['session'], steps, leavesOut: false }
const planned: SamlLogoutEvent = { type: 'saml_logout.planned.v1', data: plan }
const asked = (requestId: string): SamlLogoutEvent => ({ type: 'saml_logout.asked.v1', data: { requestId } })
const answered = (requestId: string, isSuccess: boolean): SamlLogoutEvent => ({
  type: 'saml_logout.answered.v1',
  data: { requestId, isSuccess },
})
const finished: SamlLogoutEvent = { type: 'saml_logout.finished.v1', data: {} }

suite('a logout', () => {
  test('is started and planned once', () => {
    given(samlLogout)
      .when({ type: 'start', ...start })
      .then(started)
    given(samlLogout, started)
      .when({ type: 'start', ...start })
      .thenRefused('saml_logout.out_of_turn')
    given(samlLogout, started)
      .when({ type: 'plan', ...plan, at: at(0) })
      .then(planned)
    given(samlLogout, started, planned)
      .when({ type: 'plan', ...plan, at: at(0) })
      .thenRefused('saml_logout.out_of_turn')
    given(samlLogout)
      .when({ type: 'plan', ...plan, at: at(0) })
      .thenRefused('saml_logout.not_found')
  })

  test('asks each service provider once, in turn', () => {
    const ask = (turn: number) => ({ type: 'ask', turn, requestId: '_x', at: at(0) }) as const
    given(samlLogout, started).when(ask(0)).thenRefused('saml_logout.out_of_turn')
    given(samlLogout, started, planned).when(ask(0)).then(asked('_x'))
    given(samlLogout, started, planned).when(ask(1)).thenRefused('saml_logout.out_of_turn')
    given(samlLogout, started, planned, asked('_1')).when(ask(0)).thenRefused('saml_logout.out_of_turn')
    given(samlLogout, started, planned, asked('_1')).when(ask(1)).then(asked('_x'))
    given(samlLogout, started, planned, asked('_1'), asked('_2')).when(ask(2)).thenRefused('saml_logout.out_of_turn')
  })

  test('takes one answer to each request, also after the next one was asked', () => {
    const answer = (requestId: string) => ({ type: 'answer', requestId, isSuccess: true, at: at(0) }) as const
    const both = [started, planned, asked('_1'), asked('_2')]
    given(samlLogout, ...both)
      .when(answer('_1'))
      .then(answered('_1', true))
    given(samlLogout, ...both)
      .when(answer('_3'))
      .thenRefused('saml_logout.out_of_turn')
    given(samlLogout, ...both, answered('_1', false))
      .when(answer('_1'))
      .thenRefused('saml_logout.out_of_turn')
    given(samlLogout, ...both, finished)
      .when(answer('_2'))
      .thenRefused('saml_logout.not_found')
  })

  test('is complete when all of them followed, and none was left out', () => {
    const after = (...events: SamlLogoutEvent[]) =>
      isComplete(given(samlLogout, started, ...events).state as StartedLogout)
    const all = [asked('_1'), asked('_2'), answered('_2', true)]
    assert.equal(after(planned, ...all), false)
    assert.equal(after(planned, ...all, answered('_1', false)), false)
    assert.equal(after(planned, ...all, answered('_1', true)), true)
    const lacking: SamlLogoutEvent = { type: 'saml_logout.planned.v1', data: { ...plan, leavesOut: true } }
    assert.equal(after(lacking, ...all, answered('_1', true)), false)
  })

  test('ends, at the latest when its time is over', () => {
    given(samlLogout, started)
      .when({ type: 'finish', at: at(0) })
      .thenRefused('saml_logout.out_of_turn')
    given(samlLogout, started, planned)
      .when({ type: 'finish', at: at(0) })
      .then(finished)
    given(samlLogout, started, planned, finished)
      .when({ type: 'finish', at: at(0) })
      .thenRefused('saml_logout.not_found')
    given(samlLogout, started, planned)
      .when({ type: 'ask', turn: 0, requestId: '_x', at: at(10 * MINUTE) })
      .thenRefused('saml_logout.not_found')
  })
})
