/** What takes access away from a user: lock, deactivate, remove, and the way back. */
import { useNavigate } from '@tanstack/react-router'
import { type User, UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { ActionRow } from '../../parts/action-row.tsx'
import { ActivationRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'

const { lockUser, unlockUser, deactivateUser, reactivateUser, deleteUser, listUsers } = UserService.method

interface DangerTabProps {
  readonly user: User
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ user, mayWrite, mayRemove }: DangerTabProps) {
  const { tabs, danger } = useTexts(userTexts)
  const navigate = useNavigate()
  const { userId, state } = user
  const deactivate = useAction(deactivateUser, { done: danger.deactivateDone, changes: USER_READS })
  const activate = useAction(reactivateUser, { done: danger.activateDone, changes: USER_READS })
  const remove = useAction(deleteUser, {
    done: danger.removeDone,
    changes: [listUsers],
    onDone: () => navigate({ to: '/users' }),
  })
  return (
    <DangerSection title={tabs.danger}>
      {mayWrite && <LockRow user={user} />}
      {mayWrite && (
        <ActivationRow
          texts={danger}
          isActive={state !== UserState.INACTIVE}
          isRunning={activate.isRunning || deactivate.isRunning}
          onActivate={() => activate.run({ userId })}
          onDeactivate={() => deactivate.run({ userId })}
        />
      )}
      {mayRemove && (
        <RemoveRow
          texts={danger}
          name={displayNameOf(user)}
          isRunning={remove.isRunning}
          onRemove={() => remove.run({ userId })}
        />
      )}
    </DangerSection>
  )
}

function LockRow({ user: { userId, state } }: { readonly user: User }) {
  const { danger } = useTexts(userTexts)
  const lock = useAction(lockUser, { done: danger.lockDone, changes: USER_READS })
  const unlock = useAction(unlockUser, { done: danger.unlockDone, changes: USER_READS })
  const isRunning = lock.isRunning || unlock.isRunning
  return state === UserState.LOCKED ? (
    <ActionRow
      label={danger.unlock}
      hint={danger.unlockHint}
      isRunning={isRunning}
      onClick={() => unlock.run({ userId })}
    />
  ) : (
    <ActionRow label={danger.lock} hint={danger.lockHint} isRunning={isRunning} onClick={() => lock.run({ userId })} />
  )
}
