/** What an administrator can do about a failed sign-in: each reason leads to the place where it is put right. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { SignIn } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { FAILURES, type FailureName, nameIn } from '../../sign-ins/names.ts'
import { useTexts } from '../../texts/index.tsx'
import { LockNotice } from '../users/lock-notice.tsx'
import { auditTexts } from './texts/index.ts'

type Leads = 'unlock' | 'password' | 'factors' | 'activate' | 'provider'

/** Where a reason leads; the others are put right by the setting that the steps name, or by the person. */
const LEADS: Readonly<Partial<Record<FailureName, Leads>>> = {
  userLocked: 'unlock',
  factorLocked: 'unlock',
  userInactive: 'activate',
  wrongPassword: 'password',
  wrongTotp: 'factors',
  wrongCode: 'factors',
  wrongRecoveryCode: 'factors',
  passkey: 'factors',
  provider: 'provider',
}

/** The tab of the user on which it is done. */
const TABS = { password: 'password', factors: 'methods', activate: 'danger' } as const

/** Nothing where there is nothing to do. */
export function WhatNext({ signIn }: { readonly signIn: SignIn }) {
  const t = useTexts(auditTexts)
  const failure = nameIn(FAILURES, signIn.failure)
  const lead = failure && LEADS[failure]
  const { user, identityProviderId } = signIn
  if (lead === 'provider') {
    if (identityProviderId === '') return null
    return <Way to={`/identity-providers/${identityProviderId}`}>{t.next.provider}</Way>
  }
  if (lead === undefined || user === undefined) return null
  if (lead === 'unlock') return <Unlock userId={user.id} />
  return (
    <Way to={`/users/${user.id}`} tab={TABS[lead]}>
      {t.next[lead]}
    </Way>
  )
}

function Way({ to, tab, children }: { readonly to: string; readonly tab?: string; readonly children: string }) {
  return (
    <Anchor component={Link} to={to} search={(tab === undefined ? {} : { tab }) as never} size="sm" w="fit-content">
      {children}
    </Anchor>
  )
}

/** The lock as it is now: the sign-in may have been long ago. */
function Unlock({ userId }: { readonly userId: string }) {
  const t = useTexts(auditTexts)
  const { can } = usePermissions()
  const user = useQuery(UserService.method.getUserByID, { userId }, { retry: false }).data?.user
  if (user === undefined) return null
  if (user.state !== UserState.LOCKED) {
    return (
      <Text size="sm" c="dimmed">
        {t.next.notLocked}
      </Text>
    )
  }
  const mayUnlock = can('user.write', { organizationId: user.details?.resourceOwner ?? '' })
  return <LockNotice user={user} mayUnlock={mayUnlock} />
}
