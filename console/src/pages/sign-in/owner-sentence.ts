/** Whose settings the pages of sign-in settings show, in one sentence. */
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { policyTexts } from '../../parts/policy/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'

/** A sentence below the title. */
export function useOwnerSentence(): string {
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  return useSettingsOwner().organizationId === undefined ? ofInstance : ofOrganization
}
