/** Writes organizations with their domains. */
import { importDefaultOrganization } from '../../../features/instances/index.ts'
import {
  closeImported,
  importDomain,
  importOrganization,
  organizations,
} from '../../../features/organizations/index.ts'
import { importNameScope, settings } from '../../../features/settings/index.ts'
import type { OrganizationDraft } from '../draft.ts'
import { isThere, tryPart, type WriteDraft, type WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }

/** Deactivated only when everything in it is there: nothing can be added to one that is not active. */
function closingLater({ id, isActive }: OrganizationDraft): Pick<WriteEnd, 'later'> {
  return isActive ? {} : { later: (app, work) => closeImported(app, work, id) }
}

export const writeOrganization: WriteDraft<OrganizationDraft> = async ({ app, work, draft, left, dates }) => {
  const { id, name, domains, isDefault, hasScopedUserNames } = draft
  if (await isThere(work, organizations, id, id)) return { ...THERE, ...closingLater(draft) }
  await importOrganization(app, work, { id, name })
  // The first verified one is the primary one here.
  for (const domain of domains.toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))) {
    await tryPart(left, `The domain ${domain.name}`, () => importDomain(work, id, domain))
  }
  if (draft.nameScope !== undefined) dates(settings, id, draft.nameScope.settingsDates)
  const scope = draft.nameScope ?? (hasScopedUserNames ? { isScoped: true } : undefined)
  if (scope !== undefined) await importNameScope(work, id, scope)
  if (isDefault) await importDefaultOrganization(app, work, id)
  return { end: 'carried', ...closingLater(draft) }
}
