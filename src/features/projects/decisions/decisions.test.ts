import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../../kernel/instant.ts'
import type { ProjectSettings } from '../events.ts'
import { type Project, project } from './project.ts'
import { type ProjectGrant, projectGrant } from './project-grant.ts'
import { type ProjectRole, projectRole } from './project-role.ts'

const SETTINGS: ProjectSettings = {
  name: 'Shop',
  projectRoleAssertion: false,
  authorizationRequired: false,
  projectAccessRequired: false,
  privateLabeling: 'unspecified',
}

function projectAfter(...commands: Parameters<typeof project.decide>[0][]): Project {
  return commands.reduce<Project>(
    (state, command) => project.decide(command, state).events.reduce(project.evolve, state),
    project.initial,
  )
}
const added = projectAfter({ type: 'add', organizationId: 'o', ...SETTINGS })

suite('decisions about projects', () => {
  test('a change records only what differs', () => {
    const settings = { name: 'Shop', authorizationRequired: true }
    assert.deepEqual(project.decide({ type: 'change', settings }, added).events, [
      { type: 'project.changed.v1', data: { authorizationRequired: true } },
    ])
    assert.deepEqual(project.decide({ type: 'change', settings: SETTINGS }, added), { events: [] })
    assert.equal(project.decide({ type: 'change', settings: { name: ' ' } }, added).refusal, 'project.name_invalid')
  })

  test('a removal can be repeated, and an id is never used again', () => {
    const removed = projectAfter({ type: 'add', organizationId: 'o', ...SETTINGS }, { type: 'remove' })
    assert.deepEqual(project.decide({ type: 'remove' }, removed), { events: [] })
    const again = { type: 'add', organizationId: 'o', ...SETTINGS } as const
    assert.equal(project.decide(again, removed).refusal, 'project.id_taken')
  })

  test('a role can be added again after its removal', () => {
    const role = { type: 'add', projectId: 'p', key: 'a', displayName: 'A', group: '', addedAt: instant(1) } as const
    const after = (state: ProjectRole, command: Parameters<typeof projectRole.decide>[0]) =>
      projectRole.decide(command, state).events.reduce(projectRole.evolve, state)
    const existing = after(projectRole.initial, role)
    assert.equal(projectRole.decide(role, existing).refusal, 'project_role.exists')
    const none = after(existing, { type: 'remove' })
    assert.deepEqual(projectRole.decide({ type: 'remove' }, none), { events: [] })
    assert.equal(projectRole.decide({ type: 'change', texts: {} }, none).refusal, 'project_role.not_found')
    assert.equal(projectRole.decide(role, none).events.length, 1)
  })

  test('a grant keeps each role once, and ignores their order', () => {
    const command = { type: 'add', projectId: 'p', grantedOrganizationId: 'g', roleKeys: ['a', 'b', 'a'] } as const
    const state = projectGrant
      .decide(command, projectGrant.initial)
      .events.reduce<ProjectGrant>(projectGrant.evolve, projectGrant.initial)
    assert.deepEqual(state.status === 'active' && state.roleKeys, ['a', 'b'])
    assert.deepEqual(projectGrant.decide({ type: 'change', roleKeys: ['b', 'a'] }, state), { events: [] })
    assert.deepEqual(projectGrant.decide({ type: 'reactivate' }, state), { events: [] })
  })
})
