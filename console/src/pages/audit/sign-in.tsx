/** Why a sign-in succeeded, failed or asked for more: a page whose address can be shared. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Stack } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { signInSentence } from '../../sign-ins/sentence.ts'
import { SignInSteps } from '../../sign-ins/steps.tsx'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { SignInFacts } from './sign-in-facts.tsx'
import { OutcomeBadge } from './sign-in-table.tsx'
import { auditTexts } from './texts/index.ts'
import { WhatNext } from './what-next.tsx'

/** The page. */
export function SignInPage() {
  const t = useTexts(auditTexts)
  const words = useTexts(signInWords)
  const { signInId } = useParams({ from: '/audit/sign-ins/$signInId' })
  const { data, error, refetch } = useQuery(SignInService.method.explainSignIn, { signInId })
  if (data?.signIn === undefined) {
    return error === null && data === undefined ? <PageLoader /> : <FailureNotice error={error} onRetry={refetch} />
  }
  const { signIn } = data
  return (
    <AreaPage
      title={signInSentence(signIn, words)}
      badge={<OutcomeBadge signIn={signIn} />}
      links={
        <Anchor component={Link} to="/audit" size="sm" w="fit-content">
          ← {t.signIns}
        </Anchor>
      }
    >
      <Stack>
        <Section title={t.facts}>
          <SignInFacts signIn={signIn} />
          <WhatNext signIn={signIn} />
        </Section>
        <Section title={words.stepsTitle} description={t.stepsHint}>
          <SignInSteps explanation={data} />
        </Section>
      </Stack>
    </AreaPage>
  )
}
