/** Organizations and their domains, from the events of `org`. */
import { flag, need, optional, type PeerEvent, text } from '../event.ts'
import { type Folding, Parts } from '../fold.ts'

export interface OrganizationState {
  name: string
  isActive: boolean
  domains: Parts<{ readonly isVerified: boolean; readonly isChallenged?: boolean }>
  primaryDomain: string
}

function setName(state: OrganizationState, event: PeerEvent): void {
  state.name = need(event, 'name', text)
}

export const ORGANIZATION_BEGINS = ['org.added']
export const ORGANIZATION_ENDS = ['org.removed']

export const organizations: Folding<OrganizationState> = {
  aggregateType: 'org',
  initial: () => ({ name: '', isActive: true, domains: new Parts(), primaryDomain: '' }),
  begins: ORGANIZATION_BEGINS,
  ends: ORGANIZATION_ENDS,
  dating: /^org\.(added|changed|deactivated|reactivated|domain\.primary)/,
  changes: {
    'org.added': setName,
    'org.changed': setName,
    'org.deactivated': (state) => {
      state.isActive = false
    },
    'org.reactivated': (state) => {
      state.isActive = true
    },
    'org.domain.added': ({ domains }, event) => domains.add(need(event, 'domain', text), { isVerified: false }, event),
    'org.domain.verified': ({ domains }, event) =>
      domains.put(need(event, 'domain', text), { isVerified: true }, event),
    'org.domain.verification.added': ({ domains }, event) =>
      domains.change(need(event, 'domain', text), event, (domain) => ({ ...domain, isChallenged: true })),
    'org.domain.removed': (state, event) => {
      const domain = need(event, 'domain', text)
      state.domains.remove(domain)
      if (state.primaryDomain === domain) state.primaryDomain = ''
    },
    'org.domain.primary.set': (state, event) => {
      state.primaryDomain = need(event, 'domain', text)
    },
  },
}

/** Whether user names are unique in an organization only, by its own settings. */
export const organizationSettings: Folding<{ hasScopedUserNames: boolean }> = {
  aggregateType: 'organization_settings',
  initial: () => ({ hasScopedUserNames: false }),
  ends: ['settings.organization.removed'],
  changes: {
    'settings.organization.set': (state, event) => {
      state.hasScopedUserNames = optional(event, 'organizationScopedUsernames', flag) ?? false
    },
  },
}
