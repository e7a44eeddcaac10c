/** How users sign in: methods, second factors, lifetimes and the offered providers, beside a preview. */
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { useTexts } from '../../texts/index.tsx'
import { LoginForm } from './login-form.tsx'
import { useOwnerSentence } from './owner-sentence.ts'
import { LOGIN_POLICY } from './policies.ts'
import { signInTexts } from './texts/index.ts'

/** The page. */
export function SignInSettingsPage() {
  const t = useTexts(signInTexts)
  const { query, isInstance, isInherited } = usePolicy(LOGIN_POLICY)
  return (
    <AreaPage title={t.title} description={useOwnerSentence()} links={<AreaLinks area="/sign-in" />}>
      <Reading query={query}>
        {(policy) => (
          // Another owner, or settings that were reset: the form starts anew.
          <LoginForm key={`${isInstance} ${isInherited} ${policy.details?.resourceOwner}`} policy={policy} />
        )}
      </Reading>
    </AreaPage>
  )
}
