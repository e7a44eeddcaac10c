/** The links between the pages of sign-in settings, and whose settings they show. */
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { policyTexts } from '../../parts/policy/texts.ts'
import { useTexts } from '../../texts/index.tsx'
import { signInTexts } from './texts/index.ts'

/** The links. */
export function SignInLinks() {
  const t = useTexts(signInTexts)
  return (
    <AreaLinks
      label={t.title}
      links={[
        { to: '/sign-in', label: t.links.login },
        { to: '/sign-in/passwords', label: t.links.passwords },
        { to: '/sign-in/names', label: t.links.names },
      ]}
    />
  )
}

/** A sentence below the title. */
export function useOwnerSentence(): string {
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  return useSettingsOwner().organizationId === undefined ? ofInstance : ofOrganization
}
