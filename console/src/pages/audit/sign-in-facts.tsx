/** What is known of one sign-in beside its steps: who, where from, how, and for which application. */
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SignIn } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { When } from '../../parts/when.tsx'
import { METHODS, nameIn } from '../../sign-ins/names.ts'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { auditTexts } from './texts/index.ts'

/** The facts, one a line. */
export function SignInFacts({ signIn }: { readonly signIn: SignIn }) {
  const t = useTexts(auditTexts)
  const { methods } = useTexts(signInWords)
  const { user, applications, organizationId, organizationName, identityProviderId, origin, sessionId } = signIn
  const method = nameIn(METHODS, signIn.method)
  const link = (to: string, name: string) => (
    <Anchor key={to} component={Link} to={to} size="sm" style={{ overflowWrap: 'anywhere' }}>
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
      <Fact label={t.address}>{origin?.ipAddress || t.addressUnknown}</Fact>
      {origin !== undefined && origin.browser !== '' && <Fact label={t.browser}>{origin.browser}</Fact>}
      {organizationName !== '' && (
        <Fact label={t.organization}>{link(`/organizations/${organizationId}`, organizationName)}</Fact>
      )}
      {sessionId !== '' && <Fact label={t.session}>{sessionId}</Fact>}
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

/** Where a sign-in came from, in a cell. */
export function From({ signIn: { origin } }: { readonly signIn: SignIn }) {
  if (origin === undefined) return <Text size="sm">–</Text>
  return (
    <Stack gap={0}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {origin.ipAddress || '–'}
      </Text>
      {origin.browser !== '' && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {origin.browser}
        </Text>
      )}
    </Stack>
  )
}
