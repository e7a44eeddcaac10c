/** The rules of organizations. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import { nameProblem } from '../../kernel/name.ts'
import type { DomainProof, OrganizationEvent } from './events.ts'
import { canonicalDomain } from './names.ts'
import type { OrganizationRefusal } from './refusals.ts'
import { evolveOrganization, isLiving, type LivingOrganization, type Organization, primaryDomain } from './state.ts'

export type OrganizationCommand =
  /** `domain`: one below our own host, which needs no proof. */
  | { readonly type: 'add'; readonly name: string; readonly domain?: string | undefined }
  | { readonly type: 'rename'; readonly name: string }
  /** `isDefault`: the default organization can be neither deactivated nor removed. */
  | { readonly type: 'deactivate' | 'remove'; readonly isDefault: boolean }
  | { readonly type: 'reactivate' }
  | { readonly type: 'set_managed_changes'; readonly areAllowed: boolean }
  | { readonly type: 'add_domain'; readonly domain: string }
  | { readonly type: 'remove_domain'; readonly domain: string }
  | { readonly type: 'set_primary_domain'; readonly domain: string }
  /** From another product, which has checked that the organization controls it, or not. */
  | { readonly type: 'bring_domain'; readonly domain: string; readonly isVerified: boolean }
  | {
      readonly type: 'start_domain_validation'
      readonly domain: string
      readonly proof: DomainProof
      readonly token: string
    }
  /** `proven`: the handler has found the token. */
  | { readonly type: 'verify_domain'; readonly domain: string; readonly token: string; readonly proven: boolean }

type DomainCommand = Exclude<
  Extract<OrganizationCommand, { readonly domain?: string | undefined }>,
  { readonly type: 'add' }
>
type OrganizationDecision = Decision<OrganizationEvent, OrganizationRefusal>

/** Few enough for one document. */
export const MOST_DOMAINS = 100

function decideDomain(command: DomainCommand, state: LivingOrganization): OrganizationDecision {
  const name = canonicalDomain(command.domain)
  if (name === undefined) return refuse('organization.domain_invalid')
  const domain = state.domains.find((candidate) => candidate.domain === name)
  if (command.type === 'add_domain' || command.type === 'bring_domain') {
    if (domain !== undefined) return refuse('organization.domain_exists')
    if (state.domains.length >= MOST_DOMAINS) return refuse('organization.too_many_domains')
    const added = { type: 'organization.domain_added.v1', data: { domain: name } } as const
    if (command.type === 'add_domain' || !command.isVerified) return accept(added)
    return accept<OrganizationEvent>(added, { type: 'organization.domain_verified.v1', data: { domain: name } })
  }
  if (domain === undefined) return refuse('organization.domain_not_found')
  if (command.type === 'remove_domain') {
    return accept({ type: 'organization.domain_removed.v1', data: { domain: name } })
  }
  if (command.type === 'set_primary_domain') {
    if (!domain.isVerified) return refuse('organization.domain_not_verified')
    if (primaryDomain(state) === name) return accept()
    return accept({ type: 'organization.primary_domain_set.v1', data: { domain: name } })
  }
  if (domain.isVerified) return refuse('organization.domain_verified')
  if (command.type === 'start_domain_validation') {
    const { proof, token } = command
    return accept({ type: 'organization.domain_validation_started.v1', data: { domain: name, proof, token } })
  }
  if (domain.validation === undefined) return refuse('organization.domain_validation_missing')
  // A new token was requested during the search for the old one.
  if (domain.validation.token !== command.token) return refuse('organization.domain_validation_changed')
  if (!command.proven) return refuse('organization.domain_not_proven')
  return accept({ type: 'organization.domain_verified.v1', data: { domain: name } })
}

export const organization: Decider<OrganizationCommand, Organization, OrganizationEvent, OrganizationRefusal> = {
  initial: { status: 'unknown' },

  evolve: evolveOrganization,

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('organization.id_taken')
      if (nameProblem(command.name) !== undefined) return refuse('organization.name_invalid')
      const added = { type: 'organization.added.v1', data: { name: command.name } } as const
      const domain = command.domain === undefined ? undefined : canonicalDomain(command.domain)
      if (domain === undefined) return accept(added)
      return accept<OrganizationEvent>(
        added,
        { type: 'organization.domain_added.v1', data: { domain } },
        { type: 'organization.domain_verified.v1', data: { domain } },
      )
    }
    // A removal that is repeated succeeds.
    if (state.status === 'removed' && command.type === 'remove') return accept()
    if (!isLiving(state)) return refuse('organization.not_found')
    switch (command.type) {
      case 'rename':
        if (nameProblem(command.name) !== undefined) return refuse('organization.name_invalid')
        if (command.name === state.name) return accept()
        return accept({ type: 'organization.renamed.v1', data: { name: command.name } })
      case 'deactivate':
        if (state.status !== 'active') return refuse('organization.not_active')
        if (command.isDefault) return refuse('organization.is_default')
        return accept({ type: 'organization.deactivated.v1', data: {} })
      case 'reactivate':
        if (state.status !== 'inactive') return refuse('organization.not_inactive')
        return accept({ type: 'organization.reactivated.v1', data: {} })
      case 'set_managed_changes': {
        const { areAllowed } = command
        if (areAllowed === (state.allowsManagedChanges === true)) return accept()
        return accept({ type: 'organization.managed_changes_set.v1', data: { areAllowed } })
      }
      case 'remove':
        if (command.isDefault) return refuse('organization.is_default')
        return accept({ type: 'organization.removed.v1', data: {} })
      default:
        return decideDomain(command, state)
    }
  },
}
