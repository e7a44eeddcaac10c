/**
 * Sign-ins that ended before anybody was asked for a name, because the application sent a wrong secret or redirect URI. They
 * are kept by application and not one by one, because anybody can cause them.
 */

import { timestampDate } from '@bufbuild/protobuf/wkt'
import { createQueryOptions, useQuery, useTransport } from '@connectrpc/connect-query'
import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { type RefusedRequest, RefusedRequestKind } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { When } from '../../parts/when.tsx'
import { countRequestOf } from '../../sign-ins/count-request.ts'
import { signInValues } from '../../sign-ins/sentence.ts'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import type { SignInSearch } from './sign-in-search.ts'
import { auditTexts } from './texts/index.ts'

const DAYS = 7
const KINDS = {
  wrongRedirectUri: RefusedRequestKind.REDIRECT_URI,
  wrongSecret: RefusedRequestKind.CLIENT_AUTHENTICATION,
} as const
type KindName = keyof typeof KINDS

interface Asking {
  readonly id: string
  readonly name: string
  readonly projectId: string
}

/** The applications that something may have been refused to: the chosen one, or those with failures. */
function useAsking({ application, organization }: SignInSearch): readonly Asking[] {
  const { organizationId: chosen } = useOrganization()
  const { can } = usePermissions()
  const organizationId = organization ?? chosen
  const one = useQuery(
    ApplicationService.method.getApplication,
    { applicationId: application ?? '' },
    { enabled: application !== undefined, retry: false },
  ).data?.application
  const counts = useQuery(SignInService.method.countSignIns, countRequestOf({ organizationId }, DAYS), {
    enabled: application === undefined && can('session.read', { organizationId }),
  })
  if (application !== undefined) return one ? [{ id: one.applicationId, name: one.name, projectId: one.projectId }] : []
  const failing = counts.data?.applications.filter(({ failed }) => failed > 0n) ?? []
  return failing.flatMap(({ application: asking }) => (asking?.name ? [asking] : []))
}

/** Whether what was refused is among what the filters ask for. */
function isWanted({ user, method, outcome, failure }: SignInSearch): boolean {
  return (
    user === undefined &&
    method === undefined &&
    (outcome === undefined || outcome === 'failed') &&
    (failure === undefined || Object.hasOwn(KINDS, failure))
  )
}

interface Row extends Asking {
  readonly request: RefusedRequest
  readonly kind: KindName
}

/** What was refused in the last days; nothing where nothing was. */
export function RefusedRows({ search }: { readonly search: SignInSearch }) {
  const transport = useTransport()
  const asking = useAsking(search)
  const answers = useQueries({
    queries: asking.map(({ id }) => ({
      ...createQueryOptions(SignInService.method.listRefusedRequests, { applicationId: id }, { transport }),
      retry: false,
    })),
  })
  if (!isWanted(search)) return null
  const since = new Date(search.since ?? Date.now() - DAYS * 86_400_000)
  const rows = asking.flatMap((application, at) =>
    (answers[at]?.data?.refusedRequests ?? []).flatMap((request): Row[] => {
      const kind = (Object.keys(KINDS) as KindName[]).find((name) => KINDS[name] === request.kind)
      const isShown =
        request.lastDate !== undefined && timestampDate(request.lastDate) >= since && (search.failure ?? kind) === kind
      return kind !== undefined && isShown ? [{ ...application, request, kind }] : []
    }),
  )
  return rows.length === 0 ? null : <RefusedList rows={rows} />
}

function RefusedList({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTexts(auditTexts)
  const words = useTexts(signInWords)
  const titleId = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId}>
      <Title order={2} size="h5" id={titleId}>
        {t.refused}
      </Title>
      <Text size="sm" c="dimmed">
        {t.refusedHint}
      </Text>
      <Stack gap="xs" component="ul" p={0} m={0} mt="sm" style={{ listStyle: 'none' }}>
        {rows.map(({ id, name, projectId, request, kind }) => (
          <li key={`${id} ${kind} ${request.received}`}>
            <Group gap="xs">
              <Anchor component={Link} to={`/projects/${projectId}/applications/${id}`} size="sm">
                {words.failed(signInValues({ application: name, reason: words.failures[kind] }))}
              </Anchor>
              <Code style={{ overflowWrap: 'anywhere' }}>{request.received}</Code>
              <Text size="sm" c="dimmed">
                {t.times({ count: Number(request.count) })}
              </Text>
              <When time={request.lastDate} />
              {kind === 'wrongRedirectUri' && (
                <Anchor
                  component={Link}
                  to={`/projects/${projectId}/applications/${id}`}
                  size="sm"
                  aria-label={`${t.next.addUri}: ${request.received}`}
                >
                  {t.next.addUri}
                </Anchor>
              )}
            </Group>
          </li>
        ))}
      </Stack>
    </Paper>
  )
}
