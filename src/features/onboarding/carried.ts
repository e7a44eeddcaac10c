/** How organizations are carried, with their domains, and where their user names are unique. */
import type { Instant } from '../../kernel/instant.ts'
import {
  type Arriving,
  type BodyOf,
  type Draft,
  declare,
  nothingElse,
  type OpenedDocument,
} from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import { importDefaultOrganization, instances } from '../instances/index.ts'
import {
  activeOrganization,
  canonicalDomain,
  checkNewOrganization,
  closeIn,
  isLivingOrganization,
  type LivingOrganization,
  organizations,
  primaryDomain,
} from '../organizations/index.ts'
import { importNameScope, type Settings, settings } from '../settings/index.ts'

interface CarriedDomain {
  readonly name: string
  /** Whether the source has checked that the organization controls it. */
  readonly isVerified: boolean
  readonly isPrimary: boolean
}

export interface OrganizationDraft extends Draft<'organization'> {
  readonly name: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly domains: readonly CarriedDomain[]
  /** Whether user names are unique in this organization only. */
  readonly hasScopedUserNames: boolean
  /** The same, since when, and the dates of its settings. */
  readonly nameScope?: {
    readonly isScoped: boolean
    readonly createdAt: Instant
    readonly changedAt: Instant
    readonly settingsDates: Dates
  }
}

function nameScopeOf(found: OpenedDocument<Settings> | undefined) {
  const set = found?.state.organization
  if (found === undefined || set === undefined) return { hasScopedUserNames: false }
  const isScoped = set.userNameScope === 'organization'
  const settingsDates = { createdAt: found.createdAt, changedAt: found.changedAt }
  const { createdAt, changedAt } = set
  return { hasScopedUserNames: isScoped, nameScope: { isScoped, createdAt, changedAt, settingsDates } }
}

const defaultOf = (instance: object) =>
  'defaultOrganizationId' in instance ? (instance.defaultOrganizationId as string) : undefined

/** Gives an organization its domains: what the source does not have any more, or has verified since, is removed. */
async function putDomains(
  { work, id, part }: Arriving<unknown>,
  domains: readonly CarriedDomain[],
  before: LivingOrganization | undefined,
): Promise<void> {
  const wanted = new Map(domains.map(({ name, isVerified }) => [canonicalDomain(name), isVerified]))
  const kept = new Set<string | undefined>()
  for (const { domain, isVerified } of before?.domains ?? []) {
    if (wanted.get(domain) === isVerified) kept.add(domain)
    else await work.decide(organizations, id, { type: 'remove_domain', domain })
  }
  // The first verified one is the primary one here.
  for (const given of domains.toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))) {
    const { name: domain, isVerified } = given
    if (kept.has(canonicalDomain(domain))) continue
    const bring = { type: 'bring_domain', domain, isVerified } as const
    await part(`The domain ${domain}`, () => work.decide(organizations, id, bring, id))
  }
}

export const carriedOrganizations = declare(organizations, {
  as: 'organization',
  after: ['saml-keys'],
  lives: isLivingOrganization,
  async describe(state, { id, beside, all }): Promise<BodyOf<OrganizationDraft>> {
    // What a directory manages, it says again.
    const { status, name, domains, chosenDomain: _, allowsManagedChanges: __, search: ___, ...rest } = state
    nothingElse(rest)
    const primary = primaryDomain(state)
    const described = domains.map(({ domain, isVerified }) => {
      return { name: domain, isVerified, isPrimary: domain === primary }
    })
    const isDefault = [...(await all(instances, defaultOf)).values()].includes(id)
    return {
      name,
      isActive: status === 'active',
      isDefault,
      domains: described,
      ...nameScopeOf(await beside(settings)),
    }
  },
  idOf: (_, { id }) => id,
  async put(arriving, before) {
    const { app, work, id, draft, dates } = arriving
    const { name, isActive, isDefault, domains, hasScopedUserNames: isScoped, nameScope, ...rest } = draft
    nothingElse(rest)
    if (before === undefined) {
      await checkNewOrganization(app, work, { id, name })
      // Active, so that its users can be added.
      await work.decide(organizations, id, { type: 'add', name }, id)
    } else {
      await work.decide(organizations, id, { type: 'rename', name })
      if (before.status === 'inactive' && isActive) await work.decide(organizations, id, { type: 'reactivate' })
    }
    await putDomains(arriving, domains, before)
    if (nameScope !== undefined) dates(settings, id, nameScope.settingsDates)
    await importNameScope(work, id, nameScope ?? { isScoped })
    if (before === undefined && isDefault) await importDefaultOrganization(app, work, id)
  },
  /** Nothing can be added to one that is not active. */
  later({ id, isActive }) {
    if (isActive) return undefined
    return async (app, work) => {
      if ((await activeOrganization(work, id)) !== undefined) await closeIn(app, work, id, 'deactivate')
    }
  },
  remove: ({ app, work, id }) => closeIn(app, work, id, 'remove'),
  removalContinues: true,
})
