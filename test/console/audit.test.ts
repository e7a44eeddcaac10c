/** The audit at the console: sentences with names, what changed, and downloads of the whole range. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { changesOf } from '../../console/src/events/event-changes.ts'
import { isRoutine } from '../../console/src/events/routine.ts'
import { namedSentence } from '../../console/src/events/sentences/named.ts'
import { eventRow, readSignIns, signInCells } from '../../console/src/pages/audit/exported-rows.ts'
import { startOf } from '../../console/src/pages/audit/moments.ts'
import { type Event, EventSchema } from '../../contract/gen/signet/event/v1/event_pb.ts'
import {
  type SignIn,
  SignInMethod,
  SignInOutcome,
  SignInSchema,
} from '../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { writeCell } from '../../src/kernel/csv/csv-cell.ts'

const event = (type: string, more: Exclude<MessageInitShape<typeof EventSchema>, Event> = {}) =>
  create(EventSchema, { type: { type }, editor: { userId: '1', displayName: 'Grace Hopper' }, ...more })
const thing = (member: string, type: string, name: string, id = '7') => ({ member, type, id, name })

suite('an event in words', () => {
  const added = event('authorization.added.v1', {
    payload: { roleKeys: ['editor', 'author'] },
    things: [thing('userId', 'user', 'Ada Lovelace'), thing('projectId', 'project', 'Node Shop')],
  })

  test('says who did what, in each language', () => {
    assert.equal(namedSentence(added, 'en'), 'Grace Hopper added Ada Lovelace to Node Shop as editor, author')
    assert.match(namedSentence(added, 'de') ?? '', /^Grace Hopper hat Ada Lovelace zu Node Shop hinzugefügt als editor/)
    assert.match(
      namedSentence(added, 'fr') ?? '',
      /^Grace Hopper a ajouté Ada Lovelace à Node Shop avec le rôle editor/,
    )
  })

  test('says that something is gone instead of an ID, and who acts when it is nobody', () => {
    const things = [thing('userId', 'user', ''), thing('projectId', 'project', '')]
    const editor = { userId: 'system', service: 'server' }
    const sentence = namedSentence(event('authorization.removed.v1', { editor, things }), 'en')
    assert.equal(sentence, 'The server removed someone who was removed from something that was removed')
  })

  test('tells one’s own password from the password of somebody else', () => {
    const about = (id: string) => ({ things: [thing('object', 'user', 'Ada Lovelace', id)] })
    assert.equal(namedSentence(event('password.set.v1', about('1')), 'en'), 'Grace Hopper changed their own password')
    assert.equal(
      namedSentence(event('password.set.v1', about('7')), 'en'),
      'Grace Hopper set the password of Ada Lovelace',
    )
  })

  test('says where somebody became an administrator', () => {
    const user = thing('userId', 'user', 'Ada')
    const roles = { payload: { roles: ['ORG_OWNER'] } }
    const at = event('membership.added.v1', { ...roles, things: [user, thing('scopeId', 'organization', 'ACME')] })
    assert.equal(namedSentence(at, 'en'), 'Grace Hopper made Ada an administrator of ACME: ORG_OWNER')
    const everywhere = event('membership.added.v1', { ...roles, things: [user] })
    assert.equal(namedSentence(everywhere, 'en'), 'Grace Hopper made Ada an administrator: ORG_OWNER')
  })
})

suite('what an event changed', () => {
  test('is told with what the last earlier event says of each field', () => {
    const earlier = [
      { profile: { lastName: 'Byron' } },
      { userName: 'ada', profile: { firstName: 'Ada', lastName: 'B' } },
    ]
    assert.deepEqual(changesOf({ profile: { firstName: 'Ada', lastName: 'Lovelace' }, roles: ['a', 'b'] }, earlier), [
      { field: 'profile.lastName', before: 'Byron', after: 'Lovelace' },
      { field: 'roles', before: undefined, after: 'a, b' },
    ])
  })
})

suite('events that nobody did', () => {
  test('are routine: steps, what the server keeps, and what keeps the log short', () => {
    for (const type of ['sign_in_tally.counted.v1', 'node_lease.taken.v1', 'session.retired.v1', 'totp.resealed.v1']) {
      assert.ok(isRoutine(event(type), 'console'), type)
    }
    for (const type of ['authorization.added.v1', 'sign_in.failed.v1', 'passkey.registered.v1', 'webhook.removed.v1']) {
      assert.ok(!isRoutine(event(type), 'console'), type)
    }
  })
})

suite('a download of the audit', () => {
  test('has no cell that a spreadsheet takes for a formula', () => {
    const name = '=HYPERLINK("https://evil.example","click")'
    const signIn = create(SignInSchema, { user: { id: '1', displayName: name }, origin: { browser: '@SUM(A1)' } })
    const rows = [
      signInCells(signIn),
      eventRow(event('user.locked.v1', { editor: { displayName: '-1+1' } }), '+1').cells,
    ]
    for (const cell of rows.flat().map(writeCell)) assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+\-@\t\r\n]/)
  })

  test('names results and methods as filters do', () => {
    const signIn = create(SignInSchema, { outcome: SignInOutcome.SUCCEEDED, method: SignInMethod.PASSKEY })
    assert.deepEqual(signInCells(signIn).slice(1, 4), ['succeeded', '', 'passkey'])
  })

  test('has every sign-in of the range once, however many share a moment, and no offset grows with the range', async () => {
    const now = 1_800_000_000_000
    // 4,000 within a second, and 6,000 over days before.
    const times = [
      ...Array.from({ length: 4_000 }, (_, at) => now - Math.floor(at / 4)),
      ...Array.from({ length: 6_000 }, (_, at) => now - 5_000 - at * 60_000),
    ]
    const all = times.map((ms, at) => create(SignInSchema, { id: String(at), startDate: timestampFromMs(ms) }))
    let deepest = 0
    const list = async (request: Parameters<Parameters<typeof readSignIns>[0]>[0]) => {
      const { offset = 0n, limit = 0 } = request.pagination ?? {}
      deepest = Math.max(deepest, Number(offset))
      const until = timestampMs(request.until as Timestamp)
      return all
        .filter((one) => timestampMs(one.startDate as Timestamp) < until)
        .slice(Number(offset), Number(offset) + limit)
    }
    const found: SignIn[] = []
    for await (const page of readSignIns(list, { until: timestampFromMs(now + 1) })) found.push(...page)
    assert.deepEqual(
      found.map(({ id }) => id),
      all.map(({ id }) => id),
    )
    assert.ok(deepest <= 4_000, `an offset of ${deepest}`)
  })
})

suite('a range of time', () => {
  test('ends now, and what is none does not filter', () => {
    assert.equal(timestampMs(startOf('day', 100 * 86_400_000) as Timestamp), 99 * 86_400_000)
    assert.equal(startOf('toString'), undefined)
    assert.equal(startOf(undefined), undefined)
  })
})
