/** What a ZITADEL that is still in use yields after it was read once. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Source } from '../../../src/cli/import/draft.ts'
import { organization, type PeerWorld, peerWorld, project, user } from './peer-world.ts'

const [FIRST, SECOND] = ['200000000000000001', '200000000000000002']

/** Reads everything, and lets time pass. */
async function readOnce(world: PeerWorld): Promise<{ readonly source: Source; readonly mark: string }> {
  world.wait(100)
  await world.add(organization, { 'org.domain.added': { domain: 'late.example' } })
  const source = await world.open()
  for await (const _ of source.read()) {
    // Only where it began matters.
  }
  const mark = source.changes?.mark()
  assert.ok(mark)
  world.wait(100)
  return { source, mark }
}

async function changesSince(source: Source, mark: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of source.changes?.read(mark) ?? []) {
    if ('removed' in item) found.push(`- ${item.removed.kind} ${item.removed.id}`)
    else if (!('remark' in item)) found.push(`${item.kind} ${item.id}`)
  }
  return found
}

suite('a ZITADEL that is still in use', () => {
  test('yields what changed after a mark, and not the rest', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(FIRST)
    await world.addHuman(SECOND)
    const { source, mark } = await readOnce(world)
    assert.equal(await source.changes?.behind(mark), 0)
    await world.add(user(SECOND), { 'user.locked': null })
    assert.equal(await source.changes?.behind(mark), 1)
    const found = await changesSince(source, mark)
    assert.ok(found.includes(`human ${SECOND}`))
    assert.ok(!found.includes(`human ${FIRST}`))
  })

  test('yields what was removed, also parts of what stays', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(FIRST)
    await world.add(user(FIRST), { 'user.metadata.set': { key: 'a', value: 'YQ==' } })
    await world.add(project('p1'), {
      'project.added': { name: 'One' },
      'project.application.added': { appId: 'a1', name: 'App' },
      'project.application.config.api.added': { appId: 'a1', clientId: 'c1' },
      'project.member.added': { userId: FIRST, roles: ['PROJECT_OWNER'] },
    })
    await world.addHuman(SECOND)
    const { source, mark } = await readOnce(world)
    await world.add(user(FIRST), { 'user.metadata.removed': { key: 'a' } })
    await world.add(user(SECOND), { 'user.removed': null })
    await world.add(project('p1'), {
      'project.application.removed': { appId: 'a1' },
      'project.member.removed': { userId: FIRST },
    })
    const found = await changesSince(source, mark)
    for (const gone of [
      `- human ${SECOND}`,
      '- application a1',
      `- metadata ${FIRST}:a`,
      `- administrator p1:${FIRST}`,
    ]) {
      assert.ok(found.includes(gone), gone)
    }
    assert.ok(found.includes('project p1'))
  })

  test('the next mark is after what was read', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const { source, mark } = await readOnce(world)
    await world.addHuman(FIRST)
    world.wait(100)
    await world.addHuman(SECOND)
    assert.ok((await changesSince(source, mark)).includes(`human ${FIRST}`))
    const next = source.changes?.mark() ?? ''
    const found = await changesSince(source, next)
    assert.ok(!found.includes(`human ${FIRST}`))
    assert.ok(found.includes(`human ${SECOND}`))
  })
})
