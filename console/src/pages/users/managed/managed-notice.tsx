/** What is noticed first of a user or a group that a directory manages: where to change it, and how to take it over. */
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ManagedUserService } from '../../../../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { GroupService } from '../../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { Icon } from '../../../parts/icons.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { managedTexts } from './texts/index.ts'

interface Management {
  readonly directoryId: string
  readonly since?: Timestamp | undefined
}

interface NoticeProps {
  readonly sentence: string
  readonly managedBy: Management
  readonly isRunning: boolean
  /** Undefined: the caller may not. */
  readonly onDetach: (() => unknown) | undefined
}

function Notice({ sentence, managedBy: { directoryId, since }, isRunning, onDetach }: NoticeProps) {
  const t = useTexts(managedTexts)
  return (
    <Alert color="blue" icon={<Icon name="link" />} title={sentence}>
      <Stack gap="xs">
        <Group gap="md">
          <Anchor component={Link} to="/users/$userId" params={{ userId: directoryId } as never} size="sm">
            {t.directory} {directoryId}
          </Anchor>
          <Text size="sm">
            {t.since} <When time={since} />
          </Text>
        </Group>
        {onDetach !== undefined && (
          <Group gap="md">
            <Button size="xs" variant="default" loading={isRunning} onClick={onDetach}>
              {t.detach}
            </Button>
            <Text size="sm" c="dimmed">
              {t.detachHint}
            </Text>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Of a user. */
export function ManagedUserNotice(props: {
  readonly userId: string
  readonly managedBy: Management
  readonly mayDetach: boolean
}) {
  const { userId, managedBy, mayDetach } = props
  const t = useTexts(managedTexts)
  const { getUserByID, listUsers } = UserService.method
  const detach = useAction(ManagedUserService.method.detachUser, {
    done: t.detachDone,
    changes: [getUserByID, listUsers],
  })
  const onDetach = mayDetach ? () => detach.run({ userId }) : undefined
  return <Notice sentence={t.user} managedBy={managedBy} isRunning={detach.isRunning} onDetach={onDetach} />
}

/** Of a group. */
export function ManagedGroupNotice(props: {
  readonly groupId: string
  readonly managedBy: Management
  readonly mayDetach: boolean
}) {
  const { groupId, managedBy, mayDetach } = props
  const t = useTexts(managedTexts)
  const detach = useAction(ManagedUserService.method.detachGroup, {
    done: t.detachDone,
    changes: [GroupService.method.getGroup],
  })
  const onDetach = mayDetach ? () => detach.run({ groupId }) : undefined
  return <Notice sentence={t.group} managedBy={managedBy} isRunning={detach.isRunning} onDetach={onDetach} />
}
