/** Why a sign-in succeeded, failed or asked for more: a page whose address can be shared. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SignIn } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { When } from '../../parts/when.tsx'
import { METHODS, nameIn } from '../../sign-ins/names.ts'
import { signInSentence } from '../../sign-ins/sentence.ts'
import { SignInSteps } from '../../sign-ins/steps.tsx'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { OutcomeBadge } from './sign-in-table.tsx'
import { auditTexts } from './texts/index.ts'

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
          <Facts signIn={signIn} />
        </Section>
        <Section title={words.stepsTitle} description={t.stepsHint}>
          <SignInSteps explanation={data} />
        </Section>
      </Stack>
    </AreaPage>
  )
}

function Facts({ signIn }: { readonly signIn: SignIn }) {
  const t = useTexts(auditTexts)
  const { methods } = useTexts(signInWords)
  const { user, applications, organizationId, identityProviderId } = signIn
  const method = nameIn(METHODS, signIn.method)
  const link = (to: string, name: string) => (
    <Anchor key={to} component={Link} to={to} size="sm">
      {name}
    </Anchor>
  )
  const named = applications.filter(({ name }) => name !== '')
  return (
    <Stack gap={6} component="dl" m={0}>
      <Fact label={t.when}>
        <When time={signIn.startDate} />
      </Fact>
      {user && <Fact label={t.user}>{link(`/users/${user.id}`, user.displayName || user.id)}</Fact>}
      {named.length > 0 && (
        <Fact label={t.application}>
          {named.map(({ id, projectId, name }) => link(`/projects/${projectId}/applications/${id}`, name))}
        </Fact>
      )}
      {method && <Fact label={t.method}>{methods[method]}</Fact>}
      {identityProviderId !== '' && (
        <Fact label={t.provider}>{link(`/identity-providers/${identityProviderId}`, identityProviderId)}</Fact>
      )}
      {organizationId !== '' && (
        <Fact label={t.organization}>{link(`/organizations/${organizationId}`, organizationId)}</Fact>
      )}
    </Stack>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group gap="sm" align="baseline">
      <Text component="dt" size="sm" c="dimmed" miw={140}>
        {label}
      </Text>
      <Group component="dd" m={0} gap="sm" fz="sm">
        {children}
      </Group>
    </Group>
  )
}
