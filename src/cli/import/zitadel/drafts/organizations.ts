/** Organizations as drafts. */
import { organizations } from '../folds/organizations.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'

export async function* organizationDrafts(reading: Reading): AsyncGenerator<Item> {
  const { instance } = reading.world
  for await (const { id, isAlive, state, createdAt, changedAt } of folded(reading, organizations)) {
    if (!isAlive) {
      yield removed({ kind: 'organization', id })
      continue
    }
    yield {
      kind: 'organization',
      id,
      organizationId: id,
      createdAt,
      changedAt,
      name: state.name,
      isActive: state.isActive,
      isDefault: id === instance.state.defaultOrganizationId,
      domains: [...state.domains.living].map(([name, { value }]) => ({
        name,
        isVerified: value.isVerified,
        isPrimary: name === state.primaryDomain,
      })),
      hasScopedUserNames: (await reading.world.organization(id))?.isScoped ?? false,
    }
    for (const [domain, { value }] of state.domains.living) {
      if (!value.isChallenged || value.isVerified) continue
      yield remark('organization', id, `The code that proves the domain ${domain} stays behind: ask for a new one.`)
    }
  }
}
