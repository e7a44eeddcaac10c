import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { group, groupMember, groupMetadataEntry } from './decider.ts'

const at = instant(1_800_000_000_000)
const texts = { name: 'Team', description: '' }
const added = { type: 'group.added.v1', data: { ...texts, organizationId: 'north' } } as const
const removed = { type: 'group.removed.v1', data: {} } as const
const managed = { type: 'group.managed.v1', data: { directoryId: 'hr', since: at } } as const

suite('a group', () => {
  test('is added once, with a name', () => {
    const add = { type: 'add', organizationId: 'north', ...texts } as const
    given(group).when(add).then(added)
    given(group, added).when(add).thenRefused('group.id_taken')
    given(group, added, removed).when(add).thenRefused('group.id_taken')
    given(group)
      .when({ ...add, name: ' ' })
      .thenRefused('group.name_invalid')
  })

  test('is changed by what differs', () => {
    const change = (more: object) => ({ type: 'change', texts: { ...texts, ...more } }) as const
    given(group, added).when(change({})).then()
    given(group, added)
      .when(change({ description: 'Sales' }))
      .then({ type: 'group.changed.v1', data: { description: 'Sales' } })
    given(group, added)
      .when(change({ name: ' ' }))
      .thenRefused('group.name_invalid')
    given(group)
      .when(change({ name: 'Other' }))
      .thenRefused('group.not_found')
  })

  test('of a directory is renamed by the directory alone', () => {
    const rename = { type: 'change', texts: { name: 'Other' } } as const
    const renamed = { type: 'group.changed.v1', data: { name: 'Other' } } as const
    given(group, added, managed).when(rename).thenRefused('group.managed')
    given(group, added, managed)
      .when({ ...rename, overridesDirectory: true })
      .then(renamed)
    given(group, added, managed)
      .when({ type: 'change', texts: { ...texts, description: 'Sales' } })
      .then({ type: 'group.changed.v1', data: { description: 'Sales' } })
    const released = { type: 'group.released.v1', data: {} } as const
    given(group, added, managed, released).when(rename).then(renamed)
  })

  test('belongs to one directory, the last one that took it', () => {
    given(group, added).when({ type: 'manage', directoryId: 'hr', at }).then(managed)
    given(group, added, managed)
      .when({ type: 'manage', directoryId: 'hr', at: instant(at + 1) })
      .then()
    given(group, added, managed)
      .when({ type: 'manage', directoryId: 'other', at })
      .then({ type: 'group.managed.v1', data: { directoryId: 'other', since: at } })
    given(group, added).when({ type: 'release' }).then()
    given(group, added, managed).when({ type: 'release' }).then({ type: 'group.released.v1', data: {} })
  })

  test('is removed, also twice, and is not there afterwards', () => {
    given(group, added).when({ type: 'remove' }).then(removed)
    given(group, added, removed).when({ type: 'remove' }).then()
    given(group).when({ type: 'remove' }).thenRefused('group.not_found')
    given(group, added, removed).when({ type: 'release' }).thenRefused('group.not_found')
  })

  test('has a user once, who can come back', () => {
    const joins = { groupId: 'team', userId: 'ada', addedAt: at }
    const joined = { type: 'group_member.added.v1', data: joins } as const
    const leave = { type: 'remove', removedAt: instant(at + 5) } as const
    const left = { type: 'group_member.removed.v1', data: { removedAt: leave.removedAt } } as const
    given(groupMember)
      .when({ type: 'add', ...joins })
      .then(joined)
    given(groupMember, joined)
      .when({ type: 'add', ...joins })
      .then()
    given(groupMember, joined).when(leave).then(left)
    given(groupMember).when(leave).then()
    given(groupMember, joined, left)
      .when({ type: 'add', ...joins })
      .then(joined)
  })

  test('remembers when somebody last joined or left', () => {
    const joined = { type: 'group_member.added.v1', data: { groupId: 'team', userId: 'ada', addedAt: at } } as const
    const left = { type: 'group_member.removed.v1', data: { removedAt: instant(at + 5) } } as const
    const turns = [[joined], [joined, left], [joined, { ...left, data: {} }]].map(
      (events) => given(groupMember, ...events).state.turn,
    )
    assert.deepEqual(
      turns.map((turn) => [turn?.groupId, turn?.at]),
      [at, at + 5, at].map((when) => ['team', when]),
    )
    assert.ok((turns[0]?.key ?? '') < (turns[1]?.key ?? ''))
  })

  test('has metadata by key, found by its text in any case', () => {
    const entry = { groupId: 'team', key: 'Floor', value: 'Third' }
    const set = { type: 'group_metadata.set.v1', data: entry } as const
    given(groupMetadataEntry)
      .when({ type: 'set', ...entry })
      .then(set)
    given(groupMetadataEntry, set)
      .when({ type: 'set', ...entry })
      .then()
    const other = { ...entry, value: 'Fourth' }
    given(groupMetadataEntry, set)
      .when({ type: 'set', ...other })
      .then({ type: 'group_metadata.set.v1', data: other })
    given(groupMetadataEntry, set).when({ type: 'remove' }).then({ type: 'group_metadata.removed.v1', data: {} })
    given(groupMetadataEntry).when({ type: 'remove' }).then()
    const { state } = given(groupMetadataEntry, set)
    assert.ok(state.status === 'set')
    assert.deepEqual([state.size, state.search.key], [5, 'floor'])
  })
})
