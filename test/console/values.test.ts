/** What the console makes of single values: permissions, places, metadata, days, colours and errors. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { permissionsOf } from '../../console/src/access/permissions.ts'
import { readFailure } from '../../console/src/api/errors.ts'
import { placeFrom, placeOf, placeParam, resourceAt } from '../../console/src/pages/administrators/place.ts'
import { contrastOf, textOn } from '../../console/src/pages/branding/contrast.ts'
import { BUILT_IN, type ColorValues, lookOf } from '../../console/src/pages/branding/look.ts'
import { bytesOf, shownValue } from '../../console/src/pages/users/access/metadata-values.ts'
import { contactOf, displayNameOf } from '../../console/src/pages/users/user-names.ts'
import { dayIn, endOfDay } from '../../console/src/parts/expiry.ts'
import { BadRequestSchema } from '../../contract/gen/google/rpc/error_details_pb.ts'
import { AdministratorSchema } from '../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { UserSchema } from '../../contract/gen/signet/user/v2/user_pb.ts'
import { ErrorDetailSchema } from '../../contract/gen/signet/v1/error_detail_pb.ts'

suite('permissions', () => {
  test('reach what the membership is for', () => {
    const { can, canSomewhere, isAdministrator } = permissionsOf([
      { level: 'organization', id: 'o1', roles: ['ORG_OWNER'] },
    ])
    assert.ok(can('user.write', { organizationId: 'o1' }))
    assert.ok(!can('user.write', { organizationId: 'o2' }))
    assert.ok(!can('user.write'))
    assert.ok(canSomewhere('user.write'))
    assert.ok(isAdministrator)
    assert.ok(!permissionsOf([]).isAdministrator)
  })

  test('of the instance reach everything', () => {
    const { can } = permissionsOf([{ level: 'instance', id: '', roles: ['IAM_OWNER'] }])
    assert.ok(can('user.write', { organizationId: 'o1' }))
    assert.ok(can('iam.write'))
  })
})

suite('the place of an administrator', () => {
  const places = [
    { level: 'instance' },
    { level: 'organization', id: 'o1' },
    { level: 'project', id: 'p1' },
    { level: 'project_grant', id: 'p1', grantedTo: 'o2' },
  ] as const

  test('is read back from the address', () => {
    for (const place of places) assert.deepEqual(placeFrom(placeParam(place)), place)
    assert.deepEqual(placeFrom('elsewhere'), { level: 'instance' })
  })

  test('is named in requests, and read from answers', () => {
    assert.deepEqual(resourceAt(places[3]).resource.value, { projectId: 'p1', organizationId: 'o2' })
    const value = { projectId: 'p1', grantedOrganizationId: 'o2' }
    assert.deepEqual(placeOf(create(AdministratorSchema, { resource: { case: 'projectGrant', value } })), places[3])
  })
})

suite('a value of metadata', () => {
  test('is text where it is text, else base64', () => {
    for (const [bytes, text, isBinary] of [
      [[0x68, 0x69], 'hi', false],
      [[0x61, 0x0a, 0x62], 'a\nb', false],
      [[0xff, 0xfe], '//4=', true],
      [[0x00], 'AA==', true],
    ] as const) {
      assert.deepEqual(shownValue(Uint8Array.from(bytes)), { text, isBinary })
      assert.deepEqual(bytesOf(text, isBinary), Uint8Array.from(bytes))
    }
  })

  test('that should be base64 and is not, is no value', () => {
    assert.equal(bytesOf('%', true), undefined)
  })
})

suite('a day', () => {
  test('ends a second before midnight, where the user is', () => {
    const end = timestampDate(endOfDay('2030-02-28') ?? assert.fail())
    assert.deepEqual([end.getDate(), end.getHours(), end.getMinutes(), end.getSeconds()], [28, 23, 59, 59])
  })

  test('is nothing else than a day', () => {
    assert.equal(endOfDay(''), undefined)
    assert.equal(endOfDay('2030-02-31x'), undefined)
  })

  test('is counted from today where the user is, not in Greenwich', (context) => {
    const zone = process.env.TZ
    context.after(() => {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    })
    process.env.TZ = 'America/Los_Angeles'
    assert.deepEqual(
      [dayIn(0, new Date('2030-01-01T06:00Z')), dayIn(0, new Date('2030-01-01T09:00Z'))],
      ['2029-12-31', '2030-01-01'],
    )
    process.env.TZ = 'Asia/Tokyo'
    assert.deepEqual(
      [dayIn(0, new Date('2030-01-01T16:00Z')), dayIn(365, new Date('2030-01-01T16:00Z'))],
      ['2030-01-02', '2031-01-02'],
    )
  })
})

suite('colours', () => {
  test('have the contrast that the standard defines', () => {
    assert.equal(contrastOf('#000', '#ffffff'), 21)
    assert.equal(contrastOf('#777777', '#777777'), 1)
    assert.equal(contrastOf('red', '#fff'), undefined)
  })

  test('get the text that is easier to read on them', () => {
    assert.deepEqual(['#ffffff', '#1f5fd0', '#ffee00', '#000'].map(textOn), [
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ])
  })

  test('that are not set are the built-in ones', () => {
    const none = { primaryColor: '', backgroundColor: '', fontColor: '', warnColor: '' }
    const dark = { primaryColorDark: '#ffee00', backgroundColorDark: 'no', fontColorDark: '', warnColorDark: '' }
    const values: ColorValues = { ...none, ...dark }
    assert.deepEqual(lookOf(values, 'light'), { ...BUILT_IN.light, onPrimary: '#ffffff' })
    assert.deepEqual(lookOf(values, 'dark'), { ...BUILT_IN.dark, primaryColor: '#ffee00', onPrimary: '#000000' })
  })
})

suite('an error of the API', () => {
  test('is read with its code, its sentence and its fields', () => {
    const error = new ConnectError('raw', Code.InvalidArgument, undefined, [
      { desc: ErrorDetailSchema, value: { id: 'user.email_invalid', message: 'The address is invalid.' } },
      {
        desc: BadRequestSchema,
        value: { fieldViolations: [{ field: 'human.email.email', description: 'No address.' }] },
      },
    ])
    const { id, message, violations, kind } = readFailure(error)
    assert.deepEqual([id, message, kind], ['user.email_invalid', 'The address is invalid.', 'invalid'])
    assert.deepEqual(
      violations.map(({ field, description }) => [field, description]),
      [['human.email.email', 'No address.']],
    )
  })

  test('is known as a lost connection, a missing permission, or something else', () => {
    const kinds = [
      new TypeError('fetch failed'),
      new ConnectError('x', Code.Unavailable),
      new ConnectError('x', Code.PermissionDenied),
      new ConnectError('x', Code.NotFound),
      new ConnectError('x', Code.Internal),
      'text',
    ].map((error) => readFailure(error).kind)
    assert.deepEqual(kinds, ['lost', 'lost', 'forbidden', 'not_found', 'other', 'other'])
  })
})

test('a user is called by the display name, else by the name to sign in with', () => {
  const human = create(UserSchema, {
    username: 'ada',
    preferredLoginName: 'ada@example',
    type: { case: 'human', value: { profile: { displayName: 'Ada' }, email: { email: 'ada@example.com' } } },
  })
  const machine = create(UserSchema, { username: 'robot', type: { case: 'machine', value: { name: 'Robot' } } })
  const bare = create(UserSchema, { username: 'bare', preferredLoginName: 'bare@example' })
  assert.deepEqual([human, machine, bare].map(displayNameOf), ['Ada', 'Robot', 'bare@example'])
  assert.deepEqual([human, machine, bare].map(contactOf), ['ada@example.com', 'robot', 'bare'])
})
