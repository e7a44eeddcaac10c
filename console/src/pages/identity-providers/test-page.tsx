/** Signs in with an identity provider to try it out, and shows each step and the returned claims. Nobody is signed in. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FailureNotice, useFailureSentence } from '../../parts/failure-notice.tsx'
import { InOrganization } from '../../parts/in-organization.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { environment } from '../../session/environment.ts'
import { textAt, useTexts } from '../../texts/index.tsx'
import { StepList } from './step-list.tsx'
import type { TestSearch } from './test-search.ts'
import { failedStep } from './test-steps.ts'
import { providerTexts } from './texts/index.ts'
import { useFailureReason } from './use-failure-reason.ts'
import { useProvider } from './use-provider.ts'

/** The page. The token leaves the address as soon as it was read. */
export function ProviderTestPage() {
  const t = useTexts(providerTexts)
  const { providerId } = useParams({ from: '/identity-providers/$providerId/test' })
  const search: TestSearch = useSearch({ from: '/identity-providers/$providerId/test' })
  const [returned, setReturned] = useState(search)
  const navigate = useNavigate()
  const isReturn = search.id !== undefined
  useEffect(() => {
    if (isReturn) void navigate({ to: '.', search: {} as never, replace: true })
  }, [isReturn, navigate])
  const { provider, otherOrganizationId, error, refetch } = useProvider(providerId)
  usePageTitle(t.test.title)
  if (error !== null && provider === undefined) return <FailureNotice error={error} onRetry={refetch} />
  return (
    <InOrganization organizationId={otherOrganizationId}>
      <Stack gap="md">
        <Anchor
          component={Link}
          to="/identity-providers/$providerId"
          params={{ providerId } as never}
          size="sm"
          w="fit-content"
        >
          ← {provider?.name ?? t.title}
        </Anchor>
        <Title order={1}>{t.test.title}</Title>
        <Text c="dimmed">{t.test.hint}</Text>
        {returned.id !== undefined && returned.token !== undefined && (
          <Succeeded intentId={returned.id} token={returned.token} />
        )}
        {returned.error !== undefined && <Failed returned={returned} />}
        <Start
          providerId={providerId}
          isAgain={returned.id !== undefined || returned.error !== undefined}
          onStart={() => setReturned({})}
        />
      </Stack>
    </InOrganization>
  )
}

interface StartProps {
  readonly providerId: string
  readonly isAgain: boolean
  onStart(): void
}

function Start({ providerId, isAgain, onStart }: StartProps) {
  const { test: t } = useTexts(providerTexts)
  const sentence = useFailureSentence()
  const [failure, setFailure] = useState<unknown>()
  const [isForm, setIsForm] = useState(false)
  const { reason } = useFailureReason({ providerId, isWanted: failure !== undefined })
  const start = useAction(UserService.method.startIdentityProviderIntent, {
    done: t.started,
    onDone: ({ nextStep }) => {
      if (nextStep.case === 'authUrl') location.assign(nextStep.value)
      // The policy of the console lets forms go to this server only.
      else setIsForm(true)
    },
    onError: (error) => {
      setFailure(error)
      return true
    },
  })
  const page = `${environment().issuer}${import.meta.env.BASE_URL}identity-providers/${encodeURIComponent(providerId)}/test`
  const run = () => {
    onStart()
    setFailure(undefined)
    return start.run({ idpId: providerId, content: { case: 'urls', value: { successUrl: page, failureUrl: page } } })
  }
  return (
    <>
      {failure !== undefined && (
        <StepList failedAt="start" sentence={textAt(t.reasons, reason ?? '') ?? sentence(failure)} code={reason} />
      )}
      {isForm && <Alert color="blue">{t.form}</Alert>}
      <CopyField label={t.callback} value={`${environment().issuer}/idps/callback`} />
      <Group>
        <Button loading={start.isRunning} onClick={run}>
          {isAgain || failure !== undefined ? t.again : t.start}
        </Button>
      </Group>
    </>
  )
}

function Failed({ returned }: { readonly returned: TestSearch }) {
  const { test: t } = useTexts(providerTexts)
  const { reason, isLoading } = useFailureReason({ intentId: returned.id, isWanted: true })
  if (isLoading) return <PageLoader />
  const code = reason ?? returned.error ?? ''
  const sentence = textAt(t.reasons, code) ?? returned.error_description ?? code
  return <StepList failedAt={failedStep(code)} sentence={sentence} code={code} />
}

function Succeeded({ intentId, token }: { readonly intentId: string; readonly token: string }) {
  const { test: t } = useTexts(providerTexts)
  const { data, error, refetch } = useQuery(
    UserService.method.retrieveIdentityProviderIntent,
    { idpIntentId: intentId, idpIntentToken: token },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  if (error !== null) return <FailureNotice error={error} onRetry={refetch} />
  if (data === undefined) return <PageLoader />
  const { idpInformation, userId } = data
  return (
    <>
      <StepList />
      <Section title={t.account}>
        <CopyField label={t.externalId} value={idpInformation?.userId ?? ''} />
        <CopyField label={t.externalName} value={idpInformation?.userName ?? ''} />
        {userId === '' ? (
          <Alert color="blue">{t.notLinked}</Alert>
        ) : (
          <Anchor component={Link} to="/users/$userId" params={{ userId } as never}>
            {t.linked}
          </Anchor>
        )}
        <CodeBlock label={t.claims} code={JSON.stringify(idpInformation?.rawInformation ?? {}, null, 2)} />
      </Section>
    </>
  )
}
