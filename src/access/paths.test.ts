import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant } from './call.ts'
import { OWNERS_REACH, reachAfter, reaches, reachIn } from './paths.ts'

const inNorth = (...roles: string[]): Grant => ({ scope: { organizationId: 'north' }, roles })
const onInstance = (...roles: string[]): Grant => ({ scope: 'instance', roles })
const MANAGERS = ['ORG_SETTINGS_MANAGER']

test('somebody reaches in an organization as far as their roles there, and at most as far as its owner', () => {
  assert.deepEqual(reachIn('north', [inNorth('ORG_OWNER')]), OWNERS_REACH)
  assert.deepEqual(reachIn('north', [onInstance('IAM_OWNER')]), OWNERS_REACH)
  assert.deepEqual(reachIn('north', [onInstance('IAM_ORG_MANAGER')]), OWNERS_REACH)
  assert.deepEqual(reachIn('north', [inNorth('ORG_SETTINGS_MANAGER')]), MANAGERS)
  assert.deepEqual(reachIn('north', [inNorth('ORG_SETTINGS_MANAGER'), onInstance('IAM_OWNER_VIEWER')]), MANAGERS)
  assert.deepEqual(reachIn('south', [inNorth('ORG_OWNER')]), [])
  assert.deepEqual(reachIn('north', [{ ...inNorth('ORG_OWNER'), isClosed: true }]), [])
})

test('a path counts for users within its reach', () => {
  const project: Grant = { scope: { projectId: 'api', ownerId: 'north' }, roles: ['PROJECT_OWNER'] }
  for (const [reach, grants, expected] of [
    [MANAGERS, [], true],
    [MANAGERS, [inNorth('ORG_SETTINGS_MANAGER')], true],
    [MANAGERS, [inNorth('ORG_USER_MANAGER')], false],
    [MANAGERS, [inNorth('ORG_OWNER_VIEWER')], false],
    [MANAGERS, [inNorth('ORG_OWNER')], false],
    [MANAGERS, [project], false],
    [[], [], true],
    [[], [inNorth('SELF_MANAGEMENT_GLOBAL')], false],
    [OWNERS_REACH, [inNorth('ORG_OWNER'), project], true],
    [OWNERS_REACH, [onInstance('IAM_OWNER_VIEWER')], false],
    [undefined, [inNorth('ORG_OWNER')], true],
    [undefined, [onInstance('IAM_OWNER')], false],
    [['NO_SUCH_ROLE'], [inNorth('ORG_OWNER')], false],
  ] as const) {
    assert.equal(reaches(reach, 'north', grants), expected, JSON.stringify([reach, grants]))
  }
})

test('who changes a path gives it their reach; who saves it unchanged only raises it', () => {
  const [changed, same] = [{ isChanged: true }, { isChanged: false }]
  assert.deepEqual(reachAfter(undefined, MANAGERS, changed), MANAGERS)
  assert.equal(reachAfter(undefined, MANAGERS, same), undefined)
  assert.deepEqual(reachAfter(MANAGERS, OWNERS_REACH, changed), OWNERS_REACH)
  assert.deepEqual(reachAfter(MANAGERS, OWNERS_REACH, same), OWNERS_REACH)
  assert.equal(reachAfter(undefined, OWNERS_REACH, changed), undefined)
  assert.equal(reachAfter(MANAGERS, MANAGERS, changed), undefined)
  assert.deepEqual(reachAfter(MANAGERS, ['ORG_OWNER_VIEWER'], changed), ['ORG_OWNER_VIEWER'])
  assert.equal(reachAfter(MANAGERS, ['ORG_OWNER_VIEWER'], same), undefined)
  assert.equal(reachAfter(MANAGERS, OWNERS_REACH, { isChanged: true, isWhole: false }), undefined)
  assert.deepEqual(reachAfter(undefined, MANAGERS, { isChanged: true, isWhole: false }), MANAGERS)
  // The server itself, which forgets what was removed.
  assert.equal(reachAfter(MANAGERS, undefined, changed), undefined)
})
