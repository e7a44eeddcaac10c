/** What the application sent and the server refused, with what can be done about it: a wrong redirect URI, a wrong secret. */
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { OIDCConfiguration } from '../../../../contract/gen/signet/application/v2/oidc_pb.ts'
import { type RefusedRequest, RefusedRequestKind } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { signInKindOf } from './kinds.ts'
import { configOf, valuesOf } from './oidc-values.ts'
import { applicationTexts } from './texts/index.ts'
import { isAnswered, useUriProblems } from './use-uri-problem.ts'

const { getApplication, listApplications, updateApplication } = ApplicationService.method

/** What was refused longer ago has probably been put right. */
const RECENT_MS = 7 * 86_400_000
/** Developers look at this page while they try. */
const REFRESH_MS = 10_000

interface RefusedRequestsProps {
  readonly application: Application
  readonly mayWrite: boolean
  /** After a URI was added. */
  onAdded(uri: string): void
}

/** The notice; nothing where nothing was refused in the last days. */
export function RefusedRequests({ application, mayWrite, onAdded }: RefusedRequestsProps) {
  const t = useTexts(applicationTexts)
  const { applicationId, configuration } = application
  const { data } = useQuery(
    SignInService.method.listRefusedRequests,
    { applicationId },
    { refetchInterval: REFRESH_MS },
  )
  const config = configuration.case === 'oidcConfiguration' ? configuration.value : undefined
  const isOpen = ({ kind, received, lastDate }: RefusedRequest) =>
    lastDate !== undefined &&
    timestampMs(lastDate) > Date.now() - RECENT_MS &&
    !(kind === RefusedRequestKind.REDIRECT_URI && config && isAnswered(received, signInKindOf(config), config))
  const refused = data?.refusedRequests.filter(isOpen) ?? []
  if (refused.length === 0) return null
  return (
    <Section title={t.refused.title} description={t.refused.hint}>
      <List listStyleType="none" spacing="md">
        {refused.map((request) => (
          <List.Item key={`${request.kind} ${request.received}`} styles={{ itemWrapper: { display: 'block' } }}>
            <Refused
              request={request}
              application={application}
              config={config}
              mayWrite={mayWrite}
              onAdded={onAdded}
            />
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

interface RefusedProps extends RefusedRequestsProps {
  readonly request: RefusedRequest
  readonly config: OIDCConfiguration | undefined
}

function Refused({ request, application, config, mayWrite, onAdded }: RefusedProps) {
  const t = useTexts(applicationTexts)
  const { kind, received, lastDate, count } = request
  const isUri = kind === RefusedRequestKind.REDIRECT_URI
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" fw={600}>
        {isUri ? t.refused.redirectUri : t.refused.authentication}
      </Text>
      <Code style={{ overflowWrap: 'anywhere' }}>{received || t.refused.unknownMethod}</Code>
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          {t.refused.times({ count: Number(count) })}
        </Text>
        <When time={lastDate} />
      </Group>
      {isUri && config && mayWrite && (
        <AddUri uri={received} application={application} config={config} onAdded={onAdded} />
      )}
      {!isUri && (
        <Anchor component={Link} to="." search={{ tab: 'credentials' } as never} size="sm">
          {t.refused.toCredentials}
        </Anchor>
      )}
    </Stack>
  )
}

interface AddUriProps {
  readonly uri: string
  readonly application: Application
  readonly config: OIDCConfiguration
  onAdded(uri: string): void
}

/** Saves the application with one more redirect URI, by the same rules as the form. */
function AddUri({ uri, application, config, onAdded }: AddUriProps) {
  const t = useTexts(applicationTexts)
  const values = valuesOf(application, config)
  const problemOf = useUriProblems(values.kind, values.developmentMode)
  const [problem, setProblem] = useState<string>()
  const update = useAction(updateApplication, {
    done: t.refused.added,
    changes: [getApplication, listApplications, SignInService.method.listRefusedRequests],
    onDone: () => onAdded(uri),
  })
  const add = () => {
    const wrong = problemOf.redirect(uri)
    setProblem(wrong)
    if (wrong !== undefined) return
    const after = { ...values, redirectUris: [...values.redirectUris, uri] }
    void update.run({
      applicationId: application.applicationId,
      projectId: application.projectId,
      applicationType: { case: 'oidcConfiguration', value: configOf(after, config) },
    })
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={update.isRunning}
        onClick={add}
        aria-label={`${t.refused.add}: ${uri}`}
      >
        {t.refused.add}
      </Button>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </>
  )
}
