/** The line that turns green when somebody has signed in to the application. A trial does not count. */
import { useQuery } from '@connectrpc/connect-query'
import { Group, Text } from '@mantine/core'
import { SignInOutcome } from '../../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { usePermissions } from '../../../access/me.tsx'
import type { Place } from '../../../access/permissions.ts'
import { Icon } from '../../../parts/icons.tsx'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { startTexts } from './texts/index.ts'

/** How often the server is asked while nobody has signed in, and the page is visible. */
const POLL_MS = 3000

interface FirstSignInProps {
  readonly applicationId: string
  readonly place: Place
}

/** The line; nothing for those who may not see sign-ins. */
export function FirstSignIn({ applicationId, place }: FirstSignInProps) {
  const { firstSignIn: t } = useTexts(startTexts)
  const { can } = usePermissions()
  const enabled = can('session.read', place)
  const { data } = useQuery(
    SignInService.method.listSignIns,
    { applicationId, outcome: SignInOutcome.SUCCEEDED, pagination: { limit: 1 } },
    { enabled, refetchInterval: ({ state }) => (state.data?.signIns.length ? false : POLL_MS) },
  )
  if (!enabled) return null
  const [last] = data?.signIns ?? []
  if (last === undefined) {
    return (
      <Group gap="xs" role="status">
        <Icon name="history" />
        <Text size="sm">{t.waiting}</Text>
      </Group>
    )
  }
  const date = last.applications.find(({ id }) => id === applicationId)?.date ?? last.startDate
  return (
    <Group gap="xs" role="status" c="light-dark(#14532d, #b7f0c9)">
      <Icon name="check" />
      <Text size="sm" fw={600}>
        {t.done({ name: last.user?.displayName || last.user?.preferredLoginName || '' })}
      </Text>
      <When time={date} />
    </Group>
  )
}
