/** Why a user is locked and until when, and the way back: an administrator and failed attempts look the same in the badge. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Alert, Button, Group, Text } from '@mantine/core'
import { type User, UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { Icon } from '../../parts/icons.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'

interface LockNoticeProps {
  readonly user: User
  readonly mayUnlock: boolean
}

/** Nothing for a user who is not locked. */
export function LockNotice({ user: { userId, state, lockedUntil }, mayUnlock }: LockNoticeProps) {
  const { locked, danger } = useTexts(userTexts)
  const { language } = useLanguage()
  const unlock = useAction(UserService.method.unlockUser, { done: danger.unlockDone, changes: USER_READS })
  if (state !== UserState.LOCKED) return null
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
  const isByAttempts = lockedUntil !== undefined
  return (
    <Alert
      color={isByAttempts ? 'yellow' : 'red'}
      icon={<Icon name="lock" />}
      title={isByAttempts ? locked.byAttempts : locked.byAdministrator}
    >
      <Group justify="space-between">
        <Text size="sm" maw="44rem">
          {isByAttempts ? locked.until({ time: format.format(timestampDate(lockedUntil)) }) : locked.untilUnlocked}
        </Text>
        {mayUnlock && (
          <Button size="xs" variant="default" loading={unlock.isRunning} onClick={() => unlock.run({ userId })}>
            {danger.unlock}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
